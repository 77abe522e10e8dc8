import type { DiffRow } from './line-diff.ts'

/** A row, or many equal ones that are folded away. */
export type ShownRow =
  | { readonly kind: 'row'; readonly row: DiffRow }
  | { readonly kind: 'fold'; readonly from: number; readonly count: number }

const CONTEXT = 3

/** Equal rows far from any change are folded, except those that somebody has opened: a fold is known by its first row. */
export function foldRows(rows: readonly DiffRow[], opened: ReadonlySet<number>): ShownRow[] {
  const shown: ShownRow[] = []
  for (let i = 0; i < rows.length;) {
    const from = i
    while (i < rows.length && rows[i]?.isSame === true) i++
    const before = from === 0 ? 0 : CONTEXT
    const after = i === rows.length ? 0 : CONTEXT
    const count = i - from - before - after
    // A fold takes a line itself.
    const isFolded = count > 1 && !opened.has(from + before)
    for (let n = from; n < i; n++) {
      if (isFolded && n === from + before) {
        shown.push({ kind: 'fold', from: n, count })
        n += count - 1
      } else push(shown, rows[n])
    }
    while (i < rows.length && rows[i]?.isSame === false) push(shown, rows[i++])
  }
  return shown
}

function push(shown: ShownRow[], row: DiffRow | undefined): void {
  if (row !== undefined) shown.push({ kind: 'row', row })
}
