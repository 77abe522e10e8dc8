import { z } from 'zod'
import { callsFilter } from '../calls/calls-filter.ts'
import { datetime, nullableText } from '../fields.ts'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import { rawJson } from '../raw-json.ts'

/** The calls of a project in numbers: over time, by group, the largest groups first. */

/** What can be added up, and so what groups can be ranked by. */
const SUMS = [
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

const sum = z.enum(SUMS)

const measure = z.enum([...SUMS, 'avg_latency_ms', 'p50_latency_ms', 'p95_latency_ms', 'p99_latency_ms'])

export type Sum = z.output<typeof sum>
export type Metric = z.output<typeof measure>

const bucket = z.enum(['minute', 'hour', 'day', 'week', 'month', 'none'])

const value = z.union([z.number(), rawJson]).nullable().meta({ type: 'number' })

const group = z.object({
  key: z
    .record(z.string(), z.string().nullable())
    .meta({ description: 'what the calls have in common; null for calls without such a value' }),
  totals: z.record(z.string(), value).meta({ description: 'over the whole time, by measure' }),
  series: z
    .record(z.string(), z.array(value))
    .meta({ description: 'by measure, a value for each of `timestamps`' }),
  unpriced: z.array(z.string()).meta({
    description: 'models without a price: what they cost is in no cost. Null is a cost of these alone',
  }),
})

export type MetricsGroup = z.output<typeof group>

const numbersRequest = inProject({
  start: datetime,
  end: datetime.nullish().meta({ description: 'not included; now when absent' }),
  bucket: bucket
    .nullish()
    .meta({ description: 'by the length of the time when absent; weeks begin on Mondays' }),
  timezone: nullableText.meta({ description: 'where buckets begin; an IANA name', default: 'UTC' }),
  filter: callsFilter.nullish().meta({
    description:
      'SDKs add the tokens of a call to those of its parent: with `trace_roots_only` each token counts once',
  }),
  query: rawJson.nullish(),
  group_by: z.array(z.string().min(1).max(4096)).max(4).nullish().meta({
    description:
      'any of `op`, `model`, `user`, `status`, `day`, and any field of the query language, such as `attributes.env`. By model, a call counts once for each that it used',
  }),
  measures: z
    .array(measure)
    .min(1)
    .max(20)
    .nullish()
    .meta({ description: '`count` and `errors` without it' }),
  top: z
    .int()
    .min(1)
    .max(100)
    .nullish()
    .meta({ description: 'groups to tell apart; the rest are `other`', default: 10 }),
  rank_by: sum.nullish().meta({ description: 'which groups are the top ones', default: 'count' }),
})

export type NumbersRequest = z.output<typeof numbersRequest>

export const numbersOperations = {
  project_metrics: operation({
    path: '/api/v1/projects/{entity}/{project}/metrics',
    summary: 'Count the calls of a project, their latencies, tokens and costs, over time and by group.',
    access: 'read',
    request: numbersRequest,
    response: z.object({
      start: datetime,
      end: datetime,
      bucket,
      timezone: z.string(),
      timestamps: z
        .array(datetime)
        .meta({ description: 'when each bucket begins; none for the bucket `none`' }),
      groups: z.array(group).meta({ description: 'the largest first' }),
      other: group.nullable().meta({ description: 'all groups beside those, together; its key is empty' }),
    }),
  }),
}
