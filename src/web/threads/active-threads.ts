import type { Thread } from '../../contract/calls/threads.ts'

export interface ThreadSort {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

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
    const [left, right] = [sortValue(a, field), sortValue(b, field)]
    if (left === right) return a.thread_id < b.thread_id ? -1 : 1
    if (left === null || right === null) return left === null ? 1 : -1
    return left < right ? -sign : sign
  })
}

function sortValue(thread: Thread, field: string): number | string | null {
  return Object.hasOwn(thread, field) ? thread[field as keyof Thread] : null
}
