import { useEffect, useRef, useSyncExternalStore } from 'react'
import { readKeys } from './key-spelling.ts'

/** One key and what it does, as the sheet (`?`) lists it. */
export interface Shortcut {
  /** `j`, `?`, `Escape`, `ArrowDown`, `mod+k` (⌘ on a Mac, Ctrl elsewhere); several spellings with a space between. */
  readonly keys: string
  readonly label: string
  readonly run: (event: KeyboardEvent) => void
  /** Also while somebody types in a field. */
  readonly whileTyping?: boolean
}

export interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}

/** What is shown last is asked first: Esc closes the drawer before it clears the list's selection. */
let groups: readonly ShortcutGroup[] = []
const listeners = new Set<() => void>()

function change(next: readonly ShortcutGroup[]): void {
  groups = next
  for (const tell of listeners) tell()
}

/** Registers keys for as long as the part that calls it is shown. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const spelled = shortcuts.map(({ keys, label }) => `${keys}\t${label}`).join('\n')
  useEffect(() => {
    const group: ShortcutGroup = {
      title,
      shortcuts: latest.current.map((shortcut, i) => ({
        ...shortcut,
        // By the latest of them: what a key does may close over state that has changed since.
        run: (event) => latest.current[i]?.run(event),
      })),
    }
    change([...groups, group])
    return () => change(groups.filter((each) => each !== group))
  }, [title, spelled])
}

export function useShortcutGroups(): readonly ShortcutGroup[] {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => groups,
  )
}

export const isMac = navigator.platform.startsWith('Mac')

/** Begins to listen; called once. */
export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return
    const isModal = document.querySelector('[aria-modal="true"]') !== null
    for (const { shortcuts } of [...groups].reverse()) {
      const found = shortcuts.find((shortcut) => isPressed(shortcut, event))
      if (found === undefined || (isModal && found.whileTyping !== true)) continue
      event.preventDefault()
      found.run(event)
      return
    }
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

function isPressed(shortcut: Shortcut, event: KeyboardEvent): boolean {
  if (shortcut.whileTyping !== true && isTyping(event.target)) return false
  const isMod = isMac ? event.metaKey : event.ctrlKey
  return readKeys(shortcut.keys).some(({ key, hasMod }) => {
    if (hasMod !== isMod || event.altKey) return false
    // A button or a link has its own use of Enter.
    if (key === 'Enter' && !hasMod && isPressable(event.target)) return false
    return event.key === key || (hasMod && event.key.toLowerCase() === key)
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  if (target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
}

function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, [role="menuitem"]') !== null
}
