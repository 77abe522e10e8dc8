import { ApiError } from '../../contract/api-error.ts'
import type { QueueItemsAddRequest, QueueItem } from '../../contract/queues/queues.ts'
import { parseQuery } from '../../core/query/parse.ts'
import type { Holder } from '../../core/queues/queue-lock.ts'
import { parseOptionalTime } from '../../core/metrics/time-buckets.ts'
import { formatTime } from '../../core/time/time.ts'
import { findHolders } from '../../store/queues/queue-claims.ts'
import { listQueueItems, type QueueItemRow, writeQueueItems } from '../../store/queues/queue-items.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { namedCalls } from './named-calls.ts'
import { readItem, readQueue } from './read-queue.ts'
import { MAX_QUEUE_ITEMS } from '../../contract/limits.ts'
import { listCalls } from '../../store/calls/read/list-calls.ts'

/** Handlers for the items of a queue: add, list, remove. */

/** Maximum items per queue. Every reviewer reads the whole queue. */
const DEFAULT_ADDED_ITEMS = 100

interface AddedCalls extends Omit<QueueItemsAddRequest, 'entity' | 'project'> {
  readonly display_fields?: readonly string[]
}

type ItemOperation = 'queue_items_add' | 'queue_items_list' | 'queue_item_remove'

export function queueItemsHandlers(deps: Deps): Pick<Handlers, ItemOperation> {
  const { db } = deps
  return {
    queue_items_add: async (request, { user_id }) => {
      const { project_id, queue_id } = request
      await readQueue(db, project_id, queue_id)
      return addCalls(deps, request, user_id)
    },

    queue_items_list: async ({ project_id, queue_id }) => {
      await readQueue(db, project_id, queue_id)
      const holders = await findHolders(db, project_id, queue_id)
      const rows = await listQueueItems(db, project_id, queue_id)
      return { items: rows.map((row) => viewItem(row, holders.get(row.call_id))) }
    },

    queue_item_remove: async ({ project_id, queue_id, call_id }) => {
      const row = await readItem(db, project_id, queue_id, call_id)
      await writeQueueItems(db, [row], deps.now(), true)
      return {}
    },
  }
}

/** Adds the selected calls to an existing queue. */
export async function addCalls(
  deps: Deps,
  request: AddedCalls,
  user_id: string,
): Promise<{ added: number; already: number; missing: number }> {
  const { db } = deps
  const { project_id, queue_id } = request
  const selected = await findSelectedCallIds(deps, request)
  const existing = await listQueueItems(db, project_id, queue_id)
  const queuedIds = new Set(existing.map(({ call_id }) => call_id))
  const newIds = selected.filter((id) => !queuedIds.has(id))
  if (existing.length + newIds.length > MAX_QUEUE_ITEMS) {
    throw new ApiError(
      'conflict',
      `a queue can have at most ${MAX_QUEUE_ITEMS} calls; create another queue for the rest`,
    )
  }
  const now = deps.now()
  // New items go after the existing ones, even if the clock of the node that added those was ahead.
  const last = BigInt(existing.at(-1)?.position ?? 0)
  const firstPosition = now > last ? now : last + 1n
  const rows = newIds.map((call_id, i) => ({
    project_id,
    queue_id,
    call_id,
    position: (firstPosition + BigInt(i)).toString(),
    added_by: user_id,
    added_at: formatTime(now),
    done_by: '',
    done_at: null,
    skipped_by: [],
    display_fields: request.display_fields ?? [],
  }))
  await writeQueueItems(db, rows, now)
  const requested = new Set(request.call_ids ?? selected).size
  return {
    added: newIds.length,
    already: selected.length - newIds.length,
    missing: Math.max(0, requested - selected.length),
  }
}

/** Returns the ids of existing calls: the named ones in their order, or the newest that match the filter. */
async function findSelectedCallIds(deps: Deps, request: AddedCalls): Promise<string[]> {
  const { project_id, call_ids } = request
  const named = call_ids ?? undefined
  const hasFilter = [request.filter, request.query].some((part) => part !== null && part !== undefined)
  if (named !== undefined && hasFilter) {
    throw new ApiError('invalid_request', 'select calls by call_ids or by filter and query, not by both')
  }
  const range = {
    from: parseOptionalTime(request.after, 'after'),
    before: parseOptionalTime(request.before, 'before'),
  }
  const found: string[] = []
  if (named !== undefined) {
    const ids = [...new Set(named)]
    for await (const { id } of namedCalls(deps, project_id, ids, ['id'], range)) found.push(id)
    const foundIds = new Set(found)
    return ids.filter((id) => foundIds.has(id))
  }
  const rows = await listCalls(deps, {
    project_id,
    filter: request.filter,
    query: parseQuery(request.query),
    range,
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    columns: ['id'],
    page: { limit: request.limit ?? DEFAULT_ADDED_ITEMS, offset: undefined },
    inOneStatement: true,
  })
  for await (const { id } of rows) found.push(id)
  return found
}

export function viewItem(row: QueueItemRow, holder: Holder | undefined): QueueItem {
  // A completed item is shown as not claimed, although its reviewer may still have it open.
  const isHeld = holder !== undefined && row.done_by === ''
  return {
    call_id: row.call_id,
    added_by: row.added_by,
    added_at: row.added_at,
    done_by: row.done_by === '' ? null : row.done_by,
    done_at: row.done_at,
    skipped_by: [...row.skipped_by],
    held_by: isHeld ? holder.user_id : null,
    held_until: isHeld ? formatTime(holder.until) : null,
  }
}
