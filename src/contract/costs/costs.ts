import { z } from 'zod'
import { datetime, emptyAnswer, limit, nullableText, offset, projectId, sortBy } from '../fields.ts'
import { operation } from '../operation.ts'
import { type RawJson, rawJson } from '../raw-json.ts'

/** Long enough for any price; `1e-999999` written out would not be. */
const PRICE = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?0*\d{1,2})?$/

/** A number kept as its text: as floating point, 0.1 would come back as something else in sums. */
function price(raw: RawJson, context: z.RefinementCtx): string {
  if (PRICE.test(raw.text) && raw.text.length <= 64) return raw.text
  context.addIssue({ code: 'custom', message: 'must be a number of usual size' })
  return z.NEVER
}

const requiredPrice = rawJson.transform(price).meta({ type: 'number' })
const optionalPrice = rawJson
  .nullish()
  .transform((raw, context) => (raw === null || raw === undefined ? '0' : price(raw, context)))
  .meta({ type: 'number', default: 0 })

const costCreate = z.object({
  prompt_token_cost: requiredPrice,
  completion_token_cost: requiredPrice,
  cache_read_input_token_cost: optionalPrice,
  cache_creation_input_token_cost: optionalPrice,
  prompt_token_cost_unit: nullableText,
  completion_token_cost_unit: nullableText,
  effective_date: datetime.nullish(),
  provider_id: nullableText,
})

export type CostCreate = z.output<typeof costCreate>

const answeredPrice = rawJson.meta({ type: 'number' })

const costRecord = z
  .object({
    id: z.string(),
    llm_id: z.string(),
    prompt_token_cost: answeredPrice,
    completion_token_cost: answeredPrice,
    cache_read_input_token_cost: answeredPrice,
    cache_creation_input_token_cost: answeredPrice,
    prompt_token_cost_unit: z.string(),
    completion_token_cost_unit: z.string(),
    effective_date: datetime,
    provider_id: z.string(),
  })
  .partial()

export const costOperations = {
  cost_create: operation({
    path: '/cost/create',
    summary: 'Stores prices of models for a project.',
    access: 'write',
    request: z.object({
      project_id: projectId,
      costs: z.record(z.string(), costCreate),
      wb_user_id: nullableText,
    }),
    response: z.object({ ids: z.array(z.tuple([z.string(), z.string()])) }),
  }),
  cost_query: operation({
    path: '/cost/query',
    summary: 'Lists the prices of a project.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      fields: z.array(z.string()).nullish(),
      query: rawJson.nullish(),
      sort_by: sortBy,
      limit,
      offset,
      include_defaults: z
        .boolean()
        .nullish()
        .meta({ description: 'list the built-in prices too; an addition to the protocol' }),
    }),
    response: z.object({ results: z.array(costRecord) }),
  }),
  cost_purge: operation({
    path: '/cost/purge',
    summary: 'Removes prices of a project by id.',
    access: 'write',
    request: z.object({ project_id: projectId, query: rawJson }),
    response: emptyAnswer,
  }),
}
