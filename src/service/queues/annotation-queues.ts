import type { AnnotationQueue } from '../../contract/queues/annotation-queues.ts'
import { refsOfScores, scoresOfRefs } from '../../core/queues/scorer-refs.ts'
import { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { formatTime } from '../../core/time/time.ts'
import { countQueueItems } from '../../store/queues/queue-items.ts'
import { deleteQueue, listQueues, type StoredQueue, writeQueue } from '../../store/queues/queues.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { readQueue } from './read-queue.ts'
import { sortedPage } from './sorted-page.ts'

/** Handlers for review queues by Weave's API: create, list, read, update, delete, count. */

type Operation =
  | 'annotation_queue_create'
  | 'annotation_queues_query'
  | 'annotation_queues_stats'
  | 'annotation_queue_read'
  | 'annotation_queue_update'
  | 'annotation_queue_delete'

export function annotationQueuesHandlers(deps: Deps): Pick<Handlers, Operation> {
  const { db } = deps
  return {
    annotation_queue_create: async ({ project_id, name, description, scorer_refs }, { user_id }) => {
      const now = deps.now()
      const id = deps.newId()
      const row = {
        project_id,
        id,
        name,
        description: description ?? '',
        scores: scoresOfRefs(scorer_refs),
        scorer_refs,
        created_by: user_id,
        created_at: formatTime(now),
      }
      await writeQueue(db, row, now)
      return { id }
    },

    annotation_queues_query: async (request) => {
      const name = (request.name ?? '').toLowerCase()
      const rows = await listQueues(db, request.project_id)
      const queues = rows.filter((row) => row.name.toLowerCase().includes(name)).map((row) => viewQueue(row))
      return new BatchedStream(oneBatch(sortedPage(queues, request)))
    },

    annotation_queues_stats: async ({ project_id, queue_ids }, { user_id }) => {
      const counts = await countQueueItems(db, project_id, user_id)
      const known = new Set((await listQueues(db, project_id)).map(({ id }) => id))
      const stats = [...new Set(queue_ids)]
        .filter((id) => known.has(id))
        .map((queue_id) => {
          const { total, reviewed } = counts.get(queue_id) ?? { total: 0, reviewed: 0 }
          return { queue_id, total_items: total, completed_items: reviewed }
        })
      return { stats }
    },

    annotation_queue_read: async ({ project_id, queue_id }) => ({
      queue: viewQueue(await readQueue(db, project_id, queue_id)),
    }),

    annotation_queue_update: async ({ project_id, queue_id, name, description, scorer_refs }) => {
      const before = await readQueue(db, project_id, queue_id)
      const row = {
        ...before,
        name: name ?? before.name,
        description: description ?? before.description,
        ...(scorer_refs ? { scorer_refs, scores: scoresOfRefs(scorer_refs) } : {}),
      }
      const version = await writeQueue(db, row, deps.now())
      return { queue: viewQueue({ ...row, version }) }
    },

    annotation_queue_delete: async ({ project_id, queue_id }) => {
      const row = await readQueue(db, project_id, queue_id)
      const now = deps.now()
      await deleteQueue(db, project_id, queue_id, now)
      return { queue: { ...viewQueue(row), deleted_at: formatTime(now) } }
    },
  }
}

async function* oneBatch<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  yield items
}

function viewQueue(row: StoredQueue): AnnotationQueue {
  const { id, project_id, name, description, created_at, created_by } = row
  return {
    id,
    project_id,
    name,
    description,
    scorer_refs: refsOfScores(project_id, row.scores, row.scorer_refs),
    created_at,
    created_by,
    updated_at: formatTime(BigInt(row.version)),
    deleted_at: null,
  }
}
