import { ApiError } from '../../contract/api-error.ts'
import type { ChosenCalls, QueueItem } from '../../contract/queues/queues.ts'
import { parseQuery } from '../../core/query/parse.ts'
import type { Holder } from '../../core/queues/queue-lock.ts'
import { timeOrNone } from '../../core/metrics/time-buckets.ts'
import { formatTime } from '../../core/time/time.ts'
import { startedWithin, streamCalls } from '../../store/calls/read.ts'
import { callConditions } from '../../store/calls/selection.ts'
import type { Database } from '../../store/database/database.ts'
import { findHolders } from '../../store/queues/queue-claims.ts'
import { listQueueItems, type QueueItemRow, writeQueueItems } from '../../store/queues/queue-items.ts'
import { sql } from '../../store/query/sql.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { readItem, readQueue } from './read-queue.ts'

/** A queue is read whole by whoever judges in it. */
const MOST_ITEMS = 10_000
const USUAL_ITEMS = 100

type ItemOperation = 'queue_items_add' | 'queue_items_list' | 'queue_item_remove'

export function queueItemsHandlers(deps: Deps): Pick<Handlers, ItemOperation> {
  const { db } = deps
  return {
    queue_items_add: async (request, { user_id }) => {
      const { project_id, queue_id } = request
      await readQueue(db, project_id, queue_id)
      const chosen = await chosenCalls(db, request)
      const known = await listQueueItems(db, project_id, queue_id)
      const inQueue = new Set(known.map(({ call_id }) => call_id))
      const fresh = chosen.filter((id) => !inQueue.has(id))
      if (known.length + fresh.length > MOST_ITEMS) {
        throw new ApiError(
          'conflict',
          `a queue has at most ${MOST_ITEMS} calls; make another one for the rest`,
        )
      }
      const now = deps.now()
      // Behind what is there, whatever the clock of the node said that added it.
      const last = BigInt(known.at(-1)?.position ?? 0)
      const begin = now > last ? now : last + 1n
      const rows = fresh.map((call_id, i) => ({
        project_id,
        queue_id,
        call_id,
        position: (begin + BigInt(i)).toString(),
        added_by: user_id,
        added_at: formatTime(now),
        done_by: '',
        done_at: null,
        skipped_by: [],
      }))
      await writeQueueItems(db, rows, now)
      const asked = new Set(request.call_ids ?? chosen).size
      return {
        added: fresh.length,
        already: chosen.length - fresh.length,
        missing: Math.max(0, asked - chosen.length),
      }
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

/** The ids of those that are there: as they were named, or the newest that match. */
async function chosenCalls(db: Database, request: ChosenCalls): Promise<string[]> {
  const { project_id, call_ids } = request
  if (Array.isArray(call_ids) && call_ids.length === 0) return []
  const named = call_ids ?? undefined
  const hasFilter = [request.filter, request.query].some((part) => part !== null && part !== undefined)
  if (named !== undefined && hasFilter) {
    throw new ApiError('invalid_request', 'name calls by their ids or by a filter, not by both')
  }
  const filter = named === undefined ? request.filter : { call_ids: named }
  const span = {
    from: timeOrNone(request.after, 'after'),
    before: timeOrNone(request.before, 'before'),
  }
  const found: string[] = []
  const rows = streamCalls(db, {
    project_id,
    conditions: [...startedWithin(span), ...callConditions(project_id, filter, parseQuery(request.query))],
    order: [sql`started_at DESC`, sql`id DESC`],
    columns: ['id'],
    page: { limit: named?.length ?? request.limit ?? USUAL_ITEMS, offset: undefined },
  })
  for await (const { id } of rows) found.push(id)
  if (named === undefined) return found
  const there = new Set(found)
  return [...new Set(named)].filter((id) => there.has(id))
}

export function viewItem(row: QueueItemRow, holder: Holder | undefined): QueueItem {
  // What is done is not kept from anybody: whoever judged it may have it open still.
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
