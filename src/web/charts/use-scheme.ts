import { useSyncExternalStore } from 'react'

const ATTRIBUTE = 'data-mantine-color-scheme'

/** Light or dark, as the page is drawn now: what is painted on a canvas has to be painted anew when it changes. */
export function useScheme(): string {
  return useSyncExternalStore(listen, () => document.documentElement.getAttribute(ATTRIBUTE) ?? '')
}

function listen(tell: () => void): () => void {
  const observer = new MutationObserver(tell)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: [ATTRIBUTE] })
  return () => observer.disconnect()
}
