import type { Aggregation } from '../../contract/metrics/project-stats.ts'
import type { TimeBuckets } from '../../core/metrics/time-buckets.ts'
import type { Database } from '../database/database.ts'
import { identifier, join, moment, numeral, type Sql, sql } from '../query/sql.ts'

/** Time series: the bucket of a row, and the aggregation of values within a bucket. */

const AGGREGATES: Readonly<Record<Aggregation, (value: Sql) => Sql>> = {
  sum: (value) => sql`sumOrNull(${value})`,
  avg: (value) => sql`avgOrNull(${value})`,
  min: (value) => sql`minOrNull(${value})`,
  max: (value) => sql`maxOrNull(${value})`,
  count: (value) => sql`toFloat64(count(${value}))`,
  count_true: (value) => sql`toFloat64(countIf(${value} = 1))`,
  count_false: (value) => sql`toFloat64(countIf(${value} = 0))`,
}

/** One number per bucket; `name` is its key in responses, `column` its name in SQL. */
export interface Measure {
  readonly name: string
  readonly aggregate: string
  readonly column: Sql
  readonly sql: Sql
  /** Whether a bucket without values has 0 instead of null. */
  readonly defaultsToZero: boolean
}

export interface RequestedAggregates {
  readonly aggregations: readonly Aggregation[]
  readonly percentiles: readonly number[]
}

/** The measures of one metric. `value` is a number or NULL; `first` is the number of the first column. */
export function buildMeasures(
  metric: string,
  value: Sql,
  wanted: RequestedAggregates,
  first: number,
): Measure[] {
  const measures: Omit<Measure, 'column'>[] = []
  for (const aggregation of new Set(wanted.aggregations)) {
    measures.push({
      name: `${aggregation}_${metric}`,
      aggregate: aggregation,
      sql: AGGREGATES[aggregation](value),
      defaultsToZero: aggregation !== 'min' && aggregation !== 'max',
    })
  }
  for (const percentile of new Set(wanted.percentiles)) {
    measures.push({
      name: `p${percentile}_${metric}`,
      aggregate: `p${percentile}`,
      sql: sql`quantileExactInclusiveOrNull(${numeral(percentile / 100)})(${value})`,
      defaultsToZero: false,
    })
  }
  return measures.map((measure, i) => ({ ...measure, column: identifier(`m${first + i}`) }))
}

/**
 * The start of the bucket that contains a time, in unix seconds. Buckets follow the local time of the time zone: if its
 * offset changed between the start of the bucket and the time, the start is corrected by the difference.
 */
export function timeBucket(
  time: Sql,
  { seconds, timezone, calendar }: Pick<TimeBuckets, 'seconds' | 'timezone' | 'calendar'>,
): Sql {
  if (calendar === 'none') return sql`toInt64(0)`
  const unix = sql`intDiv(toUnixTimestamp64Micro(${time}), 1000000)`
  if (calendar !== undefined) {
    const local = sql`toDateTime64(${unix}, 0, ${timezone})`
    // Weeks start on Monday.
    const first = calendar === 'week' ? sql`toStartOfWeek(${local}, 1)` : sql`toStartOfMonth(${local})`
    return sql`toInt64(toUnixTimestamp(toDateTime(${first}, ${timezone})))`
  }
  if (timezone === 'UTC') return sql`(${unix} - positiveModulo(${unix}, ${seconds}))`
  const offset = (at: Sql): Sql => sql`timezoneOffset(toDateTime64(${at}, 0, ${timezone}))`
  const begin = sql`t - positiveModulo(t + ${offset(sql`t`)}, ${seconds})`
  return sql`arrayMap(t -> arrayMap(b -> b + ${offset(sql`t`)} - ${offset(sql`b`)}, [${begin}])[1], [${unix}])[1]`
}

/** A time range, without its end. */
export type TimeRange = Pick<TimeBuckets, 'start' | 'end'>

export function inTimeRange(time: Sql, { start, end }: TimeRange): Sql {
  return sql`${time} >= ${moment(start)} AND ${time} < ${moment(end)}`
}

/** The start of each bucket in the time range, in unix seconds, with or without rows. */
export async function listBuckets(db: Database, buckets: TimeBuckets): Promise<number[]> {
  if (buckets.calendar === 'none') return [0]
  if (buckets.calendar === undefined && buckets.timezone === 'UTC') return utcBuckets(buckets)
  const rows = await db.rows<{ bucket: string }>(selectBuckets(buckets), {
    name: 'time buckets',
    kind: 'point',
  })
  return rows.map((row) => Number(row.bucket)).filter((bucket) => BigInt(bucket) * 1_000_000n < buckets.end)
}

/** UTC has no offset changes, so no query is needed. */
function utcBuckets({ start, end, seconds }: TimeBuckets): number[] {
  const size = BigInt(seconds) * 1_000_000n
  const into = ((start % size) + size) % size
  const times: number[] = []
  for (let time = start - into; time < end; time += size) times.push(Number(time / 1_000_000n))
  return times
}

/** Finds buckets by a time in the middle of each, because days of 23 or 25 hours shift the ends but not the middle. */
export function selectBuckets(buckets: TimeBuckets): Sql {
  if (buckets.calendar === 'month') return selectMonths(buckets)
  const { seconds } = buckets
  const count = Number(buckets.end - buckets.start) / 1e6 / seconds
  const middle = sql`toDateTime64(${timeBucket(moment(buckets.start), buckets)} + number * ${seconds} + ${Math.floor(seconds / 2)}, 6, 'UTC')`
  return sql`SELECT DISTINCT ${timeBucket(middle, buckets)} AS bucket FROM numbers(${Math.ceil(count) + 1}) ORDER BY bucket`
}

/** Every month contains a multiple of this. */
const FORTNIGHT_SECONDS = 14 * 86_400

function selectMonths(buckets: TimeBuckets): Sql {
  const count = Math.ceil(Number(buckets.end - buckets.start) / 1e6 / FORTNIGHT_SECONDS)
  const day = sql`toDateTime64(${timeBucket(moment(buckets.start), buckets)} + number * ${FORTNIGHT_SECONDS}, 6, 'UTC')`
  // The first month may start 31 days before the range.
  return sql`SELECT DISTINCT ${timeBucket(day, buckets)} AS bucket FROM numbers(${count + 4}) ORDER BY bucket`
}

/** The measures as columns of a SELECT. */
export function measureColumns(measures: readonly Measure[]): Sql {
  return join(
    measures.map((measure) => sql`, toFloat64(${measure.sql}) AS ${measure.column}`),
    '',
  )
}

/** A bucket as ClickHouse returns it, with its measures as m0, m1, … */
export interface StatsRow {
  readonly bucket: string
  readonly count: string
  readonly [measure: `m${number}`]: number | null
}

/** A bucket in a response. `row` is undefined for a bucket without rows. */
export function bucketView(
  bucket: number,
  row: StatsRow | undefined,
  measures: readonly Measure[],
): Record<string, unknown> {
  const timestamp = bucketTimestamp(bucket)
  const values = measures.map(({ name, defaultsToZero }, i) => [
    name,
    row?.[`m${i}`] ?? (defaultsToZero ? 0 : null),
  ])
  return { timestamp, ...Object.fromEntries(values), count: Number(row?.count ?? 0) }
}

export function bucketTimestamp(bucket: number): string {
  return new Date(bucket * 1000).toISOString().replace('.000Z', '+00:00')
}
