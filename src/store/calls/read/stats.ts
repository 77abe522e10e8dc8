import { TOTAL_TOKENS } from './usage-tokens.ts'
import type { CallMetric, UsageMetric } from '../../../contract/calls/call-stats.ts'
import type { Micros } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { from } from '../../query/scope.ts'
import {
  timeBucket,
  inTimeRange,
  type Measure,
  measureColumns,
  buildMeasures,
  type StatsRow,
  type TimeRange,
} from '../../metrics/project-stats.ts'
import { and, bound, join, type Sql, sql } from '../../query/sql.ts'
import { HAS_EXCEPTION, LATENCY_MS } from '../columns/named-fields.ts'
import type { GroupKey } from './group-keys.ts'
import type { CachedAggregates } from './cached-aggregates.ts'
import { callConditions } from './selection.ts'
import {
  keyNames,
  type ReadMode,
  readWithFallback,
  type StatsSelection,
  type UsageColumn,
  usageRows,
} from './usage-query.ts'

/** Statistics of calls over time. FINAL, inside `from`, counts each call once even if its records were sent several times. */

const STARTED = sql`started_at`

/** NULL for calls that ended before they started, because clocks disagree. */
export const MEASURED_LATENCY = sql`if(ended_at >= started_at, ${LATENCY_MS}, NULL)`

const CALL_VALUES: Readonly<Record<CallMetric['metric'], Sql>> = {
  latency_ms: MEASURED_LATENCY,
  call_count: sql`1`,
  error_count: HAS_EXCEPTION,
}

type TokenMetric = Exclude<UsageMetric['metric'], 'input_cost' | 'output_cost' | 'total_cost'>

const TOKEN_VALUES: Readonly<Record<TokenMetric, Sql>> = {
  input_tokens: sql`prompt`,
  output_tokens: sql`completion`,
  total_tokens: TOTAL_TOKENS,
  cache_read_input_tokens: sql`cache_read`,
  cache_creation_input_tokens: sql`cache_creation`,
}

interface RequestedMetric<Name extends string> {
  readonly metric: Name
  readonly aggregations?: CallMetric['aggregations']
  readonly percentiles?: CallMetric['percentiles']
}

export function callMeasures(metrics: readonly RequestedMetric<CallMetric['metric']>[]): Measure[] {
  return collectMeasures(metrics, CALL_VALUES)
}

export function tokenMeasures(metrics: readonly RequestedMetric<TokenMetric>[]): Measure[] {
  return collectMeasures(metrics, TOKEN_VALUES)
}

export function isTokenMetric(metric: UsageMetric['metric']): metric is TokenMetric {
  return metric in TOKEN_VALUES
}

function collectMeasures<Name extends string>(
  metrics: readonly RequestedMetric<Name>[],
  values: Readonly<Record<Name, Sql>>,
): Measure[] {
  const measures: Measure[] = []
  for (const { metric, aggregations, percentiles } of metrics) {
    const isDefault = !aggregations?.length && !percentiles?.length
    const wanted = {
      aggregations: isDefault ? (['sum'] as const) : (aggregations ?? (['sum'] as const)),
      percentiles: percentiles ?? [],
    }
    measures.push(...buildMeasures(metric, values[metric], wanted, measures.length))
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
  return sql`SELECT ${timeBucket(STARTED, selection.buckets)} AS bucket, count() AS count${measureColumns(measures)}
${from(selection.project_id, 'calls')} AND ${and([inTimeRange(STARTED, selection.buckets), ...conditions])}
GROUP BY bucket ORDER BY bucket`
}

export type UsageRow = StatsRow & { readonly model: string; readonly needs_documents: string }

export async function listUsageStats(
  db: Database,
  selection: StatsSelection,
  measures: readonly Measure[],
): Promise<UsageRow[]> {
  return readWithFallback((mode) =>
    db.rows<UsageRow>(selectUsageStats(selection, measures, mode), { name: 'usage stats', kind: 'scan' }),
  )
}

const MEASURED: readonly UsageColumn[] = ['prompt', 'completion', 'total', 'cache_read', 'cache_creation']

export function selectUsageStats(
  selection: StatsSelection,
  measures: readonly Measure[],
  mode: ReadMode,
): Sql {
  return sql`SELECT ${timeBucket(STARTED, selection.buckets)} AS bucket, model, count() AS count${measureColumns(measures)},
  countIf(needs_document) AS needs_documents
FROM (${usageRows(selection, MEASURED, [], mode)}) GROUP BY bucket, model ORDER BY bucket, model`
}

/** Tokens of a model within a bucket, separate for each period with the same price. */
export interface PricedRow {
  readonly bucket: string
  readonly model: string
  /** A time within the period. */
  readonly moment: string
  readonly prompt_sum: string
  /** Input plus output for calls without a total. */
  readonly total_sum: string
  readonly plain_prompt_sum: string
  readonly completion_sum: string
  readonly cache_read_sum: string
  readonly cache_creation_sum: string
  readonly count: string
  readonly needs_documents: string
  readonly [key: `k${number}`]: string | null
}

interface ReportedRow extends PricedRow {
  readonly is_reported: number
  readonly reported_sum: string | null
}

interface PricedSelection extends StatsSelection {
  /** The times within the selection at which any price becomes effective. */
  readonly changes: readonly Micros[]
  readonly keys?: readonly GroupKey[]
  /** A condition on the keys k0, k1, … and `model`. */
  readonly having?: Sql | undefined
  /** Whether the keys are only used in the condition, and all matching rows are summed up without them. */
  readonly isTotal?: boolean
  readonly limit?: number | undefined
}

/** Rows in no order; a bucket and model may have several rows of one period. */
export async function listPricedUsage(
  db: Database,
  selection: PricedSelection,
  cache?: { readonly aggregates: CachedAggregates; readonly bucketStarts: readonly number[] },
): Promise<PricedRow[]> {
  const read = (ranges?: readonly TimeRange[]): Promise<PricedRow[]> =>
    readWithFallback((mode) =>
      db.rows<PricedRow>(selectPricedUsage({ ...selection, ranges }, mode), {
        name: 'usage to price',
        kind: 'scan',
      }),
    )
  const { project_id, buckets, limit } = selection
  // Not cached: a query may depend on more than calls, such as feedback, and the top groups depend on all buckets.
  if (cache === undefined || selection.query !== undefined || selection.having !== undefined) return read()
  return cache.aggregates.list({
    project_id,
    buckets,
    limit,
    bucketStarts: cache.bucketStarts,
    statement: (ranges) => selectPricedUsage({ ...selection, ranges }, 'extracted'),
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

export function selectPricedUsage(selection: PricedSelection, mode: ReadMode): Sql {
  return selectSums(selection, PRICED, undefined, mode)
}

const SUM_COLUMNS: Readonly<Record<`sum_${TokenMetric}`, keyof PricedRow & `${string}_sum`>> = {
  sum_input_tokens: 'prompt_sum',
  sum_output_tokens: 'completion_sum',
  sum_total_tokens: 'total_sum',
  sum_cache_read_input_tokens: 'cache_read_sum',
  sum_cache_creation_input_tokens: 'cache_creation_sum',
}

/** The result of `listUsageStats` computed from these rows, if only sums are requested; otherwise undefined. */
export function usageFromSums(
  rows: readonly PricedRow[],
  measures: readonly Measure[],
): UsageRow[] | undefined {
  const columns = measures.map(({ name }) => SUM_COLUMNS[name as keyof typeof SUM_COLUMNS])
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
  return readWithFallback((mode) =>
    db.rows<ReportedRow>(selectReportedUsage(selection, mode), { name: 'usage to explain', kind: 'scan' }),
  )
}

/** The same, with separate rows for usage whose cost was reported. */
export function selectReportedUsage(selection: PricedSelection, mode: ReadMode): Sql {
  return selectSums(selection, [...PRICED, 'reported'], sql`isNotNull(reported)`, mode)
}

function selectSums(
  { changes, keys = [], having, isTotal = false, limit, ...selection }: PricedSelection,
  columns: readonly UsageColumn[],
  reported: Sql | undefined,
  mode: ReadMode,
): Sql {
  const times = bound('Array(Int64)', changes)
  const period =
    changes.length === 0
      ? sql`toInt64(0)`
      : sql`arrayCount(change -> change <= toUnixTimestamp64Micro(started_at), ${times})`
  const groupKeys = join([...(isTotal ? [] : keyNames(keys)), sql`model`], ', ')
  const isReported = reported === undefined ? sql`` : sql`, is_reported`
  const groups = sql`bucket, ${groupKeys}, price_period${isReported}`
  const reportedColumns =
    reported === undefined
      ? sql``
      : sql`, ${reported} AS is_reported, toString(sum(reported)) AS reported_sum`
  return sql`SELECT ${timeBucket(STARTED, selection.buckets)} AS bucket, ${groupKeys}, ${period} AS price_period,
  min(started_at) AS moment, count() AS count,
  toInt64(sum(prompt)) AS prompt_sum, toInt64(sum(plain_prompt)) AS plain_prompt_sum, toInt64(sum(completion)) AS completion_sum,
  toInt64(sum(${TOTAL_TOKENS})) AS total_sum,
  toInt64(sum(cache_read)) AS cache_read_sum, toInt64(sum(cache_creation)) AS cache_creation_sum,
  countIf(needs_document) AS needs_documents${reportedColumns}
FROM (${usageRows(selection, columns, keys, mode)})${having === undefined ? sql`` : sql` WHERE ${having}`}
GROUP BY ${groups} ORDER BY ${groups}${limit === undefined ? sql`` : sql` LIMIT ${limit}`}`
}
