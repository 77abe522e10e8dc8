import type { CallMetric, UsageMetric } from '../../contract/calls/call-stats.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { from } from '../query/scope.ts'
import {
  bucketOf,
  isWithin,
  type Measure,
  measureColumns,
  measuresOf,
  type StatsRow,
  type Stretch,
} from '../metrics/project-stats.ts'
import { and, bound, join, type Sql, sql } from '../query/sql.ts'
import { LATENCY_MS } from './fields.ts'
import type { GroupKey } from './group-keys.ts'
import type { KeptSums } from './cached-aggregates.ts'
import { callConditions } from './selection.ts'
import {
  keyNames,
  type Reading,
  readSurely,
  type StatsSelection,
  type UsageColumn,
  usages,
} from './usage-query.ts'

/** Calls counted and measured over time. FINAL, inside `from`, counts each once whatever was sent again. */

const STARTED = sql`started_at`

/** Of calls that ended before they started, by clocks that disagree, nobody knows it. */
export const MEASURED_LATENCY = sql`if(ended_at >= started_at, ${LATENCY_MS}, NULL)`

const CALL_VALUES: Readonly<Record<CallMetric['metric'], Sql>> = {
  latency_ms: MEASURED_LATENCY,
  call_count: sql`1`,
  error_count: sql`isNotNull(exception)`,
}

type TokenMetric = Exclude<UsageMetric['metric'], 'input_cost' | 'output_cost' | 'total_cost'>

const TOKEN_VALUES: Readonly<Record<TokenMetric, Sql>> = {
  input_tokens: sql`prompt`,
  output_tokens: sql`completion`,
  total_tokens: sql`total`,
  cache_read_input_tokens: sql`cache_read`,
  cache_creation_input_tokens: sql`cache_creation`,
}

interface AskedMetric<Name extends string> {
  readonly metric: Name
  readonly aggregations?: CallMetric['aggregations']
  readonly percentiles?: CallMetric['percentiles']
}

export function callMeasures(metrics: readonly AskedMetric<CallMetric['metric']>[]): Measure[] {
  return all(metrics, CALL_VALUES)
}

export function tokenMeasures(metrics: readonly AskedMetric<TokenMetric>[]): Measure[] {
  return all(metrics, TOKEN_VALUES)
}

export function isTokenMetric(metric: UsageMetric['metric']): metric is TokenMetric {
  return metric in TOKEN_VALUES
}

function all<Name extends string>(
  metrics: readonly AskedMetric<Name>[],
  values: Readonly<Record<Name, Sql>>,
): Measure[] {
  const measures: Measure[] = []
  for (const { metric, aggregations, percentiles } of metrics) {
    const isNothing = !aggregations?.length && !percentiles?.length
    const wanted = {
      aggregations: isNothing ? (['sum'] as const) : (aggregations ?? (['sum'] as const)),
      percentiles: percentiles ?? [],
    }
    measures.push(...measuresOf(metric, values[metric], wanted, measures.length))
  }
  return measures
}

export async function listCallStats(
  db: Database,
  selection: StatsSelection,
  measures: readonly Measure[],
): Promise<StatsRow[]> {
  return db.rows<StatsRow>(selectCallStats(selection, measures), { name: 'call stats', kind: 'scan' })
}

export function selectCallStats(selection: StatsSelection, measures: readonly Measure[]): Sql {
  const conditions = callConditions(selection.project_id, selection.filter, undefined)
  return sql`SELECT ${bucketOf(STARTED, selection.buckets)} AS bucket, count() AS count${measureColumns(measures)}
${from(selection.project_id, 'calls')} AND ${and([isWithin(STARTED, selection.buckets), ...conditions])}
GROUP BY bucket ORDER BY bucket`
}

export type UsageRow = StatsRow & { readonly model: string; readonly unsure: string }

export async function listUsageStats(
  db: Database,
  selection: StatsSelection,
  measures: readonly Measure[],
): Promise<UsageRow[]> {
  return readSurely((reading) =>
    db.rows<UsageRow>(selectUsageStats(selection, measures, reading), { name: 'usage stats', kind: 'scan' }),
  )
}

const MEASURED: readonly UsageColumn[] = ['prompt', 'completion', 'total', 'cache_read', 'cache_creation']

export function selectUsageStats(
  selection: StatsSelection,
  measures: readonly Measure[],
  reading: Reading,
): Sql {
  return sql`SELECT ${bucketOf(STARTED, selection.buckets)} AS bucket, model, count() AS count${measureColumns(measures)},
  countIf(is_unsure) AS unsure
FROM (${usages(selection, MEASURED, [], reading)}) GROUP BY bucket, model ORDER BY bucket, model`
}

/** Tokens of a model within a bucket, apart for each stretch of time in which its price is the same. */
export interface PricedRow {
  readonly bucket: string
  readonly model: string
  /** A moment within the stretch. */
  readonly moment: string
  readonly prompt_sum: string
  /** Where no total was told, that is input and output. */
  readonly total_sum: string
  readonly told_total_sum: string
  readonly plain_prompt_sum: string
  readonly completion_sum: string
  readonly cache_read_sum: string
  readonly cache_creation_sum: string
  readonly count: string
  readonly unsure: string
  readonly [key: `k${number}`]: string | null
}

interface ReportedRow extends PricedRow {
  readonly is_reported: number
  readonly reported_sum: string | null
}

interface PricedSelection extends StatsSelection {
  /** The times at which any price begins, within the time selected. */
  readonly changes: readonly Micros[]
  readonly keys?: readonly GroupKey[]
  /** A condition on the keys k0, k1, … and `model`. */
  readonly having?: Sql | undefined
  /** Whether the keys serve the condition only, and all that fulfil it are added up together. */
  readonly isTogether?: boolean
  readonly limit?: number | undefined
}

/** Rows in no order; a bucket and model may have several of one stretch. */
export async function listPricedUsage(
  db: Database,
  selection: PricedSelection,
  kept?: { readonly sums: KeptSums; readonly times: readonly number[] },
): Promise<PricedRow[]> {
  const read = (stretches?: readonly Stretch[]): Promise<PricedRow[]> =>
    readSurely((reading) =>
      db.rows<PricedRow>(selectPricedUsage({ ...selection, stretches }, reading), {
        name: 'usage to price',
        kind: 'scan',
      }),
    )
  const { project_id, buckets, limit } = selection
  // A query may ask for more than calls, such as feedback; and what is among the largest changes with all of them.
  if (kept === undefined || selection.query !== undefined || selection.having !== undefined) return read()
  return kept.sums.list({
    project_id,
    buckets,
    limit,
    times: kept.times,
    statement: (stretches) => selectPricedUsage({ ...selection, stretches }, 'narrow'),
    read,
  })
}

const PRICED: readonly UsageColumn[] = [
  'prompt',
  'completion',
  'total',
  'cache_read',
  'cache_creation',
  'plain_prompt',
]

export function selectPricedUsage(selection: PricedSelection, reading: Reading): Sql {
  return selectSums(selection, PRICED, undefined, reading)
}

const SUMS: Readonly<Record<`sum_${TokenMetric}`, keyof PricedRow & `${string}_sum`>> = {
  sum_input_tokens: 'prompt_sum',
  sum_output_tokens: 'completion_sum',
  sum_total_tokens: 'told_total_sum',
  sum_cache_read_input_tokens: 'cache_read_sum',
  sum_cache_creation_input_tokens: 'cache_creation_sum',
}

/** What `listUsageStats` would say, if nothing but sums is asked: those are here already. */
export function usageInSums(
  rows: readonly PricedRow[],
  measures: readonly Measure[],
): UsageRow[] | undefined {
  const columns = measures.map(({ name }) => SUMS[name as keyof typeof SUMS])
  if (columns.includes(undefined as never)) return undefined
  const found = new Map<string, UsageRow>()
  for (const row of rows) {
    const key = `${row.bucket} ${row.model}`
    const known = found.get(key)
    const values = columns.map((column, i) => [`m${i}`, Number(row[column]) + (known?.[`m${i}`] ?? 0)])
    const count = String(Number(row.count) + Number(known?.count ?? 0))
    found.set(key, { ...row, count, ...Object.fromEntries(values) } as UsageRow)
  }
  return [...found.values()]
}

export async function listReportedUsage(db: Database, selection: PricedSelection): Promise<ReportedRow[]> {
  return readSurely((reading) =>
    db.rows<ReportedRow>(selectReportedUsage(selection, reading), { name: 'usage to explain', kind: 'scan' }),
  )
}

/** The same, with what was reported apart from what was not. */
export function selectReportedUsage(selection: PricedSelection, reading: Reading): Sql {
  return selectSums(selection, [...PRICED, 'reported'], sql`isNotNull(reported)`, reading)
}

function selectSums(
  { changes, keys = [], having, isTogether = false, limit, ...selection }: PricedSelection,
  columns: readonly UsageColumn[],
  reported: Sql | undefined,
  reading: Reading,
): Sql {
  const times = bound('Array(Int64)', changes)
  const stretch =
    changes.length === 0
      ? sql`toInt64(0)`
      : sql`arrayCount(change -> change <= toUnixTimestamp64Micro(started_at), ${times})`
  const told = join([...(isTogether ? [] : keyNames(keys)), sql`model`], ', ')
  const isReported = reported === undefined ? sql`` : sql`, is_reported`
  const groups = sql`bucket, ${told}, stretch${isReported}`
  const apart =
    reported === undefined
      ? sql``
      : sql`, ${reported} AS is_reported, toString(sum(reported)) AS reported_sum`
  return sql`SELECT ${bucketOf(STARTED, selection.buckets)} AS bucket, ${told}, ${stretch} AS stretch,
  min(started_at) AS moment, count() AS count,
  toInt64(sum(prompt)) AS prompt_sum, toInt64(sum(plain_prompt)) AS plain_prompt_sum, toInt64(sum(completion)) AS completion_sum,
  toInt64(sum(if(ifNull(total, 0) = 0, prompt + completion, assumeNotNull(total)))) AS total_sum,
  toInt64(ifNull(sum(total), 0)) AS told_total_sum,
  toInt64(sum(cache_read)) AS cache_read_sum, toInt64(sum(cache_creation)) AS cache_creation_sum,
  countIf(is_unsure) AS unsure${apart}
FROM (${usages(selection, columns, keys, reading)})${having === undefined ? sql`` : sql` WHERE ${having}`}
GROUP BY ${groups} ORDER BY ${groups}${limit === undefined ? sql`` : sql` LIMIT ${limit}`}`
}
