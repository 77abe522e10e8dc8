import { z } from 'zod'
import { callsFilter } from '../calls/calls-filter.ts'
import { datetime, recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import { rawJson } from '../raw-json.ts'

/** Costs that explain themselves: tokens times the row of the price list that was in force, term by term. */

const number = rawJson.meta({ type: 'number', description: 'exact, without an exponent' })

const term = z.object({
  model: z.string().meta({ description: 'as the call names it' }),
  kind: z.enum(['prompt', 'completion', 'cache_read', 'cache_creation']).meta({
    description: '`prompt` is without the tokens that were read from or written to a cache',
  }),
  tokens: number,
  cost_per_token: number,
  cost: number,
  unit: z.string(),
  arithmetic: z.string().meta({ examples: ['1200 × 0.0000025 = 0.003'] }),
  price_id: z.string().meta({ description: 'of `prices`' }),
})

export type CostTerm = z.output<typeof term>

const price = z.object({
  id: z.string(),
  llm_id: z.string(),
  provider_id: z.string(),
  effective_date: datetime,
  source: z.enum(['own', 'default']).meta({ description: "the project's own, or built in" }),
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
    description: 'in `usage` (`total_cost`, `cost`) or attributes (`gen_ai.usage.cost`, `llm.cost.total`)',
  }),
  computed: number.meta({ description: 'of the same tokens, by the prices' }),
  difference: number.meta({ description: 'reported minus computed' }),
  unpriced: z
    .array(z.string())
    .meta({ description: 'models in it without a price, so that the two cannot agree' }),
})

const explanation = z.object({
  terms: z.array(term),
  prices: z.array(price),
  cost: number.meta({ description: 'the sum of the terms' }),
  unpriced: z.array(unpriced).meta({ description: 'tokens of models that have no price' }),
  reported: reported.nullable().meta({ description: 'null if none was' }),
})

export type CostExplanation = z.output<typeof explanation>

const costsRequest = inProject({
  start: datetime.nullish().meta({ description: 'calls that started then or later' }),
  end: datetime.nullish().meta({ description: 'calls that started earlier' }),
  filter: callsFilter.nullish().meta({
    description:
      'SDKs add the tokens of a call to those of its parent: with `trace_roots_only` each token counts once',
  }),
  query: rawJson.nullish(),
})

export const costExplainedOperations = {
  project_costs: operation({
    path: '/api/v1/projects/{entity}/{project}/costs',
    summary: 'Explain what calls of a project cost together, and compare it with what was reported.',
    access: 'read',
    request: costsRequest,
    response: explanation,
  }),
  call_cost: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/calls/{call_id}/cost',
    summary: 'Explain what one call cost, and compare it with what was reported.',
    access: 'read',
    request: inProject({ call_id: recordId }),
    response: explanation,
  }),
}
