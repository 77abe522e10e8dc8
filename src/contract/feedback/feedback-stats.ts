import { z } from 'zod'
import { nullableText, projectId } from '../fields.ts'
import { operation } from '../operation.ts'
import { aggregated, buckets, window, windowAnswer } from '../metrics/project-stats.ts'

const which = {
  feedback_type: nullableText,
  trigger_ref: nullableText.meta({ description: 'a ref that ends in `:*` means any version' }),
}

const feedbackMetric = z.object({
  json_path: z
    .string()
    .regex(
      /^[a-zA-Z0-9_. ]*[a-zA-Z0-9_][a-zA-Z0-9_. ]*$/,
      'may hold letters, digits, _, dots and spaces only',
    )
    .max(1024),
  value_type: z.enum(['numeric', 'boolean', 'categorical']).nullish(),
  ...aggregated,
})

export type FeedbackMetric = z.output<typeof feedbackMetric>

const texts = z.array(z.string()).max(1000).nullish()
const millis = z.int().min(0)
const counts = z.record(z.string(), z.int())

const feedbackAggregate = z.object({
  project_id: projectId,
  after_ms: millis,
  before_ms: millis.meta({ description: 'not included' }),
  time_bucket_seconds: z.int().min(1).nullish(),
  feedback_types: texts.meta({ description: 'what the type begins with' }),
  tags: texts,
  rating_min: z.number().min(0).max(1).nullish(),
  rating_max: z.number().min(0).max(1).nullish(),
  monitor_ids: texts.meta({ description: 'a name, or the beginning of one with `*` after it' }),
  scorer_ids: texts.meta({ description: 'a name, or the beginning of one with `*` after it' }),
  span_agent_names: texts,
  span_types: z.array(z.enum(['agent_turn', 'agent_conversation'])).nullish(),
  group_by: z
    .array(z.enum(['scorer_id', 'span_agent_name', 'span_agent_version', 'span_status_code']))
    .max(4)
    .nullish(),
})

export type FeedbackAggregate = z.output<typeof feedbackAggregate>

export const feedbackStatsOperations = {
  feedback_stats: operation({
    path: '/feedback/stats',
    summary: 'Aggregate values of feedback payloads over time.',
    access: 'read',
    request: z.object({ ...window, ...which, metrics: z.array(feedbackMetric).max(100).nullish() }),
    response: z.object({
      ...windowAnswer,
      buckets,
      window_stats: z.record(z.string(), z.record(z.string(), z.number().nullable())).nullable(),
    }),
  }),
  feedback_aggregate: operation({
    path: '/feedback/aggregate',
    summary: 'Count tags and ratings of scorers over time.',
    access: 'read',
    request: feedbackAggregate,
    response: z.object({
      time_bucket_seconds: z.int().nullable(),
      after_ms: z.int(),
      before_ms: z.int(),
      buckets: z.array(
        z.object({
          time_bucket_start_ms: z.int().nullable(),
          group: z.record(z.string(), z.string()),
          total_count: z.int(),
          scored_count: z.int(),
          tag_counts: counts,
          rating_counts: counts,
          rating_sums: z.record(z.string(), z.number()),
        }),
      ),
    }),
  }),
  feedback_payload_schema: operation({
    path: '/feedback/payload_schema',
    summary: 'Find out which values the payloads of feedback hold.',
    access: 'read',
    request: z.object({
      project_id: window.project_id,
      start: window.start,
      end: window.end,
      ...which,
      sample_limit: z.int().min(1).max(5000).nullish().meta({ default: 2000 }),
    }),
    response: z.object({
      paths: z.array(
        z.object({ json_path: z.string(), value_type: z.enum(['numeric', 'boolean', 'categorical']) }),
      ),
    }),
  }),
}
