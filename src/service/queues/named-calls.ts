import { MAX_FILTER_ITEMS } from '../../contract/limits.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import { type CallRange, listCalls } from '../../store/calls/read/list-calls.ts'
import type { Deps } from '../deps.ts'

/** The calls with these ids that exist, without payloads. A queue has more items than a filter may name. */
export async function* namedCalls(
  deps: Deps,
  project_id: string,
  ids: readonly string[],
  columns: readonly string[],
  range?: CallRange,
): AsyncGenerator<StoredCallRow> {
  for (let from = 0; from < ids.length; from += MAX_FILTER_ITEMS)
    yield* await listCalls(deps, {
      project_id,
      filter: { call_ids: ids.slice(from, from + MAX_FILTER_ITEMS) },
      query: undefined,
      columns,
      range,
      sort_by: [],
    })
}
