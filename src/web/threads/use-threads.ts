import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Thread } from '../../contract/calls/threads.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import { rangeBounds, type TimeRange } from '../time/range.ts'
import { readCallsById } from '../call/read-calls.ts'
import { startedAfter, endedBefore, sortThreads, type ThreadSort } from './active-threads.ts'

const PAGE_SIZE = 50

export interface ListedThread extends Thread {
  /** The first turn; undefined if that call was deleted. */
  readonly firstTurn: CallListItem | undefined
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
  const { after, before } = rangeBounds(range, Date.now())
  const threads =
    after === undefined
      ? await readThreadPage(project, sort, offset, signal)
      : sortThreads(await readActiveThreads(project, after, before, signal), sort).slice(
          offset,
          offset + PAGE_SIZE,
        )
  const ids = threads.flatMap(({ first_turn_id }) => first_turn_id ?? [])
  const calls = ids.length === 0 ? [] : await readCallsById(project, ids, signal)
  const byId = new Map(calls.map((call) => [call.id, toCallListItem(call)]))
  return {
    threads: threads.map((thread) => ({ ...thread, firstTurn: byId.get(thread.first_turn_id ?? '') })),
    next: threads.length < PAGE_SIZE ? null : offset + PAGE_SIZE,
  }
}

async function readThreadPage(
  { project_id }: Project,
  sort: ThreadSort,
  offset: number,
  signal: AbortSignal,
): Promise<readonly Thread[]> {
  const request = { project_id, sort_by: [sort], limit: PAGE_SIZE, offset }
  const found: Thread[] = []
  for await (const thread of await api.call('threads_query_stream', request, signal)) found.push(thread)
  return found
}

/** Maximum threads read for one time range, most recently active first. */
const MAX_ACTIVE_THREADS = 2000

/**
 * Reads the threads that were active in a time range. The server filters threads by start time only, so this reads
 * them by last turn, newest first, and stops at the first thread that ended before the range.
 */
async function readActiveThreads(
  { project_id }: Project,
  after: string,
  before: string | undefined,
  signal: AbortSignal,
): Promise<readonly Thread[]> {
  const sort: ThreadSort = { field: 'last_updated', direction: 'desc' }
  const request = { project_id, sort_by: [sort], limit: MAX_ACTIVE_THREADS }
  const found: Thread[] = []
  for await (const thread of await api.call('threads_query_stream', request, signal)) {
    if (endedBefore(thread, after)) break
    if (before === undefined || !startedAfter(thread, before)) found.push(thread)
  }
  return found
}
