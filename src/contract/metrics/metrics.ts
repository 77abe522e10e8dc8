import { z } from 'zod'
import { callsFilter } from '../calls/calls-filter.ts'
import { searchText } from '../calls/search.ts'
import { datetime, nullableText, requestTime } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { CALL_FIELDS, callQuery, fieldName, fieldNames } from '../query.ts'
import { rawNumber } from '../raw-json.ts'
import { FIELD_AGGREGATES, type FieldMeasure, parseFieldMeasure } from './field-measures.ts'

/** Metrics of the calls of a project: over time and by group. */

/** Metrics that sum across buckets and groups. Groups can be ranked by these only. */
const ADDITIVE_METRICS = [
  'count',
  'errors',
  'running',
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'cost',
] as const

const additiveMetric = z.enum(ADDITIVE_METRICS)

const namedMetric = z.enum([
  ...ADDITIVE_METRICS,
  'avg_latency_ms',
  'p50_latency_ms',
  'p95_latency_ms',
  'p99_latency_ms',
  'avg_time_to_first_token',
  'p50_time_to_first_token',
  'p95_time_to_first_token',
])

const MAX_FIELD_CHARACTERS = 4096

/** The field is checked where it is resolved, as in queries. */
const fieldMeasure = z
  .string()
  .max(MAX_FIELD_CHARACTERS)
  .refine((measure) => parseFieldMeasure(measure) !== undefined, {
    error: `must be one of ${namedMetric.options.join(', ')}, or an aggregate of a field, such as avg(scores.helpful); aggregates: ${FIELD_AGGREGATES.join(', ')}`,
  })
  .meta({
    pattern: String.raw`^(?:${FIELD_AGGREGATES.join('|')})\(${fieldNames(CALL_FIELDS)}\)$`,
  }) as unknown as z.ZodType<FieldMeasure, string>

const metric = z.union([namedMetric, fieldMeasure])

export type AdditiveMetric = z.output<typeof additiveMetric>
export type Metric = z.output<typeof metric>

const bucket = z.enum(['minute', 'hour', 'day', 'week', 'month', 'none'])

const value = z.union([z.number(), rawNumber]).nullable()

const group = z.object({
  key: z
    .record(z.string(), z.string().nullable())
    .meta({ description: 'Values of the `group_by` fields; null for calls without the field.' }),
  totals: z
    .record(z.string(), value)
    .meta({ description: 'Value of each measure over the whole time range.' }),
  series: z
    .record(z.string(), z.array(value))
    .meta({ description: 'Values of each measure, one per entry of `timestamps`.' }),
  unpriced: z.array(z.string()).meta({
    description: 'Models without a price; costs exclude them. A cost is null if no model has a price.',
  }),
})

export type MetricsGroup = z.output<typeof group>

/** Groups besides the fields of queries. */
const GROUPS = ['day']
const groupField = fieldName({ ...CALL_FIELDS, columns: [...GROUPS, ...CALL_FIELDS.columns] })
  .min(1)
  .max(4096)

const metricsRequest = projectRequest({
  start: requestTime,
  end: requestTime.nullish().meta({ description: 'Exclusive; default now.' }),
  bucket: bucket.nullish().meta({
    description: 'Bucket size; by default chosen from the length of the time range. Weeks start on Monday.',
  }),
  timezone: nullableText.meta({ description: 'IANA time zone of the bucket boundaries.', default: 'UTC' }),
  filter: callsFilter.nullish().meta({
    description:
      'SDKs add the tokens of a call to its parent; set `trace_roots_only` to count each token once.',
  }),
  query: callQuery.nullish(),
  text: searchText
    .nullish()
    .meta({ description: 'Only calls that contain this text, as `project_search` finds them.' }),
  group_by: z.array(groupField).max(4).nullish().meta({
    description:
      '`day`, or any field of the query language, such as `model`, `end_user` or `attributes.env`; not `cost`. Grouped by model, a call counts once for each model it used.',
  }),
  measures: z.array(metric).min(1).max(20).nullish().meta({
    description:
      'Measures to compute; default `count` and `errors`. `avg(scores.helpful)` and the like aggregate any field: its number, or 1 and 0 for true and false; calls without one are left out. `count(…)` counts the calls that have the field.',
  }),
  top: z
    .int()
    .min(1)
    .max(100)
    .nullish()
    .meta({ description: 'Number of groups to return; the rest are summed in `other`.', default: 10 }),
  rank_by: additiveMetric.nullish().meta({ description: 'Measure that ranks the groups.', default: 'count' }),
})

export type MetricsRequest = z.output<typeof metricsRequest>

export const metricsOperations = {
  project_metrics: operation({
    path: '/api/v1/projects/{entity}/{project}/metrics',
    summary: 'Aggregate call counts, latencies, tokens and costs over time and by group.',
    access: 'read',
    request: metricsRequest,
    response: z.object({
      start: datetime,
      end: datetime,
      bucket,
      timezone: z.string(),
      timestamps: z
        .array(datetime)
        .meta({ description: 'Start of each bucket; empty for the bucket `none`.' }),
      groups: z.array(group).meta({ description: 'Largest group first.' }),
      other: group
        .nullable()
        .meta({ description: 'Sum of all other groups, with an empty key; null if there are none.' }),
    }),
  }),
}
