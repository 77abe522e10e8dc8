import type { DiffRow } from './line-diff.ts'

/** A visible row, or a run of collapsed unchanged rows. */
export type ShownRow =
  | { readonly kind: 'row'; readonly row: DiffRow }
  | { readonly kind: 'collapsed'; readonly from: number; readonly count: number }

const CONTEXT_ROWS = 3

/** Collapses unchanged rows far from any change, except expanded runs. A run is identified by its first row. */
export function collapseRows(rows: readonly DiffRow[], expanded: ReadonlySet<number>): ShownRow[] {
  const shown: ShownRow[] = []
  for (let i = 0; i < rows.length;) {
    const from = i
    while (i < rows.length && rows[i]?.isUnchanged === true) i++
    const before = from === 0 ? 0 : CONTEXT_ROWS
    const after = i === rows.length ? 0 : CONTEXT_ROWS
    const count = i - from - before - after
    // A collapsed run takes one line itself.
    const isCollapsed = count > 1 && !expanded.has(from + before)
    for (let n = from; n < i; n++) {
      if (isCollapsed && n === from + before) {
        shown.push({ kind: 'collapsed', from: n, count })
        n += count - 1
      } else push(shown, rows[n])
    }
    while (i < rows.length && rows[i]?.isUnchanged === false) push(shown, rows[i++])
  }
  return shown
}

function push(shown: ShownRow[], row: DiffRow | undefined): void {
  if (row !== undefined) shown.push({ kind: 'row', row })
}
