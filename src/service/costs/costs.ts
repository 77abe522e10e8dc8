import type { CostCreate } from '../../contract/costs/costs.ts'
import { unprocessable } from '../../contract/api-error.ts'
import { TIME_ERROR } from '../../contract/fields.ts'
import { contentId } from '../../core/objects/content-id.ts'
import type { PriceRow } from '../../core/costs/prices.ts'
import type { Operand } from '../../core/query/ast.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { type Micros, parseStorableTime } from '../../core/time/time.ts'
import { requestedPage } from '../../store/query/page.ts'
import { queryPrices } from '../../store/costs/price-query.ts'
import { insertPrices, purgePrices } from '../../store/costs/prices.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { purgedIds } from '../feedback/purge-query.ts'

/** Handlers for prices per model: create, query, purge. */
export function costHandlers(deps: Deps): Pick<Handlers, 'cost_create' | 'cost_query' | 'cost_purge'> {
  const { db } = deps
  return {
    cost_create: async (request, caller) => {
      const now = deps.now()
      const { project_id } = request
      const prices = Object.entries(request.costs).map(([llm_id, cost]) =>
        newPriceRow(deps, project_id, llm_id, cost, caller, now),
      )
      await insertPrices(db, project_id, prices, now)
      return { ids: prices.map((price): [string, string] => [price.id, price.llm_id]) }
    },
    cost_query: async (request) => {
      const query = parseQuery(request.query)
      const include_defaults = request.include_defaults === true || namesPrices(query)
      if (include_defaults) await deps.defaultPrices.ready()
      const results = await queryPrices(db, {
        project_id: request.project_id,
        fields: request.fields?.length ? request.fields : undefined,
        query,
        sort_by: request.sort_by,
        include_defaults,
        ...requestedPage(request),
      })
      return { results }
    },
    cost_purge: async (request) => {
      await purgePrices(db, request.project_id, purgedIds(request.query), deps.now())
      return {}
    },
  }
}

/**
 * Whether a query asks for prices by id or level: `include_costs` names both, also of built-in prices, which are not
 * listed otherwise.
 */
function namesPrices(query: Operand | undefined): boolean {
  if (query === undefined) return false
  if (query.op === 'and') return query.operands.some(namesPrices)
  if (query.op === 'or') return query.operands.every(namesPrices)
  if (query.op === 'in') return isPriceName(query.input)
  return query.op === 'eq' && (isPriceName(query.left) || isPriceName(query.right))
}

function isPriceName(operand: Operand): boolean {
  return operand.op === 'field' && ['id', 'pricing_level'].includes(operand.raw)
}

/**
 * Builds the row of a new price. With an effective date the id is derived from the content, so a resend creates the
 * same price. Without one each request creates a new price that is valid from now on.
 */
function newPriceRow(
  deps: Deps,
  project_id: string,
  llm_id: string,
  cost: CostCreate,
  caller: Caller,
  now: Micros,
): PriceRow {
  const date = cost.effective_date ?? undefined
  const effective_date = date === undefined ? now : parseStorableTime(date)
  if (effective_date === undefined) {
    throw unprocessable(['costs', llm_id, 'effective_date'], TIME_ERROR)
  }
  const terms = {
    llm_id,
    provider_id: cost.provider_id ?? 'default',
    prompt_token_cost: cost.prompt_token_cost,
    completion_token_cost: cost.completion_token_cost,
    cache_read_input_token_cost: cost.cache_read_input_token_cost,
    cache_creation_input_token_cost: cost.cache_creation_input_token_cost,
    prompt_token_cost_unit: cost.prompt_token_cost_unit ?? 'USD',
    completion_token_cost_unit: cost.completion_token_cost_unit ?? 'USD',
  }
  return {
    ...terms,
    id:
      date === undefined
        ? deps.newId()
        : contentId([project_id, effective_date.toString(), ...Object.values(terms)]),
    effective_date,
    pricing_level: 'project',
    pricing_level_id: project_id,
    created_by: caller.user_id,
    created_at: now,
  }
}
