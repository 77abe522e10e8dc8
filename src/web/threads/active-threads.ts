import type { Thread, ThreadSort as ThreadSorts } from '../../contract/calls/threads.ts'

export type ThreadSort = Readonly<NonNullable<ThreadSorts>[number]>

export function endedBefore({ last_updated }: Thread, time: string): boolean {
  return Date.parse(last_updated) < Date.parse(time)
}

export function startedAfter({ start_time }: Thread, time: string): boolean {
  return Date.parse(start_time) > Date.parse(time)
}

/** Sorts like the server: by field, then by id; null values last. */
export function sortThreads(threads: readonly Thread[], { field, direction }: ThreadSort): Thread[] {
  const sign = direction === 'asc' ? 1 : -1
  return threads.toSorted((a, b) => {
    const [left, right] = [a[field], b[field]]
    if (left === right) return a.thread_id < b.thread_id ? -1 : 1
    if (left === null || right === null) return left === null ? 1 : -1
    return left < right ? -sign : sign
  })
}
