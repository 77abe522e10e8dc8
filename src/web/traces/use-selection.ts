import { useCallback, useRef, useState } from 'react'

export interface Selection {
  readonly selected: ReadonlySet<string>
  /** `isRange`: everything from the last one that was touched. */
  readonly toggle: (id: string, isRange: boolean) => void
  readonly setAll: (isAll: boolean) => void
}

export function useSelection(calls: readonly { readonly id: string }[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const shown = useRef(calls)
  shown.current = calls
  const last = useRef<string>(undefined)
  const toggle = useCallback((id: string, isRange: boolean) => {
    const ids = shown.current.map((call) => call.id)
    const from = isRange && last.current !== undefined ? ids.indexOf(last.current) : -1
    const to = ids.indexOf(id)
    const touched = from === -1 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1)
    last.current = id
    setSelected((before) => {
      const after = new Set(before)
      const isAdding = !before.has(id)
      for (const each of touched) {
        if (isAdding) after.add(each)
        else after.delete(each)
      }
      return after
    })
  }, [])
  const setAll = useCallback((isAll: boolean) => {
    setSelected(new Set(isAll ? shown.current.map(({ id }) => id) : []))
  }, [])
  return { selected, toggle, setAll }
}
