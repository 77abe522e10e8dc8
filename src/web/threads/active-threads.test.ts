import { expect, test } from 'vitest'
import type { Thread } from '../../contract/calls/threads.ts'
import { startedAfter, endedBefore, sortThreads, type ThreadSort } from './active-threads.ts'

function thread(thread_id: string, turn_count: number, p50: number | null): Thread {
  return {
    thread_id,
    turn_count,
    start_time: '2026-04-01T00:00:00.000000Z',
    last_updated: '2026-04-03T00:00:00.500000Z',
    first_turn_id: null,
    last_turn_id: null,
    p50_turn_duration_ms: p50,
    p99_turn_duration_ms: null,
  }
}

test('a thread is active in every time range it overlaps', () => {
  const long = thread('long', 2, 1)
  expect(endedBefore(long, '2026-04-03T00:00:00Z')).toBe(false)
  expect(endedBefore(long, '2026-04-03T00:00:01Z')).toBe(true)
  expect(startedAfter(long, '2026-04-01T02:00:00+02:00')).toBe(false)
  expect(startedAfter(long, '2026-03-31T23:59:59Z')).toBe(true)
})

test('threads are sorted like on the server', () => {
  const threads = [thread('c', 2, null), thread('b', 2, 10), thread('a', 9, 9)]
  const ids = (field: ThreadSort['field'], direction: ThreadSort['direction']) =>
    sortThreads(threads, { field, direction }).map(({ thread_id }) => thread_id)
  expect(ids('turn_count', 'desc')).toEqual(['a', 'b', 'c'])
  expect(ids('turn_count', 'asc')).toEqual(['b', 'c', 'a'])
  expect(ids('p50_turn_duration_ms', 'asc')).toEqual(['a', 'b', 'c'])
  expect(ids('p50_turn_duration_ms', 'desc')).toEqual(['b', 'a', 'c'])
})
