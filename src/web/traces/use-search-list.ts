import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { BrowserAnswer } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { type CallFacts, factsOf } from '../call/call-facts.ts'
import { boundsOf } from '../time/range.ts'
import { type ListQuestion, questionKey } from './list-question.ts'
import { PAGE_SIZE, readCalls } from './use-call-list.ts'

export type SearchMatch = BrowserAnswer<'project_search'>['hits'][number]['matches'][number]

export interface FoundCall extends CallFacts {
  readonly matches: readonly SearchMatch[]
}

/** Calls in which a text stands, with the places. An answer may be short because enough was searched for once. */
export function useSearchList(project: Project, question: ListQuestion) {
  return useInfiniteQuery({
    queryKey: ['search', project.project_id, ...questionKey(question)],
    queryFn: async ({ pageParam, signal }) => {
      const { hits, cursor } = await api.call(
        'project_search',
        {
          ...inPath(project),
          ...boundsOf(question.range, Date.now()),
          text: question.text ?? '',
          query: question.query,
          limit: PAGE_SIZE,
          cursor: pageParam,
        },
        signal,
      )
      const ids = hits.map(({ id }) => id)
      const calls = ids.length === 0 ? [] : await readCalls(project, ids, signal)
      const facts = new Map(calls.map((call) => [call.id, factsOf(call)]))
      const found = hits.flatMap(({ id, matches }): FoundCall[] => {
        const call = facts.get(id)
        return call === undefined ? [] : [{ ...call, matches }]
      })
      return { calls: found, next: cursor }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    enabled: question.trouble === undefined && question.text !== undefined,
    placeholderData: keepPreviousData,
  })
}
