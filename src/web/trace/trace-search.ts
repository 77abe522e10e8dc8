/** The URL search parameters of a trace. */
export interface TraceSearch {
  /** `transcript`; the tree if absent. */
  view?: string
  /** Tab of the call detail: `raw`, `cost`, `feedback`; the overview if absent. */
  tab?: string
  /** Text to find in the trace. */
  find?: string
  /** Time window selected on the timeline; see time-window.ts. */
  time?: string
  /** Metric of the timeline colors: `latency` or `cost`; the call kind if absent. */
  heat?: string
}

/** Partial update; `undefined` removes a parameter. */
export type TraceSearchChange = { readonly [Key in keyof TraceSearch]?: string | undefined }

const KEYS = ['view', 'tab', 'find', 'time', 'heat'] as const

export function readTraceSearch(search: Readonly<Record<string, unknown>>): TraceSearch {
  const read: TraceSearch = {}
  for (const key of KEYS) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}
