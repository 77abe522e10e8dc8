/** Bucket sizes of the charts. */
export const BUCKETS = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Bucket = (typeof BUCKETS)[number]

const WIDTHS_MS: Readonly<Record<Bucket, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
}

/** Maximum buckets per chart: more could neither be drawn nor would the server return them. */
const MAX_BUCKETS = 2000

export function isBucket(text: string | undefined): text is Bucket {
  return text !== undefined && (BUCKETS as readonly string[]).includes(text)
}

/** Returns the requested bucket size, or the next larger one that stays within MAX_BUCKETS. */
export function fittingBucket(requested: Bucket, spanMs: number): Bucket {
  const candidates = BUCKETS.slice(BUCKETS.indexOf(requested))
  return candidates.find((bucket) => spanMs / WIDTHS_MS[bucket] <= MAX_BUCKETS) ?? 'month'
}

export function bucketWidthMs(bucket: string): number {
  return isBucket(bucket) ? WIDTHS_MS[bucket] : WIDTHS_MS.day
}
