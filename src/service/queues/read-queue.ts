import { ApiError } from '../../contract/api-error.ts'
import type { Database } from '../../store/database/database.ts'
import { findQueueItem, type StoredQueueItem } from '../../store/queues/queue-items.ts'
import { findQueue, type StoredQueue } from '../../store/queues/queues.ts'

/** Reads queues and their items, or throws `not_found`. */

/** Reads a queue; throws `not_found` if there is none. */
export async function readQueue(db: Database, project_id: string, queue_id: string): Promise<StoredQueue> {
  const row = await findQueue(db, project_id, queue_id)
  if (row === undefined) throw new ApiError('not_found', 'there is no such queue; it may have been deleted')
  return row
}

/** Reads an item of a queue; throws `not_found` if the queue or the item does not exist. */
export async function readItem(
  db: Database,
  project_id: string,
  queue_id: string,
  call_id: string,
): Promise<StoredQueueItem> {
  await readQueue(db, project_id, queue_id)
  const row = await findQueueItem(db, project_id, queue_id, call_id)
  if (row === undefined)
    throw new ApiError('not_found', 'this call is not in the queue; it may have been removed')
  return row
}
