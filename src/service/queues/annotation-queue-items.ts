import { ApiError } from '../../contract/api-error.ts'
import type { AnnotationQueueItem } from '../../contract/queues/annotation-queues.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import { formatTime } from '../../core/time/time.ts'
import type { Holder } from '../../core/queues/queue-lock.ts'
import { findHolders } from '../../store/queues/queue-claims.ts'
import { listQueueItems, type StoredQueueItem } from '../../store/queues/queue-items.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { namedCalls } from './named-calls.ts'
import { addCalls } from './queue-items.ts'
import { beginReview, setItemState } from './queue-review.ts'
import { readItem, readQueue } from './read-queue.ts'
import { sortedPage } from './sorted-page.ts'

/** Handlers for the items of review queues by Weave's API: add, list, set the state. */

type Operation =
  | 'annotation_queue_add_calls'
  | 'annotation_queue_items_query'
  | 'annotation_queue_item_progress'

const ITEM_STATES = { unstarted: 'open', completed: 'done', skipped: 'skipped' } as const

export function annotationQueueItemsHandlers(deps: Deps): Pick<Handlers, Operation> {
  const { db } = deps
  return {
    annotation_queue_add_calls: async (request, { user_id }) => {
      await readQueue(db, request.project_id, request.queue_id)
      const { added, already } = await addCalls(deps, request, user_id)
      return { added_count: added, duplicates: already }
    },

    annotation_queue_items_query: async (request) => {
      const { project_id, queue_id } = request
      await readQueue(db, project_id, queue_id)
      const holders = await findHolders(db, project_id, queue_id)
      const rows = await listQueueItems(db, project_id, queue_id)
      const calls = await findCalls(deps, project_id, rows)
      const items = rows.flatMap((row, i) => {
        const call = calls.get(row.call_id)
        if (call === undefined) return []
        const position = request.include_position === true ? i + 1 : null
        return [viewItem(row, call, holders.get(row.call_id), position)]
      })
      const { annotation_states: states, ...equal } = request.filter ?? {}
      const isSelected = (item: AnnotationQueueItem): boolean =>
        (states ?? [item.annotation_state]).includes(item.annotation_state) &&
        Object.entries(equal).every(
          ([name, value]) => (value ?? undefined) === undefined || item[name as keyof typeof equal] === value,
        )
      return { items: sortedPage(items.filter(isSelected), request) }
    },

    annotation_queue_item_progress: async (request, { user_id }) => {
      const { project_id, queue_id, item_id, annotation_state } = request
      const item = { project_id, queue_id, call_id: item_id }
      const before = await readItem(db, project_id, queue_id, item_id)
      const call = (await findCalls(deps, project_id, [before])).get(item_id)
      if (call === undefined) throw new ApiError('not_found', 'the call of this item was deleted')
      if (annotation_state === 'in_progress') {
        const { row, holder } = await beginReview(deps, item, user_id)
        return { item: viewItem(row, call, holder, null) }
      }
      const row = await setItemState(deps, item, ITEM_STATES[annotation_state], user_id)
      return { item: viewItem(row, call, undefined, null) }
    },
  }
}

const COLUMNS = ['id', 'trace_id', 'op_name', 'started_at', 'ended_at'] as const

/** The calls of these items, by id, without payloads. */
async function findCalls(
  deps: Deps,
  project_id: string,
  items: readonly StoredQueueItem[],
): Promise<ReadonlyMap<string, StoredCallRow>> {
  const calls = new Map<string, StoredCallRow>()
  const ids = items.map(({ call_id }) => call_id)
  for await (const row of namedCalls(deps, project_id, ids, COLUMNS)) calls.set(row.id, row)
  return calls
}

function viewItem(
  row: StoredQueueItem,
  call: StoredCallRow,
  holder: Holder | undefined,
  position_in_queue: number | null,
): AnnotationQueueItem {
  return {
    id: row.call_id,
    project_id: row.project_id,
    queue_id: row.queue_id,
    call_id: row.call_id,
    call_started_at: call.started_at,
    call_ended_at: call.ended_at ?? null,
    call_op_name: call.op_name,
    call_trace_id: call.trace_id,
    display_fields: [...row.display_fields],
    added_by: row.added_by,
    ...annotationState(row, holder),
    created_at: row.added_at,
    created_by: row.added_by,
    updated_at: formatTime(BigInt(row.version)),
    deleted_at: null,
    position_in_queue,
  }
}

/** An item has one state, not one per reviewer: it is done by one person, and open to others who did not skip it. */
function annotationState(
  row: StoredQueueItem,
  holder: Holder | undefined,
): Pick<AnnotationQueueItem, 'annotation_state' | 'annotator_user_id'> {
  if (row.done_by !== '') return { annotation_state: 'completed', annotator_user_id: row.done_by }
  if (holder !== undefined) return { annotation_state: 'in_progress', annotator_user_id: holder.user_id }
  const skipped_by = row.skipped_by.at(-1)
  if (skipped_by !== undefined) return { annotation_state: 'skipped', annotator_user_id: skipped_by }
  return { annotation_state: 'unstarted', annotator_user_id: null }
}
