import { useSyncExternalStore } from 'react'

const ATTRIBUTE = 'data-mantine-color-scheme'

/** The current color scheme. Canvases have to be redrawn when it changes. */
export function useColorScheme(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.getAttribute(ATTRIBUTE) ?? '')
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: [ATTRIBUTE] })
  return () => observer.disconnect()
}
