import { ApiError } from '../../contract/api-error.ts'
import { formatTime } from '../../core/time/time.ts'
import { claimItem, findHolders, type Holders } from '../../store/queues/queue-claims.ts'
import {
  findQueueItem,
  listQueueItems,
  type QueueItemRow,
  writeQueueItems,
} from '../../store/queues/queue-items.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { viewItem } from './queue-items.ts'
import { readItem, readQueue } from './read-queue.ts'

/** Who judges which item when. */

/** A page that is open renews its claim three times as often: one request may be lost, and a closed laptop lets go soon. */
const CLAIM_SECONDS = 180

type TurnOperation = 'queue_next' | 'queue_item_claim' | 'queue_item_release' | 'queue_item_set_state'

export function queueTurnHandlers(deps: Deps): Pick<Handlers, TurnOperation> {
  const { db } = deps

  interface Item {
    readonly project_id: string
    readonly queue_id: string
    readonly call_id: string
  }

  const claim = (item: Item, user_id: string, seconds: number): Promise<Holders> => {
    const { project_id, queue_id, call_id } = item
    return claimItem(db, { project_id, queue_id, call_id, user_id, seconds })
  }

  return {
    queue_next: async (request, { user_id }) => {
      const { project_id, queue_id } = request
      await readQueue(db, project_id, queue_id)
      let holders = await findHolders(db, project_id, queue_id)
      const rows = await listQueueItems(db, project_id, queue_id)
      const open = rows.filter((row) => row.done_by === '')
      const isOthers = ({ call_id }: Item): boolean => {
        const holder = holders.get(call_id)
        return holder !== undefined && holder.user_id !== user_id
      }
      const wanted = inOrder(rows, open, request.behind ?? undefined, (row) => holders.has(row.call_id))
      const progress = {
        total: rows.length,
        done: rows.length - open.length,
        skipped: open.filter((row) => row.skipped_by.includes(user_id)).length,
        held: open.filter(isOthers).length,
      }
      for (const row of wanted) {
        if (row.skipped_by.includes(user_id) && request.include_skipped !== true) continue
        if (isOthers(row)) continue
        holders = await claim(row, user_id, CLAIM_SECONDS)
        if (holders.get(row.call_id)?.user_id !== user_id) continue
        // Whoever had it may have judged it since it was read above: they write that before they let go of it.
        const now = await findQueueItem(db, project_id, queue_id, row.call_id)
        if (now?.done_by === '') return { item: viewItem(now, holders.get(row.call_id)), ...progress }
        await claim(row, user_id, 0)
      }
      return { item: null, ...progress }
    },

    queue_item_claim: async ({ project_id, queue_id, call_id }, { user_id }) => {
      const row = await readItem(db, project_id, queue_id, call_id)
      const holders = await claim(row, user_id, CLAIM_SECONDS)
      return viewItem(row, holders.get(call_id))
    },

    queue_item_release: async ({ project_id, queue_id, call_id }, { user_id }) => {
      const row = await readItem(db, project_id, queue_id, call_id)
      const holders = await claim(row, user_id, 0)
      return viewItem(row, holders.get(call_id))
    },

    queue_item_set_state: async ({ project_id, queue_id, call_id, state }, { user_id }) => {
      const item = await readItem(db, project_id, queue_id, call_id)
      const holder = (await claim(item, user_id, CLAIM_SECONDS)).get(call_id)
      if (holder === undefined || holder.user_id !== user_id) {
        throw new ApiError('conflict', `${holder?.user_id ?? 'somebody else'} has this call open right now`, {
          extra: { held_by: holder?.user_id ?? null },
        })
      }
      // As it is now that nobody else writes it: whoever held it a moment ago may have settled it since it was read.
      const before = await readItem(db, project_id, queue_id, call_id)
      if (state === 'done' && before.done_by !== '' && before.done_by !== user_id) {
        throw new ApiError(
          'conflict',
          `${before.done_by} has judged this call; open it again to judge it anew`,
          {
            extra: { done_by: before.done_by },
          },
        )
      }
      // Only the holder writes the row, and lets go of it after that: nothing can come in between.
      const now = deps.now()
      const row = settled(before, state, user_id, formatTime(now))
      await writeQueueItems(db, [row], now)
      // Nobody waits for one that is done.
      if (state !== 'done') await claim(row, user_id, 0)
      return viewItem(row, undefined)
    },
  }
}

/** What the caller has open comes first, then what follows `behind`, then from the beginning. */
function inOrder(
  rows: readonly QueueItemRow[],
  open: readonly QueueItemRow[],
  behind: string | undefined,
  isHeld: (row: QueueItemRow) => boolean,
): QueueItemRow[] {
  if (behind === undefined) return [...open].sort((a, b) => Number(isHeld(b)) - Number(isHeld(a)))
  const order = new Map(rows.map(({ call_id }, i) => [call_id, i]))
  const at = order.get(behind) ?? -1
  const isLater = ({ call_id }: QueueItemRow): boolean => (order.get(call_id) ?? 0) > at
  const others = open.filter(({ call_id }) => call_id !== behind)
  return [...others.filter(isLater), ...others.filter((row) => !isLater(row))]
}

function settled(
  row: QueueItemRow,
  state: 'done' | 'skipped' | 'open',
  user_id: string,
  now: string,
): QueueItemRow {
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
