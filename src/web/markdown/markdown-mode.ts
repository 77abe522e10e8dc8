import { useLocalStorage } from '@mantine/hooks'

/** Whether text is rendered as Markdown or shown as it was sent. Remembered in this browser, for all pages. */
export function useMarkdownMode(): { readonly isRendered: boolean; readonly toggle: () => void } {
  const [mode, setMode] = useLocalStorage<'rendered' | 'raw'>({
    key: 'heddle-markdown',
    defaultValue: 'rendered',
    getInitialValueInEffect: false,
  })
  return { isRendered: mode !== 'raw', toggle: () => setMode(mode === 'raw' ? 'rendered' : 'raw') }
}
