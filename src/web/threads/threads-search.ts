/** What the list of threads shows, all of it in its address. */
export interface ThreadsSearch {
  /** See time/range.ts. */
  range?: string
  /** A column, with a `-` before it for the largest first. */
  sort?: string
}

export function readThreadsSearch(search: Readonly<Record<string, unknown>>): ThreadsSearch {
  const { range, sort } = search
  return {
    ...(typeof range === 'string' && range !== '' ? { range } : {}),
    ...(typeof sort === 'string' && sort !== '' ? { sort } : {}),
  }
}
