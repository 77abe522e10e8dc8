import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Returns the focus to what had it when a dialog opened. Mantine does so neither for a dialog that is mounted open, nor for
 * one that an item of a menu opened. The ref is that of the dialog.
 */
export function useFocusReturn(isOpen: boolean): RefObject<HTMLDivElement | null> {
  const dialog = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    clearTimeout(timer.current)
    const opener = findOpener()
    return () => {
      const closed = dialog.current
      // Later, because the key that closed the dialog would press the button that gets the focus.
      timer.current = setTimeout(() => {
        const focused = document.activeElement
        const isLost = focused === null || focused === document.body || closed?.contains(focused) === true
        if (isLost) opener?.focus({ preventScroll: true })
      })
    }
  }, [isOpen])
  return dialog
}

/** The focused element, or the button of the menu that it is in: the menu closes. */
function findOpener(): HTMLElement | null {
  const focused = document.activeElement
  const buttonId = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? undefined
  const opener = buttonId === undefined ? focused : document.getElementById(buttonId)
  return opener instanceof HTMLElement ? opener : null
}
