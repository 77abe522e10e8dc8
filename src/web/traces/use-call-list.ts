import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { FACT_COLUMNS } from '../api/call-columns.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { type AnsweredCall, type CallFacts, factsOf } from '../call/call-facts.ts'
import { boundsOf } from '../time/range.ts'
import { rangeConditions, withBounds } from './query-bounds.ts'
import { type ListQuestion, questionKey } from './list-question.ts'

export const PAGE_SIZE = 50
const PREVIEW_CHARACTERS = 240

export interface CallPage {
  readonly calls: readonly CallFacts[]
  /** Where the next page goes on; null for the last one. */
  readonly next: string | null
}

/** What each page asks beside the question itself. */
export const SHOWN = {
  columns: FACT_COLUMNS,
  include_costs: true,
  include_feedback: true,
  include_usernames: true,
  preview_characters: PREVIEW_CHARACTERS,
}

export function useCallList(project: Project, question: ListQuestion) {
  return useInfiniteQuery({
    queryKey: ['calls', project.project_id, ...questionKey(question)],
    queryFn: ({ pageParam, signal }) =>
      question.sort === undefined
        ? readByTime(project, question, pageParam, signal)
        : readSorted(project, question, question.sort, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    enabled: question.trouble === undefined && question.text === undefined,
    placeholderData: keepPreviousData,
  })
}

async function readByTime(
  project: Project,
  question: ListQuestion,
  cursor: string | null,
  signal: AbortSignal,
): Promise<CallPage> {
  const answer = await api.call(
    'project_calls',
    {
      ...inPath(project),
      ...SHOWN,
      ...boundsOf(question.range, Date.now()),
      filter: { trace_roots_only: question.rootsOnly },
      query: question.query,
      limit: PAGE_SIZE,
      cursor,
    },
    signal,
  )
  return { calls: answer.calls.map(factsOf), next: answer.cursor }
}

/** Another order than that of time has no cursor: the ids are asked for first, then what the list shows of them. */
async function readSorted(
  project: Project,
  question: ListQuestion,
  sort: NonNullable<ListQuestion['sort']>,
  cursor: string | null,
  signal: AbortSignal,
): Promise<CallPage> {
  const offset = Number(cursor ?? 0)
  const { calls } = await api.call(
    'calls_query',
    {
      project_id: project.project_id,
      filter: { trace_roots_only: question.rootsOnly },
      query: withBounds(question.query, rangeConditions(question.range, Date.now())),
      sort_by: [sort],
      columns: ['id'],
      limit: PAGE_SIZE,
      offset,
    },
    signal,
  )
  const ids = calls.map(({ id }) => id)
  const facts = ids.length === 0 ? [] : await readCalls(project, ids, signal)
  const byId = new Map(facts.map((call) => [call.id, factsOf(call)]))
  return {
    calls: ids.flatMap((id) => byId.get(id) ?? []),
    next: ids.length < PAGE_SIZE ? null : String(offset + PAGE_SIZE),
  }
}

/** What lists show of calls whose ids are known, in any order. */
export async function readCalls(
  project: Project,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<readonly AnsweredCall[]> {
  const { calls } = await api.call(
    'project_calls',
    { ...inPath(project), ...SHOWN, filter: { call_ids: [...ids] }, limit: Math.min(1000, ids.length) },
    signal,
  )
  return calls
}
