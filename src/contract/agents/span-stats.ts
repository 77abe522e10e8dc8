import { z } from 'zod'
import { nullableText, projectId, requestTime } from '../fields.ts'
import { windowFields, windowResponse } from '../metrics/project-stats.ts'
import { operation } from '../operation.ts'
import { spanQuery } from '../query.ts'
import { pageLimit, unsupportedList } from './agent-fields.ts'
import { SPAN_TEXT_FIELDS } from './span-fields.ts'
import { noSignals } from './spans.ts'

/** Statistics of spans over time, by group. */

const TEXT_AGGREGATIONS = ['count', 'count_distinct']

/** Measured values besides texts: by name, the source and the aggregations. */
export const SPAN_VALUES = {
  duration_ms: { source: 'derived', value_type: 'number' },
  total_tokens: { source: 'derived', value_type: 'number' },
  is_error: { source: 'derived', value_type: 'boolean' },
  is_invocation: { source: 'derived', value_type: 'boolean' },
  input_tokens: { source: 'field', value_type: 'number' },
  output_tokens: { source: 'field', value_type: 'number' },
} as const

export type SpanValue = keyof typeof SPAN_VALUES

/** The aggregations of each type. */
export const SPAN_AGGREGATIONS: Readonly<Record<string, readonly string[]>> = {
  number: ['sum', 'avg', 'min', 'max', 'count'],
  boolean: ['count', 'count_true', 'count_false'],
  string: TEXT_AGGREGATIONS,
}

const NAME = '^[a-zA-Z_][a-zA-Z0-9_]*$'
const alias = z.string().max(100).regex(new RegExp(NAME), 'must be a name of letters, digits and _')

const metric = z.object({
  alias,
  value: z.object({
    source: z.enum(['field', 'derived'], 'must be field or derived').nullish().meta({ default: 'field' }),
    key: z.string().meta({
      description: `Derived: duration_ms, total_tokens, is_error, is_invocation. Fields: input_tokens, output_tokens, and the texts that \`group_by\` may name.`,
    }),
  }),
  value_type: z.enum(['number', 'boolean', 'string'], 'must be number, boolean or string'),
  aggregations: z
    .array(z.enum(['sum', 'avg', 'min', 'max', 'count', 'count_distinct', 'count_true', 'count_false']))
    .max(8)
    .nullish()
    .meta({
      description:
        'Of numbers: sum, avg, min, max, count. Of booleans: count, count_true, count_false. Of texts: count, count_distinct.',
    }),
  percentiles: z.array(z.number().min(0).max(100)).max(100).nullish().meta({ description: 'Of numbers.' }),
})

export type SpanMetric = z.output<typeof metric>

const group = z.object({
  source: z.enum(['field', 'column'], 'must be field or column').nullish().meta({ default: 'field' }),
  key: z.enum(SPAN_TEXT_FIELDS, `must be ${SPAN_TEXT_FIELDS.join(' or ')}`),
  alias: alias.nullish().meta({ description: 'Name of the column; default is the field.' }),
})

export type SpanGroup = z.output<typeof group>

const spanStats = z.object({
  project_id: projectId,
  query: spanQuery.nullish(),
  start: requestTime,
  end: windowFields.end,
  granularity: windowFields.granularity,
  timezone: nullableText.meta({ default: 'UTC' }),
  group_by: z.array(group).max(4).nullish(),
  metrics: z.array(metric).max(20).nullish(),
  group_limit: pageLimit(1000, 50).meta({ description: 'Only the groups with most spans.' }),
  bucket_by: z
    .object({ type: z.literal('time', 'must be time; project_metrics has other groups').nullish() })
    .nullish(),
  group_filters: unsupportedList('must be empty; use query'),
  ...noSignals,
})

const valueType = z.enum(['datetime', 'number', 'string'])

const column = z.object({
  name: z.string(),
  role: z.enum(['time', 'group', 'metric']),
  value_type: valueType,
  metric: z.string().nullable(),
  aggregation: z.string().nullable(),
})

export type SpanStatsColumn = z.output<typeof column>

export const agentStatsOperations = {
  agent_spans_stats: operation({
    path: '/agents/spans/stats',
    summary: 'Aggregate spans over time and by group.',
    access: 'read',
    request: spanStats,
    response: z.object({
      ...windowResponse,
      bucket_type: z.literal('time'),
      columns: z.array(column),
      rows: z
        .array(z.record(z.string(), z.union([z.string(), z.number()]).nullable()))
        .meta({ description: 'One for each bucket and group, with or without spans.' }),
    }),
  }),
}
