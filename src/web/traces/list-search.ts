import type { TraceSearch } from '../trace/trace-search.ts'

/** What the list of traces shows, all of it in its address. Everything is text; absent is the usual. */
export interface ListSearch {
  /** In the language of src/web/filter. */
  filter?: string
  /** To be found anywhere in a call. */
  text?: string
  /** See time/range.ts. */
  range?: string
  /** `calls`: every call and not only those that began a trace. */
  show?: string
  /** Names of columns with commas between; see columns.ts. */
  columns?: string
  /** A field of the query language, with a `-` before it for the largest first. */
  sort?: string
  live?: string
  /** The saved view that was opened, by the id of its object; what it says is spelled out beside it. */
  saved?: string
  /** A saved view that is to be opened: links that SDKs print have nothing else. */
  open?: string
  /** The call whose trace is open beside the list. */
  call?: string
  /** How that trace is shown; see trace/trace-search.ts. */
  view?: string
  tab?: string
  find?: string
  time?: string
  heat?: string
}

const WHAT = ['filter', 'text', 'range', 'show', 'columns', 'sort', 'live', 'saved', 'open'] as const
const BESIDE = ['call', 'view', 'tab', 'find', 'time', 'heat'] as const
const KEYS = [...WHAT, ...BESIDE]

/** For when that trace is closed. */
export const NO_TRACE: Readonly<Record<keyof TraceSearch, undefined>> = {
  view: undefined,
  tab: undefined,
  find: undefined,
  time: undefined,
  heat: undefined,
}

/** How a trace can be shown. SDKs write the id of a saved view in this place. */
const TRACE_VIEWS = new Set(['tree', 'transcript'])

export function readListSearch(search: Readonly<Record<string, unknown>>): ListSearch {
  const read: ListSearch = {}
  for (const key of KEYS) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  if (read.view !== undefined && !TRACE_VIEWS.has(read.view)) {
    read.open = read.view
    delete read.view
  }
  return read
}
