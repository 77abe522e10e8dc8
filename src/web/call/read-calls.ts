import { CALL_LIST_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import { type Project, projectParams } from '../api/project.ts'
import type { ApiCall } from './call-list-item.ts'

const PREVIEW_CHARACTERS = 240

/** Request parameters for the fields that lists show. */
export const LIST_ITEM_PARAMS = {
  columns: CALL_LIST_COLUMNS,
  include_costs: true,
  include_feedback: true,
  include_usernames: true,
  preview_characters: PREVIEW_CHARACTERS,
  preview_messages: true,
}

/** Reads the list fields of calls by id, in any order; `hasTotals` adds the totals of their traces. */
export async function readCallsById(
  project: Project,
  ids: readonly string[],
  { signal, hasTotals = false }: { readonly signal?: AbortSignal; readonly hasTotals?: boolean } = {},
): Promise<readonly ApiCall[]> {
  const { calls } = await api.call(
    'project_calls',
    {
      ...projectParams(project),
      ...LIST_ITEM_PARAMS,
      include_trace_totals: hasTotals,
      filter: { call_ids: [...ids] },
      limit: Math.min(1000, ids.length),
    },
    signal,
  )
  return calls
}
