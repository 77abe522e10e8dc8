import type { TimeBuckets } from '../../core/metrics/time-buckets.ts'
import { formatTime } from '../../core/time/time.ts'

/** The time range of a statistics response, as computed from the request. */
export function viewTimeRange({ start, end, seconds, timezone }: TimeBuckets) {
  return { start: formatTime(start), end: formatTime(end), granularity: seconds, timezone }
}
