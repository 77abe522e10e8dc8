import { useInfiniteQuery } from '@tanstack/react-query'
import { JsonText } from '../../client/browser/json-text.ts'
import { FACT_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { type CallFacts, factsOf } from '../call/call-facts.ts'
import { SHOWN } from '../traces/use-call-list.ts'

const PAGE_SIZE = 50

/** So much of what was said is shown; the trace has all of it. */
export const TURN_CHARACTERS = 2000

interface TurnPage {
  readonly turns: readonly CallFacts[]
  readonly next: string | null
}

/** Turns are the calls that name themselves as one, and those that nothing called. */
const TURNS = JsonText.of({
  $expr: {
    $or: [
      { $eq: [{ $getField: 'id' }, { $getField: 'turn_id' }] },
      { $eq: [{ $getField: 'parent_id' }, { $literal: null }] },
    ],
  },
})

/** The turns of a thread, in the order in which they began. */
export function useTurns(project: Project, thread_id: string) {
  return useInfiniteQuery({
    queryKey: ['turns', project.project_id, thread_id],
    queryFn: async ({ pageParam, signal }): Promise<TurnPage> => {
      const answer = await api.call(
        'project_calls',
        {
          ...inPath(project),
          ...SHOWN,
          columns: FACT_COLUMNS,
          preview_characters: TURN_CHARACTERS,
          direction: 'asc',
          filter: { thread_ids: [thread_id] },
          query: TURNS,
          limit: PAGE_SIZE,
          cursor: pageParam,
        },
        signal,
      )
      return { turns: answer.calls.map(factsOf), next: answer.cursor }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })
}
