import { useCallback, useState } from 'react'

/** A row of a tree. Rows are in display order, without the descendants of collapsed rows. */
export interface TreeRow {
  readonly id: string
  readonly name: string
  readonly depth: number
  readonly childCount: number
  readonly isCollapsed: boolean
}

/** The ids of the collapsed rows of a tree. `toggle` switches a row, or sets its state. */
export function useCollapsed() {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((id: string, isCollapsed?: boolean) => {
    setCollapsed((before) => {
      const after = new Set(before)
      if (isCollapsed ?? !before.has(id)) after.add(id)
      else after.delete(id)
      return after
    })
  }, [])
  return { collapsed, setCollapsed, toggle }
}

/** What the arrow keys do in a tree. `hiddenParent` is the parent of a selected row that is collapsed away. */
export function treeMoves(
  rows: readonly TreeRow[],
  selected: string,
  onSelect: (id: string) => void,
  onToggle: (id: string, isCollapsed: boolean) => void,
  hiddenParent?: string,
) {
  const at = rows.findIndex(({ id }) => id === selected)
  const row = rows[at]
  const select = (target: TreeRow | undefined): void => {
    if (target !== undefined) onSelect(target.id)
  }
  return {
    move: (step: number) => select(rows[Math.max(0, Math.min(rows.length - 1, at + step))]),
    expand: () => {
      if (row !== undefined) onToggle(row.id, false)
    },
    collapseOrSelectParent: () => {
      if (row === undefined) {
        if (hiddenParent !== undefined) onSelect(hiddenParent)
      } else if (row.childCount > 0 && !row.isCollapsed) onToggle(row.id, true)
      else select(rows.slice(0, at).findLast(({ depth }) => depth < row.depth))
    },
  }
}
