import type { TraceStore } from './trace-store.ts'

const QUIET_MS = 10 * 60_000

/**
 * Whether nothing more is to be expected of a trace: no call runs, and nothing has changed for long. `toldMs` is when
 * the page last heard of a change, which counts as well: clocks of programs may be wrong.
 */
export function isSettled(store: TraceStore, toldMs: number, nowMs: number): boolean {
  if (store.size === 0 || nowMs - Math.max(store.endMs, toldMs) < QUIET_MS) return false
  for (const { call } of store.nodes()) if (call.endMs === undefined) return false
  return true
}
