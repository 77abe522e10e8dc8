/** The order of queue items as the page knows it. The server decides which reviewer gets an item. */

export interface OrderedItem {
  readonly call_id: string
  readonly done_by: string | null
  readonly skipped_by: readonly string[]
  readonly held_by: string | null
}

/** The next item that the user may review: after `after`, then from the start. */
export function nextOpenItem<Item extends OrderedItem>(
  items: readonly Item[],
  after: string | undefined,
  me: string | undefined,
  includeSkipped: boolean,
): Item | undefined {
  const at = items.findIndex(({ call_id }) => call_id === after)
  const isOpen = (item: Item): boolean =>
    item.done_by === null &&
    item.call_id !== after &&
    (item.held_by === null || item.held_by === me) &&
    (includeSkipped || me === undefined || !item.skipped_by.includes(me))
  return [...items.slice(at + 1), ...items.slice(0, Math.max(0, at))].find(isOpen)
}

/** The previous or next item in any state; undefined at either end. */
export function adjacentItem<Item extends OrderedItem>(
  items: readonly Item[],
  current: string,
  step: 1 | -1,
): Item | undefined {
  const at = items.findIndex(({ call_id }) => call_id === current)
  return at === -1 ? items[0] : items[at + step]
}

/** Number of reviewed items per reviewer, highest first. */
export function reviewCounts(items: readonly OrderedItem[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { done_by } of items) if (done_by !== null) counts.set(done_by, (counts.get(done_by) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}
