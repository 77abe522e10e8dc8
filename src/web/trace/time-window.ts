/** A time window of a trace, with functions to move, resize and zoom it. In milliseconds since the Unix epoch. */
export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

const MIN_WINDOW_MS = 0.05
/** The clock of most SDKs. The shortest trace spans this much, so that its bar fills the width. */
export const MIN_SPAN_MS = 0.001

function durationMs({ fromMs, toMs }: TimeWindow): number {
  return toMs - fromMs
}

/** A window of `ms` from `fromMs`, moved into the bounds. */
function clampedWindow(bounds: TimeWindow, fromMs: number, ms: number): TimeWindow {
  const length = Math.min(ms, durationMs(bounds))
  const from = Math.max(bounds.fromMs, Math.min(bounds.toMs - length, fromMs))
  return { fromMs: from, toMs: from + length }
}

export function moveWindow(window: TimeWindow, bounds: TimeWindow, byMs: number): TimeWindow {
  return clampedWindow(bounds, window.fromMs + byMs, durationMs(window))
}

/** Moves the end of the window; never before its start. */
export function resizeWindow(window: TimeWindow, bounds: TimeWindow, byMs: number): TimeWindow {
  const toMs = Math.max(window.fromMs + MIN_WINDOW_MS, Math.min(bounds.toMs, window.toMs + byMs))
  return { fromMs: Math.min(window.fromMs, toMs - MIN_WINDOW_MS), toMs }
}

/** Scales the window by `factor` around `anchor`, a position in it from 0 to 1. `undefined` means the full trace. */
export function zoomWindow(
  visible: TimeWindow,
  bounds: TimeWindow,
  anchor: number,
  factor: number,
): TimeWindow | undefined {
  const next = Math.max(MIN_WINDOW_MS, durationMs(visible) * factor)
  if (next >= durationMs(bounds) * 0.999) return undefined
  return clampedWindow(bounds, visible.fromMs + anchor * (durationMs(visible) - next), next)
}

/** Moves the window as little as needed to contain `part`. */
export function panToShow(visible: TimeWindow, bounds: TimeWindow, part: TimeWindow): TimeWindow {
  if (part.fromMs < visible.fromMs || durationMs(part) > durationMs(visible))
    return clampedWindow(bounds, part.fromMs, durationMs(visible))
  return part.toMs > visible.toMs
    ? clampedWindow(bounds, part.toMs - durationMs(visible), durationMs(visible))
    : visible
}

/** URL format: `120..340.5`, in milliseconds since the start of the trace. */
export function printWindow({ fromMs, toMs }: TimeWindow, startMs: number): string {
  return `${roundToMicroseconds(fromMs - startMs)}..${roundToMicroseconds(toMs - startMs)}`
}

export function parseWindow(text: string | undefined, startMs: number): TimeWindow | undefined {
  const parts = /^(-?\d{1,15}(?:\.\d+)?)\.\.(-?\d{1,15}(?:\.\d+)?)$/.exec(text ?? '')
  if (parts === null || !Number.isFinite(startMs)) return undefined
  const [from, to] = [Number(parts[1]), Number(parts[2])]
  return from < to ? { fromMs: startMs + from, toMs: startMs + to } : undefined
}

function roundToMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
