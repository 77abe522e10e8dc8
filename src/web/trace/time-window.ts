/** A part of the time of a trace, and how it is moved, widened and zoomed. In milliseconds since 1970. */
export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

const SHORTEST_MS = 0.05

function lengthOf({ fromMs, toMs }: TimeWindow): number {
  return toMs - fromMs
}

/** As long as it is, but within the whole. */
function within(whole: TimeWindow, fromMs: number, ms: number): TimeWindow {
  const length = Math.min(ms, lengthOf(whole))
  const from = Math.max(whole.fromMs, Math.min(whole.toMs - length, fromMs))
  return { fromMs: from, toMs: from + length }
}

export function moved(window: TimeWindow, whole: TimeWindow, byMs: number): TimeWindow {
  return within(whole, window.fromMs + byMs, lengthOf(window))
}

/** Its end goes later, or earlier; never before its start. */
export function widened(window: TimeWindow, whole: TimeWindow, byMs: number): TimeWindow {
  const toMs = Math.max(window.fromMs + SHORTEST_MS, Math.min(whole.toMs, window.toMs + byMs))
  return { fromMs: Math.min(window.fromMs, toMs - SHORTEST_MS), toMs }
}

/** So many times as long, around a place of it from 0 to 1. undefined: all of it. */
export function zoomed(
  seen: TimeWindow,
  whole: TimeWindow,
  share: number,
  factor: number,
): TimeWindow | undefined {
  const next = Math.max(SHORTEST_MS, lengthOf(seen) * factor)
  if (next >= lengthOf(whole) * 0.999) return undefined
  return within(whole, seen.fromMs + share * (lengthOf(seen) - next), next)
}

/** Moved just so far that another is in it. */
export function showing(seen: TimeWindow, whole: TimeWindow, part: TimeWindow): TimeWindow {
  if (part.fromMs < seen.fromMs || lengthOf(part) > lengthOf(seen))
    return within(whole, part.fromMs, lengthOf(seen))
  return part.toMs > seen.toMs ? within(whole, part.toMs - lengthOf(seen), lengthOf(seen)) : seen
}

/** In an address: `120..340.5`, in milliseconds since the trace began. */
export function printWindow({ fromMs, toMs }: TimeWindow, startMs: number): string {
  return `${rounded(fromMs - startMs)}..${rounded(toMs - startMs)}`
}

export function parseWindow(text: string | undefined, startMs: number): TimeWindow | undefined {
  const parts = /^(-?\d{1,15}(?:\.\d+)?)\.\.(-?\d{1,15}(?:\.\d+)?)$/.exec(text ?? '')
  if (parts === null || !Number.isFinite(startMs)) return undefined
  const [from, to] = [Number(parts[1]), Number(parts[2])]
  return from < to ? { fromMs: startMs + from, toMs: startMs + to } : undefined
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
