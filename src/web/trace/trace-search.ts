/** How a trace is shown, in its address. */
export interface TraceSearch {
  /** `transcript`, or the tree. */
  view?: string
  /** Which side of a call: `raw`, `cost`, `feedback`, or what it took and gave. */
  tab?: string
  /** A text that is looked for in the trace. */
  find?: string
  /** The time that was chosen on the timeline; see time-window.ts. */
  time?: string
  /** What the colours of the timeline tell: `latency` or `cost`, or the kinds of calls. */
  heat?: string
}

/** Some of it anew; undefined for what is to go. */
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
