import { readSearch, type Search, type SearchChange } from '../search-state.ts'

/** Parameters to remove when the trace is closed. */
export const CLOSED_TRACE: SearchChange<'trace'> = {
  view: undefined,
  tab: undefined,
  find: undefined,
  time: undefined,
  heat: undefined,
}

/** Values of `view` that select how a trace is shown. SDK links use the same parameter for a saved view id. */
const TRACE_VIEWS = new Set(['tree', 'transcript'])

export function readListSearch(search: Readonly<Record<string, unknown>>): Search<'traces'> {
  const { view, ...read } = readSearch.traces(search)
  if (view === undefined) return read
  return TRACE_VIEWS.has(view) ? { ...read, view } : { ...read, open: view }
}
