import { z } from 'zod'
import { callsFilter } from './calls-filter.ts'
import { operation } from '../operation.ts'
import { aggregationFields, buckets, windowFields, windowResponse } from '../metrics/project-stats.ts'

/** Statistics of calls over time, as defined by Weave's API. */

const usageMetric = z.object({
  metric: z.enum([
    'input_tokens',
    'output_tokens',
    'total_tokens',
    'cache_read_input_tokens',
    'cache_creation_input_tokens',
    'input_cost',
    'output_cost',
    'total_cost',
  ]),
  ...aggregationFields,
})

const callMetric = z.object({
  metric: z.enum(['latency_ms', 'call_count', 'error_count']),
  ...aggregationFields,
})

export type UsageMetric = z.output<typeof usageMetric>
export type CallMetric = z.output<typeof callMetric>

const callStats = z.object({
  ...windowFields,
  usage_metrics: z
    .array(usageMetric)
    .max(100)
    .nullish()
    .meta({ description: 'Usage metrics, grouped by time bucket and model.' }),
  call_metrics: z
    .array(callMetric)
    .max(100)
    .nullish()
    .meta({ description: 'Call metrics, grouped by time bucket.' }),
  filter: callsFilter.nullish(),
})

export type CallStats = z.output<typeof callStats>

export const callStatsOperations = {
  call_stats: operation({
    path: '/calls/stats',
    summary: 'Aggregate call counts, latencies, tokens and costs over time.',
    access: 'read',
    request: callStats,
    response: z.object({ ...windowResponse, usage_buckets: buckets, call_buckets: buckets }),
  }),
}
