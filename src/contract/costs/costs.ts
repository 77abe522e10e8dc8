import { z } from 'zod'
import {
  datetime,
  emptyResponse,
  limit,
  nullableText,
  offset,
  projectId,
  requestTime,
  sortByFields,
} from '../fields.ts'
import { operation } from '../operation.ts'
import { COST_FIELDS, costQuery, fieldName, purgeQuery } from '../query.ts'
import { type RawJson, rawNumber } from '../raw-json.ts'

/** Model prices of a project. */

/** Fits any price. Limits the exponent, because `1e-999999` would be a megabyte when written out. */
const PRICE = /^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?0*\d{1,2})?$/

/** A price, kept as text: floating point would round it. */
function readPrice(raw: RawJson, context: z.RefinementCtx): string {
  if (PRICE.test(raw.text) && raw.text.length <= 64) return raw.text
  context.addIssue({ code: 'custom', message: 'must be a plausible price, such as 0.0000025' })
  return z.NEVER
}

const requiredPrice = rawNumber.transform(readPrice)
const optionalPrice = rawNumber
  .nullish()
  .transform((raw, context) => (raw === null || raw === undefined ? '0' : readPrice(raw, context)))
  .meta({ default: 0 })

const costCreate = z.object({
  prompt_token_cost: requiredPrice,
  completion_token_cost: requiredPrice,
  cache_read_input_token_cost: optionalPrice,
  cache_creation_input_token_cost: optionalPrice,
  prompt_token_cost_unit: nullableText,
  completion_token_cost_unit: nullableText,
  effective_date: requestTime.nullish(),
  provider_id: nullableText,
})

export type CostCreate = z.output<typeof costCreate>

const costRecord = z
  .object({
    id: z.string(),
    llm_id: z.string(),
    prompt_token_cost: rawNumber,
    completion_token_cost: rawNumber,
    cache_read_input_token_cost: rawNumber,
    cache_creation_input_token_cost: rawNumber,
    prompt_token_cost_unit: z.string(),
    completion_token_cost_unit: z.string(),
    effective_date: datetime,
    provider_id: z.string(),
  })
  .partial()

export const costOperations = {
  cost_create: operation({
    path: '/cost/create',
    summary: 'Create model prices for a project.',
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
    summary: 'List the model prices of a project.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      fields: z.array(fieldName(COST_FIELDS)).nullish(),
      query: costQuery.nullish(),
      sort_by: sortByFields(COST_FIELDS),
      limit,
      offset,
      include_defaults: z.boolean().nullish().meta({
        description:
          "Include the built-in prices; an extension of Weave's API. A query by `id` or `pricing_level` finds them without it.",
      }),
    }),
    response: z.object({ results: z.array(costRecord) }),
  }),
  cost_purge: operation({
    path: '/cost/purge',
    summary: 'Delete model prices of a project by id.',
    access: 'write',
    deletes: true,
    request: z.object({ project_id: projectId, query: purgeQuery }),
    response: emptyResponse,
  }),
}
