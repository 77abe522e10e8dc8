import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { rangeBounds, type TimeRange } from '../time/range.ts'

export type CostExplanation = BrowserResponse<'project_costs'>
/** `pricing_level` is returned only if requested: `project` or `default`. */
export type Price = BrowserResponse<'cost_query'>['results'][number] & { readonly pricing_level?: string }

/** The total cost of the traces in a time range, term by term. Trace roots count each token once. */
export function useCosts(project: Project, range: TimeRange) {
  return useQuery({
    queryKey: ['costs', project.project_id, range],
    queryFn: ({ signal }) => {
      const { after, before } = rangeBounds(range, Date.now())
      return api.call(
        'project_costs',
        {
          ...projectParams(project),
          ...(after === undefined ? {} : { start: after }),
          ...(before === undefined ? {} : { end: before }),
          filter: { trace_roots_only: true },
        },
        signal,
      )
    },
    placeholderData: keepPreviousData,
  })
}

/** Maximum prices listed. */
export const MAX_PRICES = 200

/** Prices of models whose name contains a text: project prices, optionally with built-in prices. */
export function usePrices(project: Project, search: string, includeBuiltIn: boolean) {
  return useQuery({
    queryKey: ['prices', project.project_id, search, includeBuiltIn],
    queryFn: async ({ signal }): Promise<readonly Price[]> => {
      const { results } = await api.call(
        'cost_query',
        {
          project_id: project.project_id,
          include_defaults: includeBuiltIn,
          fields: [
            'id',
            'llm_id',
            'prompt_token_cost',
            'completion_token_cost',
            'cache_read_input_token_cost',
            'cache_creation_input_token_cost',
            'prompt_token_cost_unit',
            'effective_date',
            'provider_id',
            'pricing_level',
          ],
          ...(search === '' ? {} : { query: containsQuery('llm_id', search) }),
          sort_by: [
            { field: 'llm_id', direction: 'asc' },
            { field: 'effective_date', direction: 'desc' },
          ],
          limit: MAX_PRICES + 1,
        },
        signal,
      )
      return results
    },
    placeholderData: keepPreviousData,
  })
}

function containsQuery(field: string, text: string): JsonText {
  const substr = { $literal: text }
  return JsonText.of({
    $expr: { $contains: { input: { $getField: field }, substr, case_insensitive: true } },
  })
}
