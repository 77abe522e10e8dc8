import { ApiError, unprocessable } from '../../contract/api-error.ts'
import { type Micros, parseTime } from '../time/time.ts'

/** How a stretch of time is cut into buckets for statistics. */
export interface TimeBuckets {
  readonly start: Micros
  /** Not included. */
  readonly end: Micros
  readonly seconds: number
  readonly timezone: string
  /** Buckets of the calendar, which have no length in seconds; `seconds` is then of no concern. */
  readonly calendar?: 'week' | 'month' | 'none' | undefined
}

interface AskedTime {
  readonly start: string
  readonly end?: string | null | undefined
  readonly granularity?: number | null | undefined
  readonly timezone?: string | null | undefined
}

const MAX_DAYS = 31
const MAX_BUCKETS = 10_000
const HOUR = 3600
const DAY = 86_400

export function timeBuckets(asked: AskedTime, now: Micros): TimeBuckets {
  const start = readTime(asked.start, 'start')
  const end = asked.end === null || asked.end === undefined ? now : readTime(asked.end, 'end')
  if (end < start) throw new ApiError('invalid_request', 'end must not be before start')
  const length = Number(end - start) / 1e6
  if (length > MAX_DAYS * DAY) {
    throw new ApiError(
      'invalid_request',
      `from start to end are at most ${MAX_DAYS} days; ask in several requests`,
    )
  }
  const seconds = asked.granularity ?? usualSeconds(length)
  const fewest = Math.floor(length / MAX_BUCKETS) + 1
  return {
    start,
    end,
    seconds: length / seconds > MAX_BUCKETS ? Math.max(seconds, fewest) : seconds,
    timezone: checkTimezone(asked.timezone),
  }
}

type BucketWord = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'none'

interface AskedBuckets extends Omit<AskedTime, 'granularity'> {
  readonly bucket?: BucketWord | null | undefined
}

const WORD_SECONDS: Readonly<Record<BucketWord, number>> = {
  minute: 60,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 28 * DAY,
  none: Number.POSITIVE_INFINITY,
}

/** The same by words, and for a time of any length. */
export function wordBuckets(
  asked: AskedBuckets,
  now: Micros,
): { readonly buckets: TimeBuckets; readonly bucket: BucketWord } {
  const start = readTime(asked.start, 'start')
  const end = asked.end === null || asked.end === undefined ? now : readTime(asked.end, 'end')
  if (end < start) throw new ApiError('invalid_request', 'end must not be before start')
  const length = Number(end - start) / 1e6
  const bucket = asked.bucket ?? usualWord(length)
  const seconds = WORD_SECONDS[bucket]
  if (length / seconds > MAX_BUCKETS) {
    const reason = `from start to end are more than ${MAX_BUCKETS} buckets; ask for a larger bucket, or for less time`
    throw new ApiError('invalid_request', reason)
  }
  const calendar = bucket === 'week' || bucket === 'month' || bucket === 'none' ? bucket : undefined
  return { bucket, buckets: { start, end, seconds, timezone: checkTimezone(asked.timezone), calendar } }
}

function usualWord(length: number): BucketWord {
  if (length <= 2 * HOUR) return 'minute'
  if (length <= 3 * DAY) return 'hour'
  return length <= 100 * DAY ? 'day' : 'month'
}

export function readTime(text: string, field: string): Micros {
  const time = parseTime(text)
  if (time === undefined) throw unprocessable([field], 'must be an ISO 8601 time')
  return time
}

export function timeOrNone(text: string | null | undefined, field: string): Micros | undefined {
  return text === null || text === undefined ? undefined : readTime(text, field)
}

function usualSeconds(length: number): number {
  if (length <= 2 * HOUR) return 300
  if (length <= 12 * HOUR) return HOUR
  if (length <= 3 * DAY) return 6 * HOUR
  return length <= 14 * DAY ? 12 * HOUR : DAY
}

/** By the names that this machine's own list has; the engine would fail on others. */
function checkTimezone(asked: string | null | undefined): string {
  if (asked === null || asked === undefined || asked === '') return 'UTC'
  try {
    if (/^[A-Za-z]/.test(asked))
      return new Intl.DateTimeFormat('en', { timeZone: asked }).resolvedOptions().timeZone
  } catch {
    // Not a name of the list: answered below.
  }
  throw unprocessable(['timezone'], 'must be the name of a time zone, such as Europe/Berlin')
}
