import { z } from 'zod'
import { callsFilter } from './calls-filter.ts'
import { projectId, recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { callQuery } from '../query.ts'
import { rawNumber } from '../raw-json.ts'

/** Token usage summed along call trees. */

const cost = rawNumber.nullable().meta({
  description: 'Null unless `include_costs` is set, and for models without a price.',
})

const modelUsage = z.object({
  requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  cache_read_input_tokens: z.int(),
  cache_creation_input_tokens: z.int(),
  prompt_tokens_total_cost: cost,
  completion_tokens_total_cost: cost,
  cache_read_input_tokens_total_cost: cost,
  cache_creation_input_tokens_total_cost: cost,
})

export type ModelUsage = z.output<typeof modelUsage>

const usageResponse = z.object({
  call_usage: z.record(z.string(), z.record(z.string(), modelUsage)),
  unfinished_call_ids: z.array(z.string()),
})

const commonFields = {
  project_id: projectId,
  include_costs: z.boolean().nullish(),
  limit: z.int().min(0).nullish().meta({ description: 'Maximum number of calls to read.', default: 10_000 }),
}

export const usageOperations = {
  calls_usage: operation({
    path: '/calls/usage',
    summary: 'Sum the token usage of calls, each with all its descendants.',
    access: 'read',
    request: z.object({ ...commonFields, call_ids: z.array(recordId) }),
    response: usageResponse,
  }),
  trace_usage: operation({
    path: '/trace/usage',
    summary: 'Sum the token usage of each matching call with its matching descendants.',
    access: 'read',
    request: z.object({ ...commonFields, filter: callsFilter.nullish(), query: callQuery.nullish() }),
    response: usageResponse,
  }),
}
