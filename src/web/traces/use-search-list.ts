import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import { rangeBounds } from '../time/range.ts'
import { type ListQuery, listQueryKey } from './list-query.ts'
import { readCallsById } from '../call/read-calls.ts'
import { PAGE_SIZE } from './use-call-list.ts'

export type SearchMatch = BrowserResponse<'project_search'>['hits'][number]['matches'][number]

export interface MatchedCall extends CallListItem {
  readonly matches: readonly SearchMatch[]
}

/** Calls that contain a text, with the matches. A page may be short: the server limits the work of one request. */
export function useSearchList(project: Project, listQuery: ListQuery) {
  return useInfiniteQuery({
    queryKey: ['search', project.project_id, ...listQueryKey(listQuery)],
    queryFn: async ({ pageParam, signal }) => {
      const { hits, cursor } = await api.call(
        'project_search',
        {
          ...projectParams(project),
          ...rangeBounds(listQuery.range, Date.now()),
          text: listQuery.text ?? '',
          query: listQuery.query,
          limit: PAGE_SIZE,
          cursor: pageParam,
        },
        signal,
      )
      const ids = hits.map(({ id }) => id)
      const calls = ids.length === 0 ? [] : await readCallsById(project, ids, { signal })
      const itemsById = new Map(calls.map((call) => [call.id, toCallListItem(call)]))
      const matchedCalls = hits.flatMap(({ id, matches }): MatchedCall[] => {
        const call = itemsById.get(id)
        return call === undefined ? [] : [{ ...call, matches }]
      })
      return { calls: matchedCalls, next: cursor }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    enabled: listQuery.filterError === undefined && listQuery.text !== undefined,
    placeholderData: keepPreviousData,
  })
}
