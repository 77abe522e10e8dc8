import type { Aggregation } from '../../contract/metrics/project-stats.ts'
import type { TimeBuckets } from '../../core/metrics/time-buckets.ts'
import type { Database } from '../database/database.ts'
import { identifier, join, moment, numeral, type Sql, sql } from '../query/sql.ts'

/** Series over time: which bucket a row is in, and how the values of a bucket are put together. */

const AGGREGATES: Readonly<Record<Aggregation, (value: Sql) => Sql>> = {
  sum: (value) => sql`sumOrNull(${value})`,
  avg: (value) => sql`avgOrNull(${value})`,
  min: (value) => sql`minOrNull(${value})`,
  max: (value) => sql`maxOrNull(${value})`,
  count: (value) => sql`toFloat64(count(${value}))`,
  count_true: (value) => sql`toFloat64(countIf(${value} = 1))`,
  count_false: (value) => sql`toFloat64(countIf(${value} = 0))`,
}

/** One number for each bucket; `name` is the key under which it is answered, `column` its name in SQL. */
export interface Measure {
  readonly name: string
  readonly aggregate: string
  readonly column: Sql
  readonly sql: Sql
  /** Where a bucket without values has 0 and not null. */
  readonly isZero: boolean
}

export interface Wanted {
  readonly aggregations: readonly Aggregation[]
  readonly percentiles: readonly number[]
}

/** What is asked of one metric. `value` is a number or NULL; `first` numbers the columns of several metrics. */
export function measuresOf(metric: string, value: Sql, wanted: Wanted, first: number): Measure[] {
  const measures: Omit<Measure, 'column'>[] = []
  for (const aggregation of new Set(wanted.aggregations)) {
    measures.push({
      name: `${aggregation}_${metric}`,
      aggregate: aggregation,
      sql: AGGREGATES[aggregation](value),
      isZero: aggregation !== 'min' && aggregation !== 'max',
    })
  }
  for (const percentile of new Set(wanted.percentiles)) {
    measures.push({
      name: `p${percentile}_${metric}`,
      aggregate: `p${percentile}`,
      sql: sql`quantileExactInclusiveOrNull(${numeral(percentile / 100)})(${value})`,
      isZero: false,
    })
  }
  return measures.map((measure, i) => ({ ...measure, column: identifier(`m${first + i}`) }))
}

/**
 * The bucket that a time is in, as unix seconds. Buckets begin by the clock of the time zone: where it was moved
 * between the beginning and the time, the beginning is moved back.
 */
export function bucketOf(
  time: Sql,
  { seconds, timezone, calendar }: Pick<TimeBuckets, 'seconds' | 'timezone' | 'calendar'>,
): Sql {
  if (calendar === 'none') return sql`toInt64(0)`
  const unix = sql`intDiv(toUnixTimestamp64Micro(${time}), 1000000)`
  if (calendar !== undefined) {
    const local = sql`toDateTime64(${unix}, 0, ${timezone})`
    // Weeks begin on Mondays.
    const first = calendar === 'week' ? sql`toStartOfWeek(${local}, 1)` : sql`toStartOfMonth(${local})`
    return sql`toInt64(toUnixTimestamp(toDateTime(${first}, ${timezone})))`
  }
  if (timezone === 'UTC') return sql`(${unix} - positiveModulo(${unix}, ${seconds}))`
  const offset = (at: Sql): Sql => sql`timezoneOffset(toDateTime64(${at}, 0, ${timezone}))`
  const begin = sql`t - positiveModulo(t + ${offset(sql`t`)}, ${seconds})`
  return sql`arrayMap(t -> arrayMap(b -> b + ${offset(sql`t`)} - ${offset(sql`b`)}, [${begin}])[1], [${unix}])[1]`
}

/** A stretch of time, the end not included. */
export type Stretch = Pick<TimeBuckets, 'start' | 'end'>

export function isWithin(time: Sql, { start, end }: Stretch): Sql {
  return sql`${time} >= ${moment(start)} AND ${time} < ${moment(end)}`
}

/** When each bucket of the time begins, in unix seconds, with or without rows. */
export async function listBuckets(db: Database, buckets: TimeBuckets): Promise<number[]> {
  if (buckets.calendar === 'none') return [0]
  if (buckets.calendar === undefined && buckets.timezone === 'UTC') return plainBuckets(buckets)
  const rows = await db.rows<{ bucket: string }>(selectBuckets(buckets), {
    name: 'time buckets',
    kind: 'point',
  })
  return rows.map((row) => Number(row.bucket)).filter((bucket) => BigInt(bucket) * 1_000_000n < buckets.end)
}

/** Where no clock is ever moved, the engine need not be asked. */
function plainBuckets({ start, end, seconds }: TimeBuckets): number[] {
  const size = BigInt(seconds) * 1_000_000n
  const into = ((start % size) + size) % size
  const times: number[] = []
  for (let time = start - into; time < end; time += size) times.push(Number(time / 1_000_000n))
  return times
}

/** By a moment in the middle of each: days of 23 or 25 hours end elsewhere, but have the same middle. */
export function selectBuckets(buckets: TimeBuckets): Sql {
  if (buckets.calendar === 'month') return selectMonths(buckets)
  const { seconds } = buckets
  const count = Number(buckets.end - buckets.start) / 1e6 / seconds
  const middle = sql`toDateTime64(${bucketOf(moment(buckets.start), buckets)} + number * ${seconds} + ${Math.floor(seconds / 2)}, 6, 'UTC')`
  return sql`SELECT DISTINCT ${bucketOf(middle, buckets)} AS bucket FROM numbers(${Math.ceil(count) + 1}) ORDER BY bucket`
}

/** Every month has one of these days. */
const FORTNIGHT_SECONDS = 14 * 86_400

function selectMonths(buckets: TimeBuckets): Sql {
  const count = Math.ceil(Number(buckets.end - buckets.start) / 1e6 / FORTNIGHT_SECONDS)
  const day = sql`toDateTime64(${bucketOf(moment(buckets.start), buckets)} + number * ${FORTNIGHT_SECONDS}, 6, 'UTC')`
  // The first month may have begun 31 days before the start.
  return sql`SELECT DISTINCT ${bucketOf(day, buckets)} AS bucket FROM numbers(${count + 4}) ORDER BY bucket`
}

/** The measures as columns of a SELECT. */
export function measureColumns(measures: readonly Measure[]): Sql {
  return join(
    measures.map((measure) => sql`, toFloat64(${measure.sql}) AS ${measure.column}`),
    '',
  )
}

/** What the engine says of a bucket: its measures as m0, m1, … */
export interface StatsRow {
  readonly bucket: string
  readonly count: string
  readonly [measure: `m${number}`]: number | null
}

/** A bucket as it is answered. `row` is what the engine said of it; undefined for a bucket without rows. */
export function bucketView(
  bucket: number,
  row: StatsRow | undefined,
  measures: readonly Measure[],
): Record<string, unknown> {
  const timestamp = timestampOf(bucket)
  const values = measures.map(({ name, isZero }, i) => [name, row?.[`m${i}`] ?? (isZero ? 0 : null)])
  return { timestamp, ...Object.fromEntries(values), count: Number(row?.count ?? 0) }
}

export function timestampOf(bucket: number): string {
  return new Date(bucket * 1000).toISOString().replace('.000Z', '+00:00')
}
