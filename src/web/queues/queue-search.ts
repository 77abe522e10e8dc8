/** The URL search parameters of the queue page. */
export interface QueueSearch {
  /** Id of the call; without it the page opens the next open call. */
  item?: string
  /** `on` includes calls that the user skipped. */
  skipped?: string
  /** The selected tab of the call. */
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
