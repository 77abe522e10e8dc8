import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Thread } from '../../contract/calls/threads.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { type CallListItem, toCallListItem } from '../call/call-list-item.ts'
import { rangeBounds, type TimeRange } from '../time/range.ts'
import { readCallsById } from '../call/read-calls.ts'
import type { Filter } from '../filter/ast.ts'
import { type Activity, MAX_GROUPS, readGroups } from '../users/read-groups.ts'
import { startedAfter, endedBefore, sortThreads, type ThreadSort } from './active-threads.ts'

const PAGE_SIZE = 50

export interface ListedThread extends Thread {
  /** The first turn; undefined if that call was deleted. */
  readonly firstTurn: CallListItem | undefined
  /** Totals of its turns; undefined if they were deleted. */
  readonly activity: Activity | undefined
}

interface ThreadPage {
  readonly threads: readonly ListedThread[]
  readonly next: number | null
}

/** Threads in a time range, or of all time those that contain a text. */
export function useThreads(project: Project, range: TimeRange, sort: ThreadSort, text: string | undefined) {
  return useInfiniteQuery({
    queryKey: ['threads', project.project_id, range, sort, text],
    queryFn: ({ pageParam, signal }) =>
      text === undefined
        ? readThreads(project, range, sort, pageParam, signal)
        : searchThreads(project, range, sort, text, signal),
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
  return {
    threads: await addDetails(project, threads, signal),
    next: threads.length < PAGE_SIZE ? null : offset + PAGE_SIZE,
  }
}

/** Adds the first turns and the totals. */
async function addDetails(
  project: Project,
  threads: readonly Thread[],
  signal: AbortSignal,
): Promise<readonly ListedThread[]> {
  if (threads.length === 0) return []
  const [calls, activities] = await Promise.all([
    readCallsById(
      project,
      threads.flatMap(({ first_turn_id }) => first_turn_id ?? []),
      { signal },
    ),
    readGroups(project, { by: 'thread', range: ALL_TIME, filter: isOneOf(threads) }, signal),
  ])
  const byId = new Map(calls.map((call) => [call.id, toCallListItem(call)]))
  const byThread = new Map(activities.map((activity) => [activity.key, activity]))
  return threads.map((thread) => ({
    ...thread,
    firstTurn: byId.get(thread.first_turn_id ?? ''),
    activity: byThread.get(thread.thread_id),
  }))
}

const ALL_TIME: TimeRange = { kind: 'all' }

function isOneOf(threads: readonly Thread[]): Filter {
  const values = threads.map(({ thread_id }) => ({ kind: 'text' as const, text: thread_id }))
  return { kind: 'in', field: 'thread', values, isNegated: false }
}

/** Threads whose ID or calls contain the text: at most as many as the server groups by. */
async function searchThreads(
  project: Project,
  range: TimeRange,
  sort: ThreadSort,
  text: string,
  signal: AbortSignal,
): Promise<ThreadPage> {
  const inId: Filter = { kind: 'contains', field: 'thread', value: text, isNegated: false }
  const found = await Promise.all([
    readGroups(project, { by: 'thread', range, text, isKeysOnly: true }, signal),
    readGroups(project, { by: 'thread', range, filter: inId, isKeysOnly: true }, signal),
  ])
  const thread_ids = [...new Set(found.flat().map(({ key }) => key))].slice(0, MAX_GROUPS)
  if (thread_ids.length === 0) return { threads: [], next: null }
  const request = { project_id: project.project_id, filter: { thread_ids }, limit: MAX_GROUPS }
  const threads: Thread[] = []
  for await (const thread of await api.call('threads_query_stream', request, signal)) threads.push(thread)
  return { threads: await addDetails(project, sortThreads(threads, sort), signal), next: null }
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
