import { ApiError, unprocessable } from '../../contract/api-error.ts'
import { TIME_ERROR } from '../../contract/fields.ts'
import { type Micros, parseStorableTime } from '../time/time.ts'
import { MAX_BUCKETS, MAX_STATS_DAYS } from '../../contract/limits.ts'

/** Time buckets of statistics. */
export interface TimeBuckets {
  readonly start: Micros
  /** Exclusive. */
  readonly end: Micros
  readonly seconds: number
  readonly timezone: string
  /** Calendar buckets of varying length; `seconds` is ignored then. */
  readonly calendar?: 'week' | 'month' | 'none' | undefined
}

interface TimeRangeRequest {
  readonly start: string
  readonly end?: string | null | undefined
  readonly granularity?: number | null | undefined
  readonly timezone?: string | null | undefined
}

const HOUR = 3600
const DAY = 86_400

export function timeBuckets(request: TimeRangeRequest, now: Micros): TimeBuckets {
  const start = parseTimeField(request.start, 'start')
  const end = request.end === null || request.end === undefined ? now : parseTimeField(request.end, 'end')
  if (end < start) throw new ApiError('invalid_request', 'end must not be before start')
  const length = Number(end - start) / 1e6
  if (length > MAX_STATS_DAYS * DAY) {
    throw new ApiError(
      'invalid_request',
      `the time range is longer than ${MAX_STATS_DAYS} days; split it into several requests`,
    )
  }
  const seconds = request.granularity ?? defaultGranularity(length)
  const minSeconds = Math.floor(length / MAX_BUCKETS) + 1
  return {
    start,
    end,
    seconds: length / seconds > MAX_BUCKETS ? Math.max(seconds, minSeconds) : seconds,
    timezone: checkTimezone(request.timezone),
  }
}

type BucketUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'none'

interface CalendarRequest extends Omit<TimeRangeRequest, 'granularity'> {
  readonly bucket?: BucketUnit | null | undefined
}

const UNIT_SECONDS: Readonly<Record<BucketUnit, number>> = {
  minute: 60,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 28 * DAY,
  none: Number.POSITIVE_INFINITY,
}

/** Buckets of a named unit, for a time range of any length. */
export function calendarBuckets(
  request: CalendarRequest,
  now: Micros,
): { readonly buckets: TimeBuckets; readonly bucket: BucketUnit } {
  const start = parseTimeField(request.start, 'start')
  const end = request.end === null || request.end === undefined ? now : parseTimeField(request.end, 'end')
  if (end < start) throw new ApiError('invalid_request', 'end must not be before start')
  const length = Number(end - start) / 1e6
  const bucket = request.bucket ?? defaultUnit(length)
  const seconds = UNIT_SECONDS[bucket]
  if (length / seconds > MAX_BUCKETS) {
    const reason = `the time range has more than ${MAX_BUCKETS} buckets; use a larger bucket or a shorter range`
    throw new ApiError('invalid_request', reason)
  }
  const calendar = bucket === 'week' || bucket === 'month' || bucket === 'none' ? bucket : undefined
  return { bucket, buckets: { start, end, seconds, timezone: checkTimezone(request.timezone), calendar } }
}

function defaultUnit(length: number): BucketUnit {
  if (length <= 2 * HOUR) return 'minute'
  if (length <= 3 * DAY) return 'hour'
  return length <= 100 * DAY ? 'day' : 'month'
}

export function parseTimeField(text: string, field: string): Micros {
  const time = parseStorableTime(text)
  if (time === undefined) throw unprocessable([field], TIME_ERROR)
  return time
}

export function parseOptionalTime(text: string | null | undefined, field: string): Micros | undefined {
  return text === null || text === undefined ? undefined : parseTimeField(text, field)
}

function defaultGranularity(length: number): number {
  if (length <= 2 * HOUR) return 300
  if (length <= 12 * HOUR) return HOUR
  if (length <= 3 * DAY) return 6 * HOUR
  return length <= 14 * DAY ? 12 * HOUR : DAY
}

/** Accepts the time zones that Node knows. ClickHouse fails on unknown names. */
function checkTimezone(request: string | null | undefined): string {
  if (request === null || request === undefined || request === '') return 'UTC'
  try {
    if (/^[A-Za-z]/.test(request))
      return new Intl.DateTimeFormat('en', { timeZone: request }).resolvedOptions().timeZone
  } catch {
    // Unknown name: handled below.
  }
  throw unprocessable(['timezone'], 'must be an IANA time zone, such as Europe/Berlin')
}
