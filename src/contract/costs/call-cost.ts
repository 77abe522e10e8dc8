import { z } from 'zod'
import { callsFilter } from '../calls/calls-filter.ts'
import { datetime, recordId, requestTime } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { callQuery } from '../query.ts'
import { rawNumber } from '../raw-json.ts'

/**
 * Cost breakdowns: each term multiplies tokens by the price that was in effect. See docs/decisions/0006-prices.md.
 */

const number = rawNumber.meta({ description: 'Exact decimal, without an exponent.' })

const term = z.object({
  model: z.string().meta({ description: 'Model name as reported by the call.' }),
  kind: z.enum(['prompt', 'completion', 'cache_read', 'cache_creation']).meta({
    description: '`prompt` excludes tokens that were read from or written to a cache.',
  }),
  tokens: number,
  cost_per_token: number,
  cost: number,
  unit: z.string(),
  arithmetic: z.string().meta({ examples: ['1200 × 0.0000025 = 0.003'] }),
  price_id: z.string().meta({ description: 'Id of an entry of `prices`.' }),
})

export type CostTerm = z.output<typeof term>

const price = z.object({
  id: z.string(),
  llm_id: z.string(),
  provider_id: z.string(),
  effective_date: datetime,
  source: z
    .enum(['own', 'default'])
    .meta({ description: '`own`: price of the project. `default`: built-in price.' }),
  created_by: z.string(),
  created_at: datetime,
})

const unpriced = z.object({
  model: z.string(),
  prompt_tokens: number,
  completion_tokens: number,
  cache_read_input_tokens: number,
  cache_creation_input_tokens: number,
})

const reported = z.object({
  cost: number.meta({
    description:
      'Cost reported in `usage` (`total_cost`, `cost`) or attributes (`gen_ai.usage.cost`, `llm.cost.total`).',
  }),
  computed: number.meta({ description: 'Cost of the same tokens, computed from the prices.' }),
  difference: number.meta({ description: 'Reported cost minus computed cost.' }),
  unpriced: z
    .array(z.string())
    .meta({ description: 'Models without a price; the two costs differ by their share.' }),
})

const explanation = z.object({
  terms: z.array(term),
  prices: z.array(price),
  cost: number.meta({ description: 'Sum of the terms.' }),
  unpriced: z.array(unpriced).meta({ description: 'Tokens of models without a price.' }),
  reported: reported
    .nullable()
    .meta({ description: 'Comparison with the reported cost; null if none was reported.' }),
})

export type CostExplanation = z.output<typeof explanation>

const costsRequest = projectRequest({
  start: requestTime.nullish().meta({ description: 'Only calls that started at or after this time.' }),
  end: requestTime.nullish().meta({ description: 'Only calls that started before this time.' }),
  filter: callsFilter.nullish().meta({
    description:
      'SDKs add the tokens of a call to its parent; set `trace_roots_only` to count each token once.',
  }),
  query: callQuery.nullish(),
})

export const costExplainedOperations = {
  project_costs: operation({
    path: '/api/v1/projects/{entity}/{project}/costs',
    summary: 'Break down the total cost of matching calls, and compare it with the reported cost.',
    access: 'read',
    request: costsRequest,
    response: explanation,
  }),
  call_cost: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/calls/{call_id}/cost',
    summary: 'Break down the cost of one call, and compare it with the reported cost.',
    access: 'read',
    errors: ['not_found'],
    request: projectRequest({ call_id: recordId }),
    response: explanation,
  }),
}
