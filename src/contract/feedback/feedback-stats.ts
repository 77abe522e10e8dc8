import { z } from 'zod'
import { nullableText, projectId } from '../fields.ts'
import { operation } from '../operation.ts'
import { aggregationFields, buckets, windowFields, windowResponse } from '../metrics/project-stats.ts'

/** Statistics of feedback over time. */

const feedbackFields = {
  feedback_type: nullableText,
  trigger_ref: nullableText.meta({ description: 'A ref that ends in `:*` matches any version.' }),
}

const feedbackMetric = z.object({
  json_path: z
    .string()
    .regex(
      /^[a-zA-Z0-9_. ]*[a-zA-Z0-9_][a-zA-Z0-9_. ]*$/,
      'must contain only letters, digits, "_", "." and spaces',
    )
    .max(1024),
  value_type: z.enum(['numeric', 'boolean', 'categorical']).nullish(),
  ...aggregationFields,
})

export type FeedbackMetric = z.output<typeof feedbackMetric>

const texts = z.array(z.string()).max(1000).nullish()
const millis = z.int().min(0)
const counts = z.record(z.string(), z.int())

const feedbackAggregate = z.object({
  project_id: projectId,
  after_ms: millis,
  before_ms: millis.meta({ description: 'Exclusive.' }),
  time_bucket_seconds: z.int().min(1).nullish(),
  feedback_types: texts.meta({ description: 'Prefixes of feedback types.' }),
  tags: texts,
  rating_min: z.number().min(0).max(1).nullish(),
  rating_max: z.number().min(0).max(1).nullish(),
  monitor_ids: texts.meta({ description: 'Names, or prefixes followed by `*`.' }),
  scorer_ids: texts.meta({ description: 'Names, or prefixes followed by `*`.' }),
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
    request: z.object({
      ...windowFields,
      ...feedbackFields,
      metrics: z.array(feedbackMetric).max(100).nullish(),
    }),
    response: z.object({
      ...windowResponse,
      buckets,
      window_stats: z.record(z.string(), z.record(z.string(), z.number().nullable())).nullable(),
    }),
  }),
  feedback_aggregate: operation({
    path: '/feedback/aggregate',
    summary: 'Aggregate scorer tags and ratings over time.',
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
    summary: 'List the JSON paths and value types found in feedback payloads.',
    access: 'read',
    request: z.object({
      project_id: windowFields.project_id,
      start: windowFields.start,
      end: windowFields.end,
      ...feedbackFields,
      sample_limit: z.int().min(1).max(5000).nullish().meta({ default: 2000 }),
    }),
    response: z.object({
      paths: z.array(
        z.object({ json_path: z.string(), value_type: z.enum(['numeric', 'boolean', 'categorical']) }),
      ),
    }),
  }),
}
