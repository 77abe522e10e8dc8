import type { Logger } from 'pino'
import type { ServerError } from '../clickhouse/server-log.ts'
import { TokenBucket } from '../core/concurrency/token-bucket.ts'

/** On average 6 lines per minute, at most 30 at once: a failing disk makes ClickHouse log without end. */
const LINES_PER_SECOND = 0.1
const BURST_SECONDS = 300

/** Forwards errors of embedded ClickHouse to the log of Heddle, at a limited rate. */
export function logServerErrors(
  log: Logger,
  nowMs: () => number = () => performance.now(),
): (error: ServerError) => void {
  const bucket = new TokenBucket(LINES_PER_SECOND, BURST_SECONDS, nowMs())
  let omitted = 0
  return ({ level, source, message }) => {
    if (bucket.waitMs(1, nowMs()) > 0) {
      omitted++
      return
    }
    bucket.take(1, nowMs())
    log.error(
      {
        clickhouse_level: level,
        clickhouse_source: source,
        ...(omitted === 0 ? {} : { omitted_errors: omitted }),
      },
      `ClickHouse: ${message}`,
    )
    omitted = 0
  }
}
