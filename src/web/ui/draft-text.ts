import { useState } from 'react'

const PREFIX = 'heddle-draft '

/**
 * A text that is being typed. This tab keeps it until it is saved or emptied, so that a reload does not lose it. `key` says
 * where it belongs; it must not change while the component is mounted.
 */
export function useDraftText(key: string, initial = ''): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => sessionStorage.getItem(PREFIX + key) ?? initial)
  const change = (next: string): void => {
    setText(next)
    try {
      if (next.trim() === '' || next === initial) sessionStorage.removeItem(PREFIX + key)
      else sessionStorage.setItem(PREFIX + key, next)
    } catch {
      // The storage is full: the text stays on the page only.
    }
  }
  return [text, change]
}

/** The drafts of this tab belong to the user who signs out. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}
