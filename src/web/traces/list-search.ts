import type { TraceSearch } from '../trace/trace-search.ts'

/** The URL search parameters of the traces page. All values are strings; an absent one means the default. */
export interface ListSearch {
  /** Filter text; see src/web/filter. */
  filter?: string
  /** Text to search for anywhere in a call. */
  text?: string
  /** See time/range.ts. */
  range?: string
  /** `calls` lists every call instead of root calls only. */
  show?: string
  /** Comma-separated column names; see columns.ts. */
  columns?: string
  /** A query field; a leading `-` sorts descending. */
  sort?: string
  live?: string
  /** Object id of the open saved view. The other parameters repeat its definition. */
  saved?: string
  /** Object id of a saved view to open. Links printed by SDKs have only this. */
  open?: string
  /** The call whose trace is open in the drawer. */
  call?: string
  /** State of the open trace; see trace/trace-search.ts. */
  view?: string
  tab?: string
  find?: string
  time?: string
  heat?: string
}

const LIST_KEYS = ['filter', 'text', 'range', 'show', 'columns', 'sort', 'live', 'saved', 'open'] as const
const TRACE_KEYS = ['call', 'view', 'tab', 'find', 'time', 'heat'] as const
const KEYS = [...LIST_KEYS, ...TRACE_KEYS]

/** Parameters to remove when the trace is closed. */
export const CLOSED_TRACE: Readonly<Record<keyof TraceSearch, undefined>> = {
  view: undefined,
  tab: undefined,
  find: undefined,
  time: undefined,
  heat: undefined,
}

/** Values of `view` that select how a trace is shown. SDK links use the same parameter for a saved view id. */
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
