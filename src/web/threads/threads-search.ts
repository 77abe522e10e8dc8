/** URL search parameters of the threads list. */
export interface ThreadsSearch {
  /** See time/range.ts. */
  range?: string
  /** Sort column; a leading `-` sorts in descending order. */
  sort?: string
  /** Only threads that contain this text. */
  text?: string
}

export function readThreadsSearch(search: Readonly<Record<string, unknown>>): ThreadsSearch {
  const { range, sort, text } = search
  return {
    ...(typeof range === 'string' && range !== '' ? { range } : {}),
    ...(typeof sort === 'string' && sort !== '' ? { sort } : {}),
    ...(typeof text === 'string' && text !== '' ? { text } : {}),
  }
}
