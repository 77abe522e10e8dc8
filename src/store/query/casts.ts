import { type Sql, sql } from './sql.ts'
import type { ColumnType } from './field.ts'

/**
 * Casts between the types of the query language. A value that cannot be cast is NULL. Each cast uses its argument once,
 * because a chain of `$convert` may nest them 50 levels deep.
 */
type Casts = Readonly<Record<ColumnType | 'null', (value: Sql) => Sql>>

const NULL = sql`NULL`
const same = (value: Sql): Sql => value
const never = (): Sql => NULL

export const toText: Casts = {
  text: same,
  int: (value) => sql`toString(${value})`,
  float: (value) => sql`toString(${value})`,
  bool: (value) => sql`toString(CAST(${value} != 0 AS Nullable(Bool)))`,
  time: (value) => sql`concat(replaceOne(toString(${value}), ' ', 'T'), 'Z')`,
  array: (value) => sql`nullIf(toJSONString(${value}), '[]')`,
  null: same,
}

export const toInt: Casts = {
  text: (value) => sql`toInt64OrNull(${value})`,
  int: (value) => sql`accurateCastOrNull(${value}, 'Int64')`,
  float: (value) => sql`accurateCastOrNull(trunc(${value}), 'Int64')`,
  bool: same,
  time: (value) => sql`toUnixTimestamp64Second(${value})`,
  array: never,
  null: same,
}

export const toFloat: Casts = {
  text: (value) => sql`toFloat64OrNull(${value})`,
  int: (value) => sql`toFloat64(${value})`,
  float: same,
  bool: (value) => sql`toFloat64(${value})`,
  time: (value) => sql`(toUnixTimestamp64Micro(${value}) / 1000000)`,
  array: never,
  null: same,
}

/** `true`, `false`, or a number from 0 to 255. */
export const toBool: Casts = {
  text: (value) => sql`toUInt8OrNull(transform(ifNull(${value}, ''), ['true', 'false'], ['1', '0']))`,
  int: (value) => sql`(${value} != 0)`,
  float: (value) => sql`(${value} != 0)`,
  bool: same,
  time: never,
  array: never,
  null: same,
}

/** Numbers are unix seconds. */
export const toTime: Casts = {
  text: (value) => sql`parseDateTime64BestEffortOrNull(${value}, 6, 'UTC')`,
  int: (value) => sql`fromUnixTimestamp64Micro(accurateCastOrNull(${value} * 1000000, 'Int64'), 'UTC')`,
  float: (value) =>
    sql`fromUnixTimestamp64Micro(accurateCastOrNull(round(${value} * 1000000), 'Int64'), 'UTC')`,
  bool: never,
  time: same,
  array: never,
  null: same,
}

/**
 * The truth of an operand that is used as a condition. False are `false`, 0 and '' (also for a missing value) and their
 * text forms; everything else is true.
 */
export const FALSE_WORDS = ['', 'false', '0', '-0'] as const

export const toTruth: Casts = {
  text: (value) => sql`(${value} NOT IN ('', 'false', '0', '-0'))`,
  int: (value) => sql`(${value} != 0)`,
  float: (value) => sql`(${value} != 0)`,
  bool: (value) => sql`(${value} != 0)`,
  time: (value) => sql`isNotNull(${value})`,
  array: (value) => sql`notEmpty(${value})`,
  null: same,
}
