import type { TraceStore } from './trace-store.ts'

const IDLE_AFTER_MS = 10 * 60_000

/**
 * Whether a trace is idle: no call is running and nothing has changed for a while. `lastEventMs` is when the page
 * received the last event. It counts as a change too, because the clocks of clients may be wrong.
 */
export function isIdle(store: TraceStore, lastEventMs: number, nowMs: number): boolean {
  if (store.size === 0 || nowMs - Math.max(store.endMs, lastEventMs) < IDLE_AFTER_MS) return false
  for (const { call } of store.nodes()) if (call.endMs === undefined) return false
  return true
}
