import { useCallback, useRef, useState } from 'react'

export interface Selection {
  readonly selected: ReadonlySet<string>
  /** `isRange` selects everything between the last toggled call and this one. */
  readonly toggle: (id: string, isRange: boolean) => void
  readonly setAll: (isAll: boolean) => void
}

export function useSelection(calls: readonly { readonly id: string }[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const currentCalls = useRef(calls)
  currentCalls.current = calls
  const lastToggled = useRef<string>(undefined)
  const toggle = useCallback((id: string, isRange: boolean) => {
    const ids = currentCalls.current.map((call) => call.id)
    const from = isRange && lastToggled.current !== undefined ? ids.indexOf(lastToggled.current) : -1
    const to = ids.indexOf(id)
    const toggled = from === -1 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1)
    lastToggled.current = id
    setSelected((before) => {
      const after = new Set(before)
      const isAdding = !before.has(id)
      for (const each of toggled) {
        if (isAdding) after.add(each)
        else after.delete(each)
      }
      return after
    })
  }, [])
  const setAll = useCallback((isAll: boolean) => {
    setSelected(new Set(isAll ? currentCalls.current.map(({ id }) => id) : []))
  }, [])
  return { selected, toggle, setAll }
}
