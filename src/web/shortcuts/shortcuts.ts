import { useEffect, useRef, useSyncExternalStore } from 'react'
import { parseKeys } from './key-binding.ts'

/** A keyboard shortcut, as the shortcut sheet (`?`) lists it. */
export interface Shortcut {
  /** `j`, `?`, `Escape`, `ArrowDown`, `mod+k` (⌘ on a Mac, Ctrl elsewhere). Alternatives are separated by a space. */
  readonly keys: string
  readonly label: string
  readonly run: (event: KeyboardEvent) => void
  /** Also active while the user types in a field. */
  readonly whileTyping?: boolean
}

export interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}

/** The most recently mounted group is matched first: Esc closes the drawer before it clears the list's selection. */
let groups: readonly ShortcutGroup[] = []
const listeners = new Set<() => void>()

function setGroups(next: readonly ShortcutGroup[]): void {
  groups = next
  for (const notify of listeners) notify()
}

/** Registers shortcuts while the calling component is mounted. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  const signature = shortcuts.map(({ keys, label }) => `${keys}\t${label}`).join('\n')
  useEffect(() => {
    const group: ShortcutGroup = {
      title,
      shortcuts: latest.current.map((shortcut, i) => ({
        ...shortcut,
        // Runs the handler of the latest render: an older one closes over stale state.
        run: (event) => latest.current[i]?.run(event),
      })),
    }
    setGroups([...groups, group])
    return () => setGroups(groups.filter((each) => each !== group))
  }, [title, signature])
}

export function useShortcutGroups(): readonly ShortcutGroup[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => groups,
  )
}

export const isMac = navigator.platform.startsWith('Mac')

/**
 * Starts the global key listener. Called once, before any dialog can listen: without animations, the dialog that Escape
 * closes is gone when the other listeners are called.
 */
export function startKeyListener(): void {
  let isModal = false
  window.addEventListener(
    'keydown',
    () => {
      isModal = document.querySelector('[aria-modal="true"]') !== null
    },
    { capture: true },
  )
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    for (const { shortcuts } of [...groups].reverse()) {
      const found = shortcuts.find((shortcut) => matchesShortcut(shortcut, event))
      if (found === undefined || (isModal && found.whileTyping !== true)) continue
      event.preventDefault()
      found.run(event)
      return
    }
  })
}

function matchesShortcut(shortcut: Shortcut, event: KeyboardEvent): boolean {
  if (shortcut.whileTyping !== true && isTyping(event.target)) return false
  const isMod = isMac ? event.metaKey : event.ctrlKey
  return parseKeys(shortcut.keys).some(({ key, hasMod }) => {
    if (hasMod !== isMod || event.altKey) return false
    // Buttons and links handle Enter themselves.
    if (key === 'Enter' && !hasMod && handlesEnter(event.target)) return false
    return event.key === key || (hasMod && event.key.toLowerCase() === key)
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  if (target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
}

function handlesEnter(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, [role="menuitem"]') !== null
}
