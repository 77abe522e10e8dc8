import type { FeedbackMetric } from '../../contract/feedback/feedback-stats.ts'
import type { Micros } from '../../core/time/time.ts'
import type { TimeBuckets } from '../../core/metrics/time-buckets.ts'
import type { Database } from '../database/database.ts'
import { jsonRaw, jsonValue } from '../query/json-value.ts'
import { from } from '../query/scope.ts'
import {
  timeBucket,
  inTimeRange,
  type Measure,
  measureColumns,
  buildMeasures,
  type StatsRow,
} from '../metrics/project-stats.ts'
import { and, type Sql, sql } from '../query/sql.ts'

/** Statistics of feedback payload values over time. */
export interface FeedbackSelection {
  readonly project_id: string
  readonly start: Micros
  readonly end: Micros
  readonly feedback_type?: string | null | undefined
  /** `…:*` for any version. */
  readonly trigger_ref?: string | null | undefined
}

const CREATED = sql`created_at`
const PAYLOAD = sql`if(payload_normalized = '', payload, payload_normalized)`

function matching(selection: FeedbackSelection): Sql {
  const conditions = [inTimeRange(CREATED, selection)]
  const { feedback_type, trigger_ref } = selection
  if (typeof feedback_type === 'string') conditions.push(sql`feedback_type = ${feedback_type}`)
  if (typeof trigger_ref === 'string') {
    const isAny = trigger_ref.endsWith(':*')
    conditions.push(
      isAny ? sql`startsWith(trigger_ref, ${trigger_ref.slice(0, -1)})` : sql`trigger_ref = ${trigger_ref}`,
    )
  }
  return sql`${from(selection.project_id, 'feedback')} AND ${and(conditions)}`
}

/** A measure with its metric name; `output.score` is named `output_score` in responses. */
export type FeedbackMeasure = Measure & { readonly metric: string }

export function feedbackMeasures(metrics: readonly FeedbackMetric[]): FeedbackMeasure[] {
  const measures: FeedbackMeasure[] = []
  for (const { json_path, value_type, aggregations, percentiles } of metrics) {
    const metric = json_path.replaceAll(/[. ]/g, '_')
    const path = json_path.split('.')
    const type = value_type ?? 'numeric'
    const requested = aggregations?.length ? aggregations : DEFAULT_AGGREGATIONS[type]
    const wanted = {
      aggregations: type === 'categorical' ? requested.filter((name) => name === 'count') : requested,
      percentiles: type === 'numeric' ? (percentiles ?? []) : [],
    }
    const found = buildMeasures(metric, VALUES[type](path), wanted, measures.length)
    measures.push(...found.map((measure) => ({ ...measure, metric })))
  }
  return measures
}

const DEFAULT_AGGREGATIONS = {
  numeric: ['avg', 'min', 'max'],
  boolean: ['count_true', 'count_false'],
  categorical: [],
} as const

const VALUES: Readonly<Record<NonNullable<FeedbackMetric['value_type']>, (path: readonly string[]) => Sql>> =
  {
    numeric: (path) => sql`toFloat64OrNull(${jsonRaw(PAYLOAD, path)})`,
    boolean: (path) =>
      sql`transform(${jsonRaw(PAYLOAD, path)}, ['true', 'false'], [1, 0], CAST(NULL AS Nullable(UInt8)))`,
    // Text can only be counted.
    categorical: (path) => sql`nullIf(${jsonValue(PAYLOAD, path).text}, '')`,
  }

export async function listFeedbackStats(
  db: Database,
  selection: FeedbackSelection,
  buckets: TimeBuckets,
  measures: readonly Measure[],
): Promise<StatsRow[]> {
  return db.rows<StatsRow>(selectFeedbackStats(selection, buckets, measures), {
    name: 'feedback stats',
    kind: 'scan',
  })
}

export function selectFeedbackStats(
  selection: FeedbackSelection,
  buckets: TimeBuckets,
  measures: readonly Measure[],
): Sql {
  return sql`SELECT ${timeBucket(CREATED, buckets)} AS bucket, count() AS count${measureColumns(measures)}
${matching(selection)} GROUP BY bucket ORDER BY bucket`
}

/** The same over the whole time. */
export async function readFeedbackTotals(
  db: Database,
  selection: FeedbackSelection,
  measures: readonly Measure[],
): Promise<StatsRow | undefined> {
  return db.first<StatsRow>(selectFeedbackTotals(selection, measures), {
    name: 'feedback totals',
    kind: 'scan',
  })
}

export function selectFeedbackTotals(selection: FeedbackSelection, measures: readonly Measure[]): Sql {
  return sql`SELECT count() AS count${measureColumns(measures)} ${matching(selection)}`
}

/** The newest payload of each trigger, since payloads of one source have the same structure. */
export async function listPayloadSamples(
  db: Database,
  selection: FeedbackSelection,
  limit: number,
): Promise<string[]> {
  const rows = await db.rows<{ sample: string }>(selectPayloadSamples(selection, limit), {
    name: 'feedback samples',
    kind: 'scan',
  })
  return rows.map((row) => row.sample)
}

export function selectPayloadSamples(selection: FeedbackSelection, limit: number): Sql {
  return sql`SELECT argMax(payload, (created_at, id)) AS sample ${matching(selection)}
GROUP BY trigger_ref ORDER BY max(created_at) DESC LIMIT ${limit}`
}
