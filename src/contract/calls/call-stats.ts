import { z } from 'zod'
import { callsFilter } from './calls-filter.ts'
import { operation } from '../operation.ts'
import { aggregated, buckets, window, windowAnswer } from '../metrics/project-stats.ts'

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
  ...aggregated,
})

const callMetric = z.object({ metric: z.enum(['latency_ms', 'call_count', 'error_count']), ...aggregated })

export type UsageMetric = z.output<typeof usageMetric>
export type CallMetric = z.output<typeof callMetric>

const callStats = z.object({
  ...window,
  usage_metrics: z.array(usageMetric).max(100).nullish().meta({ description: 'by time and model' }),
  call_metrics: z.array(callMetric).max(100).nullish().meta({ description: 'by time' }),
  filter: callsFilter.nullish(),
})

export type CallStats = z.output<typeof callStats>

export const callStatsOperations = {
  call_stats: operation({
    path: '/calls/stats',
    summary: 'Count calls, latencies, tokens and costs over time.',
    access: 'read',
    request: callStats,
    response: z.object({ ...windowAnswer, usage_buckets: buckets, call_buckets: buckets }),
  }),
}
