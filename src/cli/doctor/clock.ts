import { readClock } from '../../store/calls/write/clock-sync.ts'
import type { Database } from '../../store/database/database.ts'
import { type Finding, ok, problem, warning } from './check.ts'

/** Differences of clocks. */

const SKEW_WARNING_MS = 1_000
const SKEW_PROBLEM_MS = 5_000

/** How far a clock is ahead of that of this machine. It was read at some moment between a request and its response. */
export interface ClockDifference {
  readonly minMs: number
  readonly maxMs: number
}

/** Undefined if ClickHouse sends no time. */
export async function readClockDifference(clickhouse: Database): Promise<ClockDifference | undefined> {
  const beforeMs = Date.now()
  const time = await readClock(clickhouse)
  const afterMs = Date.now()
  if (time === undefined) return undefined
  const clockMs = Number(time / 1_000n)
  return { minMs: clockMs - afterMs, maxMs: clockMs - beforeMs }
}

/** The smallest possible difference between the clocks. */
export function skewBetween(...clocks: readonly ClockDifference[]): number {
  return Math.max(
    0,
    Math.max(...clocks.map(({ minMs }) => minMs)) - Math.min(...clocks.map(({ maxMs }) => maxMs)),
  )
}

export function clockFinding(skewMs: number, agreement: string, difference: string): Finding {
  if (skewMs < SKEW_WARNING_MS) return ok(agreement)
  const remedy = 'synchronize both machines by NTP (chrony, systemd-timesyncd)'
  return skewMs >= SKEW_PROBLEM_MS ? problem(difference, remedy) : warning(difference, remedy)
}
