import type { Client } from '../../client/client.ts'
import type { Patience } from '../../client/retrying-fetch.ts'
import type { Journal } from './journal.ts'
import type { Progress } from './progress.ts'
import type { RefMap } from './ref-map.ts'
import type { Report } from './report.ts'

/** One import: both sides, and what is known of it so far. */
export interface Transfer {
  readonly from: Client
  readonly to: Client
  /** At the source. */
  readonly project_id: string
  /** At the target. */
  readonly to_project_id: string
  readonly patience: Patience
  readonly journal: Journal
  readonly refs: RefMap
  readonly report: Report
  readonly progress: Progress
}

/** A few at once, in no order; the first failure ends it. */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(width, queue.length) }, worker))
}

/** Groups that stay below a number of items and of bytes; an item that is larger stands alone. */
export function inBatches<T>(
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
