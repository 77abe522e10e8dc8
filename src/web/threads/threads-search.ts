/** URL search parameters of the threads list. */
export interface ThreadsSearch {
  /** See time/range.ts. */
  range?: string
  /** Sort column; a leading `-` sorts in descending order. */
  sort?: string
}

export function readThreadsSearch(search: Readonly<Record<string, unknown>>): ThreadsSearch {
  const { range, sort } = search
  return {
    ...(typeof range === 'string' && range !== '' ? { range } : {}),
    ...(typeof sort === 'string' && sort !== '' ? { sort } : {}),
  }
}
