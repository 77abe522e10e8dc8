import { useInfiniteQuery } from '@tanstack/react-query'
import { JsonText } from '../../client/browser/json-text.ts'
import { CALL_LIST_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import { LIST_ITEM_PARAMS } from '../call/read-calls.ts'

const PAGE_SIZE = 50

/** Characters of each message that are shown. The trace has the full text. */
export const TURN_PREVIEW_CHARACTERS = 2000

interface TurnPage {
  readonly turns: readonly CallListItem[]
  readonly next: string | null
}

/** Turns are calls whose `turn_id` is their own id, and root calls. */
const TURNS_QUERY = JsonText.of({
  $expr: {
    $or: [
      { $eq: [{ $getField: 'id' }, { $getField: 'turn_id' }] },
      { $eq: [{ $getField: 'parent_id' }, { $literal: null }] },
    ],
  },
})

/** Reads the turns of a thread, ordered by start time. */
export function useTurns(project: Project, thread_id: string) {
  return useInfiniteQuery({
    queryKey: ['turns', project.project_id, thread_id],
    queryFn: async ({ pageParam, signal }): Promise<TurnPage> => {
      const response = await api.call(
        'project_calls',
        {
          ...projectParams(project),
          ...LIST_ITEM_PARAMS,
          columns: CALL_LIST_COLUMNS,
          preview_characters: TURN_PREVIEW_CHARACTERS,
          direction: 'asc',
          filter: { thread_ids: [thread_id] },
          query: TURNS_QUERY,
          limit: PAGE_SIZE,
          cursor: pageParam,
        },
        signal,
      )
      return { turns: response.calls.map(toCallListItem), next: response.cursor }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  })
}
