import type { Client } from '../../client/client.ts'
import type { RetryOptions } from '../../client/retry.ts'
import type { Journal } from './journal.ts'
import type { Progress } from './progress.ts'
import type { RefMap } from './ref-map.ts'
import type { Report } from './report.ts'

/** The state of one import from another server. */
export interface Transfer {
  readonly from: Client
  readonly to: Client
  /** Project at the source. */
  readonly project_id: string
  /** Project at the target. */
  readonly to_project_id: string
  readonly retry: RetryOptions
  readonly journal: Journal
  readonly refs: RefMap
  readonly report: Report
  readonly progress: Progress
}

/** Processes items with bounded concurrency, in no order; stops at the first failure. */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  maxConcurrent: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, queue.length) }, worker))
}

/** Splits items into batches below a number of items and bytes; a larger item gets its own batch. */
export function splitBatches<T>(
  items: readonly T[],
  maxItems: number,
  maxBytes: number,
  sizeOf: (item: T) => number,
): T[][] {
  const batches: T[][] = []
  let batch: T[] = []
  let bytes = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (batch.length > 0 && (batch.length === maxItems || bytes + size > maxBytes)) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(item)
    bytes += size
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
