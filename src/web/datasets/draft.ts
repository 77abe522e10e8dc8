import { withCell } from './row-text.ts'

/**
 * What somebody changes in a dataset before it is published. Rows are known by their place: those of the table it is
 * made from, then the ones that were added. A row that is removed keeps its place until then, so that it can be put back.
 */
export interface Draft {
  /** How many rows the table has. */
  readonly count: number
  readonly changed: ReadonlyMap<number, string>
  readonly removed: ReadonlySet<number>
  readonly added: readonly string[]
}

export function emptyDraft(count: number): Draft {
  return { count, changed: new Map(), removed: new Set(), added: [] }
}

/** What the draft says of a row; undefined where it leaves the table's. */
export function draftRow(draft: Draft, index: number): string | undefined {
  return index < draft.count ? draft.changed.get(index) : draft.added[index - draft.count]
}

/** `row` is the row as it is shown, `original` as the table has it. */
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
  // Changed back is not changed.
  if (row === original) changed.delete(index)
  else changed.set(index, row)
  return { ...draft, changed }
}

export function addRows(draft: Draft, rows: readonly string[]): Draft {
  return { ...draft, added: [...draft.added, ...rows] }
}

/** Removes a row, or puts it back. */
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

export function countsOf({ count, changed, removed, added }: Draft): DraftCounts {
  const isKept = (index: number): boolean => !removed.has(index)
  return {
    changed: [...changed.keys()].filter(isKept).length,
    removed: [...removed].filter((index) => index < count).length,
    added: added.filter((_, i) => isKept(count + i)).length,
  }
}

export function isEmpty(draft: Draft): boolean {
  const { changed, removed, added } = countsOf(draft)
  return changed + removed + added === 0
}

export type RowUpdate =
  | { readonly pop: { readonly index: number } }
  | { readonly insert: { readonly index: number; readonly row: string } }
  | { readonly append: { readonly row: string } }

/** The same as changes to the table, one after the other: from its end, so that places before stay what they are. */
export function updatesOf({ count, changed, removed, added }: Draft): RowUpdate[] {
  const touched = [...new Set([...changed.keys(), ...removed])].filter((index) => index < count)
  const updates: RowUpdate[] = []
  for (const index of touched.sort((a, b) => b - a)) {
    updates.push({ pop: { index } })
    const row = changed.get(index)
    if (row !== undefined && !removed.has(index)) updates.push({ insert: { index, row } })
  }
  for (const [i, row] of added.entries()) if (!removed.has(count + i)) updates.push({ append: { row } })
  return updates
}
