import { systemClock } from '../../src/core/time/time.ts'
import type { Period } from '../../src/store/calls/write/unreconciled.ts'

/** What a sweep repairs in a test: longer than any test takes, also on a busy machine. ClickHouse runs on the same one. */
export function recentPeriod(): Period {
  const now = systemClock()
  return { from: now - 3_600_000_000n, to: now }
}
