import { withCell } from './row-text.ts'

/**
 * The unpublished edits of a dataset. Rows are identified by index: first those of the base table, then the added ones.
 * A removed row keeps its index until publishing, so that it can be restored.
 */
export interface Draft {
  /** Number of rows in the base table. */
  readonly count: number
  readonly changed: ReadonlyMap<number, string>
  readonly removed: ReadonlySet<number>
  readonly added: readonly string[]
}

export function emptyDraft(count: number): Draft {
  return { count, changed: new Map(), removed: new Set(), added: [] }
}

/** The changed or added row; undefined if the base row is unchanged. */
export function draftRow(draft: Draft, index: number): string | undefined {
  return index < draft.count ? draft.changed.get(index) : draft.added[index - draft.count]
}

/** Sets a cell. `row` is the displayed row, `original` the stored one. */
export function setCell(
  draft: Draft,
  index: number,
  row: string,
  original: string | undefined,
  name: string,
  value: string | undefined,
): Draft {
  return setRow(draft, index, withCell(row, name, value), original)
}

function setRow(draft: Draft, index: number, row: string, original: string | undefined): Draft {
  if (index >= draft.count) return { ...draft, added: draft.added.with(index - draft.count, row) }
  const changed = new Map(draft.changed)
  // A reverted change is not a change.
  if (row === original) changed.delete(index)
  else changed.set(index, row)
  return { ...draft, changed }
}

export function addRows(draft: Draft, rows: readonly string[]): Draft {
  return { ...draft, added: [...draft.added, ...rows] }
}

/** Removes or restores a row. */
export function toggleRemoved(draft: Draft, index: number): Draft {
  const removed = new Set(draft.removed)
  if (!removed.delete(index)) removed.add(index)
  return { ...draft, removed }
}

export interface DraftCounts {
  readonly changed: number
  readonly removed: number
  readonly added: number
}

export function draftCounts({ count, changed, removed, added }: Draft): DraftCounts {
  const isKept = (index: number): boolean => !removed.has(index)
  return {
    changed: [...changed.keys()].filter(isKept).length,
    removed: [...removed].filter((index) => index < count).length,
    added: added.filter((_, i) => isKept(count + i)).length,
  }
}

export function isDraftEmpty(draft: Draft): boolean {
  const { changed, removed, added } = draftCounts(draft)
  return changed + removed + added === 0
}

export type RowUpdate =
  | { readonly pop: { readonly index: number } }
  | { readonly insert: { readonly index: number; readonly row: string } }
  | { readonly append: { readonly row: string } }

/** The draft as table updates, to be applied in order. They start at the end, so that earlier indexes stay valid. */
export function draftUpdates({ count, changed, removed, added }: Draft): RowUpdate[] {
  const affected = [...new Set([...changed.keys(), ...removed])].filter((index) => index < count)
  const updates: RowUpdate[] = []
  for (const index of affected.sort((a, b) => b - a)) {
    updates.push({ pop: { index } })
    const row = changed.get(index)
    if (row !== undefined && !removed.has(index)) updates.push({ insert: { index, row } })
  }
  for (const [i, row] of added.entries()) if (!removed.has(count + i)) updates.push({ append: { row } })
  return updates
}
