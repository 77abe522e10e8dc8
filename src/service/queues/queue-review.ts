import { ApiError } from '../../contract/api-error.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { formatTime } from '../../core/time/time.ts'
import { claimItem, findHolders, type Holders } from '../../store/queues/queue-claims.ts'
import {
  findQueueItem,
  listQueueItems,
  type QueueItemRow,
  type StoredQueueItem,
  writeQueueItems,
} from '../../store/queues/queue-items.ts'
import type { Database } from '../../store/database/database.ts'
import { nextVersion } from '../../store/query/versions.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { viewItem } from './queue-items.ts'
import { readItem, readQueue } from './read-queue.ts'

/** Handlers for reviewing a queue: next item, claim, release, set state. */

/**
 * Duration of a claim. An open page renews its claim three times per duration, so that one lost request is tolerated
 * and a closed laptop releases the item soon.
 */
const CLAIM_SECONDS = 180

type ItemState = RequestOf<'queue_item_set_state'>['state']

interface Item {
  readonly project_id: string
  readonly queue_id: string
  readonly call_id: string
}

type ReviewOperation = 'queue_next' | 'queue_item_claim' | 'queue_item_release' | 'queue_item_set_state'

export function queueReviewHandlers(deps: Deps): Pick<Handlers, ReviewOperation> {
  const { db } = deps

  return {
    queue_next: async (request, { user_id }) => {
      const { project_id, queue_id } = request
      await readQueue(db, project_id, queue_id)
      let holders = await findHolders(db, project_id, queue_id)
      const rows = await listQueueItems(db, project_id, queue_id)
      const open = rows.filter((row) => row.done_by === '')
      const isHeldByOther = ({ call_id }: Item): boolean => {
        const holder = holders.get(call_id)
        return holder !== undefined && holder.user_id !== user_id
      }
      const candidates = inReviewOrder(rows, open, request.after ?? undefined, (row) =>
        holders.has(row.call_id),
      )
      const progress = {
        total: rows.length,
        done: rows.length - open.length,
        skipped: open.filter((row) => row.skipped_by.includes(user_id)).length,
        held: open.filter(isHeldByOther).length,
      }
      for (const row of candidates) {
        if (row.skipped_by.includes(user_id) && request.include_skipped !== true) continue
        if (isHeldByOther(row)) continue
        holders = await claim(db, row, user_id, CLAIM_SECONDS)
        if (holders.get(row.call_id)?.user_id !== user_id) continue
        // The previous holder may have completed the item since it was read above: the state is written before the
        // claim is released.
        const current = await findQueueItem(db, project_id, queue_id, row.call_id)
        if (current?.done_by === '') return { item: viewItem(current, holders.get(row.call_id)), ...progress }
        await claim(db, row, user_id, 0)
      }
      return { item: null, ...progress }
    },

    queue_item_claim: async ({ project_id, queue_id, call_id }, { user_id }) => {
      const row = await readItem(db, project_id, queue_id, call_id)
      const holders = await claim(db, row, user_id, CLAIM_SECONDS)
      return viewItem(row, holders.get(call_id))
    },

    queue_item_release: async ({ project_id, queue_id, call_id }, { user_id }) => {
      const row = await readItem(db, project_id, queue_id, call_id)
      const holders = await claim(db, row, user_id, 0)
      return viewItem(row, holders.get(call_id))
    },

    queue_item_set_state: async ({ state, ...item }, { user_id }) =>
      viewItem(await setItemState(deps, item, state, user_id), undefined),
  }
}

function claim(db: Database, item: Item, user_id: string, seconds: number): Promise<Holders> {
  const { project_id, queue_id, call_id } = item
  return claimItem(db, { project_id, queue_id, call_id, user_id, seconds })
}

/** Claims an item and reads it under the claim; throws `conflict` if another user holds it. */
async function holdItem(db: Database, item: Item, user_id: string) {
  const { project_id, queue_id, call_id } = item
  await readItem(db, project_id, queue_id, call_id)
  const holder = (await claim(db, item, user_id, CLAIM_SECONDS)).get(call_id)
  if (holder === undefined || holder.user_id !== user_id) {
    const message = `${holder?.user_id ?? 'another user'} is reviewing this call; try again when the claim is released`
    throw new ApiError('conflict', message, { extra: { held_by: holder?.user_id ?? null } })
  }
  // Read again under the claim: the previous holder may have changed the state since the first read.
  return { row: await readItem(db, project_id, queue_id, call_id), holder }
}

/** Claims an open item; throws `conflict` if another user holds it or anyone has completed it. */
export async function beginReview({ db }: Deps, item: Item, user_id: string) {
  const { project_id, queue_id, call_id } = item
  // Read before the claim, because the reviewer of a completed item may still hold it.
  const before = await readItem(db, project_id, queue_id, call_id)
  if (before.done_by !== '') throw completed(before)
  const held = await holdItem(db, item, user_id)
  if (held.row.done_by !== '') throw completed(held.row)
  return held
}

/** Sets the state of an item and releases it; throws `conflict` if another user holds or has completed it. */
export async function setItemState(
  { db, now: clock }: Deps,
  item: Item,
  state: ItemState,
  user_id: string,
): Promise<StoredQueueItem> {
  const { row: before } = await holdItem(db, item, user_id)
  if (state === 'done' && before.done_by !== '' && before.done_by !== user_id) throw completed(before)
  // Only the holder writes the row, and it releases the claim afterwards, so no write can come in between.
  const now = clock()
  const row = withState(before, state, user_id, formatTime(now))
  await writeQueueItems(db, [row], now)
  // A completed item needs no release, because nobody waits for it.
  if (state !== 'done') await claim(db, row, user_id, 0)
  return { ...row, version: nextVersion(now, BigInt(before.version)) }
}

function completed({ done_by }: QueueItemRow): ApiError {
  const message = `${done_by} has completed this call; reopen it to review it again`
  return new ApiError('conflict', message, { extra: { done_by } })
}

/**
 * Orders the open items for review. Without `after`: claimed ones first. With it: those after it, then those from the
 * start.
 */
function inReviewOrder(
  rows: readonly QueueItemRow[],
  open: readonly QueueItemRow[],
  after: string | undefined,
  isHeld: (row: QueueItemRow) => boolean,
): QueueItemRow[] {
  if (after === undefined) return [...open].sort((a, b) => Number(isHeld(b)) - Number(isHeld(a)))
  const order = new Map(rows.map(({ call_id }, i) => [call_id, i]))
  const at = order.get(after) ?? -1
  const isLater = ({ call_id }: QueueItemRow): boolean => (order.get(call_id) ?? 0) > at
  const others = open.filter(({ call_id }) => call_id !== after)
  return [...others.filter(isLater), ...others.filter((row) => !isLater(row))]
}

function withState(row: QueueItemRow, state: ItemState, user_id: string, now: string): QueueItemRow {
  const others = row.skipped_by.filter((user) => user !== user_id)
  switch (state) {
    case 'done':
      return { ...row, done_by: user_id, done_at: now, skipped_by: others }
    case 'skipped':
      return { ...row, done_by: '', done_at: null, skipped_by: [...others, user_id] }
    case 'open':
      return { ...row, done_by: '', done_at: null, skipped_by: others }
  }
}
