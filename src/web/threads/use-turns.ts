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
  readonly next: TurnCursor | null
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

/** Where a page starts. Traces in which only inner calls name the thread are listed if the thread has no turns. */
interface TurnCursor {
  readonly isTraces: boolean
  readonly cursor: string | null
}

const FIRST_PAGE: TurnCursor = { isTraces: false, cursor: null }

/** Reads the turns of a thread, ordered by start time. */
export function useTurns(project: Project, thread_id: string) {
  return useInfiniteQuery({
    queryKey: ['turns', project.project_id, thread_id],
    queryFn: async ({ pageParam, signal }): Promise<TurnPage> => {
      const page = await readTurns(project, thread_id, pageParam, signal)
      const isEmpty = page.turns.length === 0 && pageParam.cursor === null
      return isEmpty ? readTurns(project, thread_id, { isTraces: true, cursor: null }, signal) : page
    },
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page) => page.next,
  })
}

async function readTurns(
  project: Project,
  thread_id: string,
  { isTraces, cursor }: TurnCursor,
  signal: AbortSignal,
): Promise<TurnPage> {
  const isInThread = { $eq: [{ $getField: 'thread' }, { $literal: thread_id }] }
  const response = await api.call(
    'project_calls',
    {
      ...projectParams(project),
      ...LIST_ITEM_PARAMS,
      include_trace_totals: true,
      columns: CALL_LIST_COLUMNS,
      preview_characters: TURN_PREVIEW_CHARACTERS,
      direction: 'asc',
      filter: isTraces ? { traces_only: true } : { thread_ids: [thread_id] },
      query: isTraces ? JsonText.of({ $expr: isInThread }) : TURNS_QUERY,
      limit: PAGE_SIZE,
      cursor,
    },
    signal,
  )
  const next = response.cursor === null ? null : { isTraces, cursor: response.cursor }
  return { turns: response.calls.map(toCallListItem), next }
}
