import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

interface Props {
  readonly label: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A button group with roving tabindex: Tab reaches the pressed button or the first, arrow keys reach the others. */
export function RovingRow({ label, className, children }: Props) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const all = buttons(row.current)
    const first = all.find((button) => button === document.activeElement) ?? pressed(all) ?? all[0]
    for (const button of all) button.tabIndex = button === first ? 0 : -1
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const all = buttons(row.current)
    const at = all.findIndex((button) => button === document.activeElement)
    const next = all[(at + step + all.length) % all.length]
    if (at === -1 || next === undefined) return
    event.preventDefault()
    // The call tree beside it also listens to these keys.
    event.stopPropagation()
    for (const button of all) button.tabIndex = button === next ? 0 : -1
    next.focus()
  }
  return (
    <div ref={row} role="group" aria-label={label} className={className} onKeyDown={onKeyDown}>
      {children}
    </div>
  )
}

function buttons(row: HTMLElement | null): HTMLButtonElement[] {
  return [...(row?.querySelectorAll('button') ?? [])]
}

function pressed(all: readonly HTMLButtonElement[]): HTMLButtonElement | undefined {
  return all.find((button) => button.getAttribute('aria-pressed') === 'true')
}
