import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BrowserAnswer } from '../../client/browser/client.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { boundsOf, type TimeRange } from '../time/range.ts'

export type CostExplanation = BrowserAnswer<'project_costs'>
/** `pricing_level` is answered where it is asked for: `project` or `default`. */
export type Price = BrowserAnswer<'cost_query'>['results'][number] & { readonly pricing_level?: string }

/** What the traces of a time cost together, term by term. Traces count each token once. */
export function useCosts(project: Project, range: TimeRange) {
  return useQuery({
    queryKey: ['costs', project.project_id, range],
    queryFn: ({ signal }) => {
      const { after, before } = boundsOf(range, Date.now())
      return api.call(
        'project_costs',
        {
          ...inPath(project),
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

export const MOST_PRICES = 200

/** Prices of models whose names hold a text, the project's own alone or with the built-in ones. */
export function usePrices(project: Project, find: string, withBuiltIn: boolean) {
  return useQuery({
    queryKey: ['prices', project.project_id, find, withBuiltIn],
    queryFn: async ({ signal }): Promise<readonly Price[]> => {
      const { results } = await api.call(
        'cost_query',
        {
          project_id: project.project_id,
          include_defaults: withBuiltIn,
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
          ...(find === '' ? {} : { query: holds('llm_id', find) }),
          sort_by: [
            { field: 'llm_id', direction: 'asc' },
            { field: 'effective_date', direction: 'desc' },
          ],
          limit: MOST_PRICES + 1,
        },
        signal,
      )
      return results
    },
    placeholderData: keepPreviousData,
  })
}

function holds(field: string, text: string): JsonText {
  const substr = { $literal: text }
  return JsonText.of({
    $expr: { $contains: { input: { $getField: field }, substr, case_insensitive: true } },
  })
}
