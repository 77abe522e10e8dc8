import { safeRecord } from '../../core/json/safe-record.ts'
import { payloadPaths } from '../../core/feedback/payload-schema.ts'
import { timeBuckets } from '../../core/metrics/time-buckets.ts'
import { type AggregateRow, aggregateFeedback } from '../../store/feedback/feedback-aggregate.ts'
import {
  type FeedbackMeasure,
  feedbackMeasures,
  listFeedbackStats,
  listPayloadSamples,
  readFeedbackTotals,
} from '../../store/feedback/feedback-stats.ts'
import { bucketView, listBuckets, type StatsRow } from '../../store/metrics/project-stats.ts'
import { viewTimeRange } from '../metrics/time-range.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

type Operation = 'feedback_stats' | 'feedback_aggregate' | 'feedback_payload_schema'

const DEFAULT_SAMPLES = 2000

/** Handlers for feedback statistics: time buckets, aggregates, and the schema of payloads. */
export function feedbackStatsHandlers({ db, now }: Deps): Pick<Handlers, Operation> {
  return {
    feedback_stats: async (request) => {
      const buckets = timeBuckets(request, now())
      const range = viewTimeRange(buckets)
      const measures = feedbackMeasures(request.metrics ?? [])
      if (measures.length === 0) return { ...range, buckets: [], window_stats: null }
      const selection = { ...request, start: buckets.start, end: buckets.end }
      const rows = await listFeedbackStats(db, selection, buckets, measures)
      const byTime = new Map(rows.map((row) => [Number(row.bucket), row]))
      const times = await listBuckets(db, buckets)
      return {
        ...range,
        buckets: times.map((time) => bucketView(time, byTime.get(time), measures)),
        window_stats: viewTotals(await readFeedbackTotals(db, selection, measures), measures),
      }
    },
    feedback_aggregate: async (request) => ({
      time_bucket_seconds: request.time_bucket_seconds ?? null,
      after_ms: request.after_ms,
      before_ms: request.before_ms,
      buckets: (await aggregateFeedback(db, request)).map((row) => ({
        time_bucket_start_ms: row.bucket === undefined ? null : Number(row.bucket) * 1000,
        group: Object.fromEntries((request.group_by ?? []).map((name) => [name, row[`by_${name}`] ?? ''])),
        total_count: Number(row.total),
        scored_count: Number(row.scored),
        tag_counts: toCounts(row.tags),
        rating_counts: toCounts(row.rating_counts),
        rating_sums: toCounts(row.rating_sums),
      })),
    }),
    feedback_payload_schema: async (request) => {
      const { start, end } = timeBuckets(request, now())
      const limit = request.sample_limit ?? DEFAULT_SAMPLES
      return { paths: payloadPaths(await listPayloadSamples(db, { ...request, start, end }, limit)) }
    },
  }
}

/** Totals by metric, then by aggregation. */
function viewTotals(
  row: StatsRow | undefined,
  measures: readonly FeedbackMeasure[],
): Record<string, Record<string, number | null>> {
  const totals = safeRecord<Record<string, number | null>>([])
  for (const [i, { metric, aggregate }] of measures.entries()) {
    totals[metric] = { ...totals[metric], [aggregate]: row?.[`m${i}`] ?? null }
  }
  return totals
}

/** Counts or sums by tag or rating name. */
function toCounts([keys, values]: AggregateRow['tags'] | AggregateRow['rating_sums']) {
  return safeRecord(keys.map((key, i) => [key, Number(values[i])]))
}
