import type { Queue } from '../../contract/queues/queues.ts'
import { formatTime } from '../../core/time/time.ts'
import { countQueueItems, type QueueProgress } from '../../store/queues/queue-items.ts'
import { deleteQueue, listQueues, type QueueRow, writeQueue } from '../../store/queues/queues.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { annotationQueueItemsHandlers } from './annotation-queue-items.ts'
import { annotationQueuesHandlers } from './annotation-queues.ts'
import { queueItemsHandlers } from './queue-items.ts'
import { queueResultsHandlers } from './queue-results.ts'
import { queueReviewHandlers } from './queue-review.ts'
import { readQueue } from './read-queue.ts'

type QueueOperation = Extract<keyof Handlers, `queue${string}` | `annotation_queue${string}`>

/** Handlers for review queues. */
export function queuesHandlers(deps: Deps): Pick<Handlers, QueueOperation> {
  const { db } = deps

  const withProgress = async (row: QueueRow, user_id: string): Promise<Queue> =>
    viewQueue(row, (await countQueueItems(db, row.project_id, user_id)).get(row.id))

  return {
    queues_list: async ({ project_id }, { user_id }) => {
      const counts = await countQueueItems(db, project_id, user_id)
      const rows = await listQueues(db, project_id)
      return { queues: rows.map((row) => viewQueue(row, counts.get(row.id))) }
    },

    queue_create: async ({ project_id, name, description, scores }, { user_id }) => {
      const now = deps.now()
      const row = {
        project_id,
        id: deps.newId(),
        name,
        description: description ?? '',
        scores: scores ?? [],
        scorer_refs: [],
        created_by: user_id,
        created_at: formatTime(now),
      }
      await writeQueue(db, row, now)
      return viewQueue(row, undefined)
    },

    queue_read: async ({ project_id, queue_id }, { user_id }) =>
      withProgress(await readQueue(db, project_id, queue_id), user_id),

    queue_update: async ({ project_id, queue_id, name, description, scores }, { user_id }) => {
      const before = await readQueue(db, project_id, queue_id)
      const row = {
        ...before,
        name: name ?? before.name,
        description: description ?? before.description,
        scores: scores ?? before.scores,
      }
      await writeQueue(db, row, deps.now())
      return withProgress(row, user_id)
    },

    queue_delete: async ({ project_id, queue_id }) => {
      await readQueue(db, project_id, queue_id)
      await deleteQueue(db, project_id, queue_id, deps.now())
      return {}
    },

    ...queueItemsHandlers(deps),
    ...queueReviewHandlers(deps),
    ...queueResultsHandlers(deps),
    ...annotationQueuesHandlers(deps),
    ...annotationQueueItemsHandlers(deps),
  }
}

function viewQueue(row: QueueRow, progress: QueueProgress | undefined): Queue {
  const { id, name, description, scores, created_by, created_at } = row
  const { total, done, skipped } = progress ?? { total: 0, done: 0, skipped: 0 }
  return { id, name, description, scores: [...scores], created_by, created_at, total, done, skipped }
}
