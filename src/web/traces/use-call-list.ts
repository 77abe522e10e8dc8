import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import { LIST_ITEM_PARAMS, readCallsById } from '../call/read-calls.ts'
import { rangeBounds } from '../time/range.ts'
import { rangeConditions, withConditions } from './query-bounds.ts'
import { type ListQuery, listQueryKey } from './list-query.ts'

export const PAGE_SIZE = 50

export interface CallPage {
  readonly calls: readonly CallListItem[]
  /** Cursor of the next page; `null` on the last page. */
  readonly next: string | null
}

export function useCallList(project: Project, listQuery: ListQuery) {
  return useInfiniteQuery({
    queryKey: ['calls', project.project_id, ...listQueryKey(listQuery)],
    queryFn: ({ pageParam, signal }) =>
      listQuery.sort === undefined
        ? readByTime(project, listQuery, pageParam, signal)
        : readSorted(project, listQuery, listQuery.sort, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    enabled: listQuery.filterError === undefined && listQuery.text === undefined,
    placeholderData: keepPreviousData,
  })
}

async function readByTime(
  project: Project,
  listQuery: ListQuery,
  cursor: string | null,
  signal: AbortSignal,
): Promise<CallPage> {
  const response = await api.call(
    'project_calls',
    {
      ...projectParams(project),
      ...LIST_ITEM_PARAMS,
      include_trace_totals: listQuery.rootsOnly,
      ...rangeBounds(listQuery.range, Date.now()),
      filter: { traces_only: listQuery.rootsOnly },
      query: listQuery.query,
      limit: PAGE_SIZE,
      cursor,
    },
    signal,
  )
  return { calls: response.calls.map(toCallListItem), next: response.cursor }
}

/** Other orders than newest first have no cursor: ids are read by offset, then the list fields of those calls. */
async function readSorted(
  project: Project,
  listQuery: ListQuery,
  sort: NonNullable<ListQuery['sort']>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<CallPage> {
  const offset = Number(cursor ?? 0)
  const { calls } = await api.call(
    'calls_query',
    {
      project_id: project.project_id,
      filter: { traces_only: listQuery.rootsOnly },
      query: withConditions(listQuery.query, rangeConditions(listQuery.range, Date.now())),
      sort_by: [sort],
      columns: ['id'],
      limit: PAGE_SIZE,
      offset,
    },
    signal,
  )
  const ids = calls.map(({ id }) => id)
  const items =
    ids.length === 0 ? [] : await readCallsById(project, ids, { signal, hasTotals: listQuery.rootsOnly })
  const byId = new Map(items.map((call) => [call.id, toCallListItem(call)]))
  return {
    calls: ids.flatMap((id) => byId.get(id) ?? []),
    next: ids.length < PAGE_SIZE ? null : String(offset + PAGE_SIZE),
  }
}
