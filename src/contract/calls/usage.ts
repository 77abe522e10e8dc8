import { z } from 'zod'
import { callsFilter } from './calls-filter.ts'
import { projectId, recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { rawJson } from '../raw-json.ts'

const cost = rawJson
  .nullable()
  .meta({ type: 'number', description: 'null unless asked for, and for a model without a price' })

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

const usageAnswer = z.object({
  call_usage: z.record(z.string(), z.record(z.string(), modelUsage)),
  unfinished_call_ids: z.array(z.string()),
})

const common = {
  project_id: projectId,
  include_costs: z.boolean().nullish(),
  limit: z.int().nullish().meta({ description: 'how many calls are looked at', default: 10_000 }),
}

export const usageOperations = {
  calls_usage: operation({
    path: '/calls/usage',
    summary: 'Add up the tokens of calls with all their descendants.',
    access: 'read',
    request: z.object({ ...common, call_ids: z.array(recordId) }),
    response: usageAnswer,
  }),
  trace_usage: operation({
    path: '/trace/usage',
    summary: 'Add up the tokens of each call that matches with its descendants among them.',
    access: 'read',
    request: z.object({ ...common, filter: callsFilter.nullish(), query: rawJson.nullish() }),
    response: usageAnswer,
  }),
}
