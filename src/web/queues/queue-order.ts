/** Which item of a queue comes next, as the page knows it; the server decides who gets it. */

export interface OrderedItem {
  readonly call_id: string
  readonly done_by: string | null
  readonly skipped_by: readonly string[]
  readonly held_by: string | null
}

/** The next that somebody may judge, behind `behind` and then from the beginning. */
export function nextOpen<Item extends OrderedItem>(
  items: readonly Item[],
  behind: string | undefined,
  me: string | undefined,
  withSkipped: boolean,
): Item | undefined {
  const at = items.findIndex(({ call_id }) => call_id === behind)
  const isOpen = (item: Item): boolean =>
    item.done_by === null &&
    item.call_id !== behind &&
    (item.held_by === null || item.held_by === me) &&
    (withSkipped || me === undefined || !item.skipped_by.includes(me))
  return [...items.slice(at + 1), ...items.slice(0, Math.max(0, at))].find(isOpen)
}

/** The one before or after, whoever judged it; undefined at either end. */
export function neighbour<Item extends OrderedItem>(
  items: readonly Item[],
  here: string,
  step: 1 | -1,
): Item | undefined {
  const at = items.findIndex(({ call_id }) => call_id === here)
  return at === -1 ? items[0] : items[at + step]
}

/** Who has judged how many, the most first. */
export function judgedBy(items: readonly OrderedItem[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { done_by } of items) if (done_by !== null) counts.set(done_by, (counts.get(done_by) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}
