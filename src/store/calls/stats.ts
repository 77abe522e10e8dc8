import type { CallMetric, UsageMetric } from '../../contract/call-stats.ts'
import type { CallsFilter } from '../../contract/calls-filter.ts'
import type { Micros } from '../../core/time.ts'
import type { TimeBuckets } from '../../core/time-buckets.ts'
import type { Database } from '../database.ts'
import { from } from '../scope.ts'
import { bucketOf, isWithin, type Measure, measureColumns, measuresOf, type StatsRow } from '../stats.ts'
import { and, bound, type Sql, sql } from '../sql.ts'
import { callConditions } from './selection.ts'
import { tokensOfUsage, TOKEN_COLUMNS, USAGE } from './usage-tokens.ts'

/** Calls counted and measured over time. FINAL, inside `from`, counts each once whatever was sent again. */
export interface StatsSelection {
  readonly project_id: string
  readonly filter: CallsFilter | null | undefined
  readonly buckets: TimeBuckets
}

const STARTED = sql`started_at`

const CALL_VALUES: Readonly<Record<CallMetric['metric'], Sql>> = {
  latency_ms: sql`if(ended_at >= started_at, intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000), NULL)`,
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

export type UsageRow = StatsRow & { readonly model: string }

export async function listUsageStats(
  db: Database,
  selection: StatsSelection,
  measures: readonly Measure[],
): Promise<UsageRow[]> {
  return db.rows<UsageRow>(selectUsageStats(selection, measures), { name: 'usage stats', kind: 'scan' })
}

export function selectUsageStats(selection: StatsSelection, measures: readonly Measure[]): Sql {
  return sql`SELECT ${bucketOf(STARTED, selection.buckets)} AS bucket, model, count() AS count${measureColumns(measures)}
FROM (${usages(selection)}) GROUP BY bucket, model ORDER BY bucket, model`
}

/** Tokens of a model within a bucket, apart for each stretch of time in which its price is the same. */
export interface PricedRow {
  readonly bucket: string
  readonly model: string
  /** A moment within the stretch. */
  readonly moment: string
  readonly plain_prompt_sum: string
  readonly completion_sum: string
  readonly cache_read_sum: string
  readonly cache_creation_sum: string
}

export async function listPricedUsage(
  db: Database,
  selection: StatsSelection,
  changes: readonly Micros[],
): Promise<PricedRow[]> {
  return db.rows<PricedRow>(selectPricedUsage(selection, changes), { name: 'usage to price', kind: 'scan' })
}

/** `changes` are the times at which any price begins. */
export function selectPricedUsage(selection: StatsSelection, changes: readonly Micros[]): Sql {
  const list = bound('Array(Int64)', changes)
  return sql`SELECT ${bucketOf(STARTED, selection.buckets)} AS bucket, model,
  arrayCount(change -> change <= toUnixTimestamp64Micro(started_at), ${list}) AS stretch, min(started_at) AS moment,
  toInt64(sum(plain_prompt)) AS plain_prompt_sum, toInt64(sum(completion)) AS completion_sum,
  toInt64(sum(cache_read)) AS cache_read_sum, toInt64(sum(cache_creation)) AS cache_creation_sum
FROM (${usages(selection)}) GROUP BY bucket, model, stretch ORDER BY bucket, model, stretch`
}

/**
 * The usage of each call by model. SDKs add what is below a call to its own, so most ask for roots only; spans of
 * OpenTelemetry do not, so each of them counts then.
 */
function usages({ project_id, filter, buckets }: StatsSelection): Sql {
  const isRootsOnly = filter?.trace_roots_only === true
  const conditions = callConditions(project_id, { ...filter, trace_roots_only: false }, undefined)
  if (isRootsOnly) conditions.push(sql`parent_id = '' OR otel_dump != ''`)
  const matching = sql`${from(project_id, 'calls')} AND ${and([isWithin(STARTED, buckets), ...conditions])}`
  return sql`SELECT started_at, model, ${TOKEN_COLUMNS}
FROM (SELECT started_at, used.1 AS model, ${tokensOfUsage(sql`used.2`)}
  FROM (SELECT started_at, arrayJoin(${USAGE}) AS used ${matching}) WHERE JSONType(used.2) = 'Object')`
}
