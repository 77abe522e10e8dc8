/** How wide the buckets of a chart can be, and what they are called. */
export const BUCKETS = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Bucket = (typeof BUCKETS)[number]

const WIDTHS_MS: Readonly<Record<Bucket, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
}

/** More could neither be seen nor answered. */
const MOST_BUCKETS = 2000

export function isBucket(text: string | undefined): text is Bucket {
  return text !== undefined && (BUCKETS as readonly string[]).includes(text)
}

/** The bucket that was asked for, or a wider one where there would be too many. */
export function fittingBucket(asked: Bucket, spanMs: number): Bucket {
  const fitting = BUCKETS.slice(BUCKETS.indexOf(asked))
  return fitting.find((bucket) => spanMs / WIDTHS_MS[bucket] <= MOST_BUCKETS) ?? 'month'
}

export function bucketWidthMs(bucket: string): number {
  return isBucket(bucket) ? WIDTHS_MS[bucket] : WIDTHS_MS.day
}
