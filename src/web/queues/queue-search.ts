/** What of a queue is looked at, in its address. */
export interface QueueSearch {
  /** The call; without it the next one that nobody has judged. */
  item?: string
  /** `on`: also those that one has skipped. */
  skipped?: string
  /** Which side of the call. */
  tab?: string
}

export function readQueueSearch(search: Readonly<Record<string, unknown>>): QueueSearch {
  const { item, skipped, tab } = search
  return {
    ...(typeof item === 'string' ? { item } : {}),
    ...(skipped === 'on' ? { skipped } : {}),
    ...(typeof tab === 'string' ? { tab } : {}),
  }
}
