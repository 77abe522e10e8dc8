import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Thread } from '../../contract/calls/threads.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { type CallFacts, factsOf } from '../call/call-facts.ts'
import { boundsOf, type TimeRange } from '../time/range.ts'
import { readCalls } from '../traces/use-call-list.ts'
import { beganAfter, endedBefore, sortThreads, type ThreadSort } from './active-threads.ts'

const PAGE_SIZE = 50

export interface ListedThread extends Thread {
  /** What it began with; undefined if that call is gone. */
  readonly first: CallFacts | undefined
}

interface ThreadPage {
  readonly threads: readonly ListedThread[]
  readonly next: number | null
}

export function useThreads(project: Project, range: TimeRange, sort: ThreadSort) {
  return useInfiniteQuery({
    queryKey: ['threads', project.project_id, range, sort],
    queryFn: ({ pageParam, signal }) => readThreads(project, range, sort, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })
}

async function readThreads(
  project: Project,
  range: TimeRange,
  sort: ThreadSort,
  offset: number,
  signal: AbortSignal,
): Promise<ThreadPage> {
  const { after, before } = boundsOf(range, Date.now())
  const threads =
    after === undefined
      ? await readPage(project, sort, offset, signal)
      : sortThreads(await readActive(project, after, before, signal), sort).slice(offset, offset + PAGE_SIZE)
  const ids = threads.flatMap(({ first_turn_id }) => first_turn_id ?? [])
  const calls = ids.length === 0 ? [] : await readCalls(project, ids, signal)
  const byId = new Map(calls.map((call) => [call.id, factsOf(call)]))
  return {
    threads: threads.map((thread) => ({ ...thread, first: byId.get(thread.first_turn_id ?? '') })),
    next: threads.length < PAGE_SIZE ? null : offset + PAGE_SIZE,
  }
}

async function readPage(
  { project_id }: Project,
  sort: ThreadSort,
  offset: number,
  signal: AbortSignal,
): Promise<readonly Thread[]> {
  const asked = { project_id, sort_by: [sort], limit: PAGE_SIZE, offset }
  const found: Thread[] = []
  for await (const thread of await api.call('threads_query_stream', asked, signal)) found.push(thread)
  return found
}

/** More in one time are not looked through; those that were active last come first. */
const MOST_ACTIVE = 2000

/**
 * The server finds threads by when they began. Those that went on in a time, whenever they began, are the first when
 * all are asked for by their last turn.
 */
async function readActive(
  { project_id }: Project,
  after: string,
  before: string | undefined,
  signal: AbortSignal,
): Promise<readonly Thread[]> {
  const sort: ThreadSort = { field: 'last_updated', direction: 'desc' }
  const asked = { project_id, sort_by: [sort], limit: MOST_ACTIVE }
  const found: Thread[] = []
  for await (const thread of await api.call('threads_query_stream', asked, signal)) {
    if (endedBefore(thread, after)) break
    if (before === undefined || !beganAfter(thread, before)) found.push(thread)
  }
  return found
}
