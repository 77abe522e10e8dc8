import type { LiveEvent } from '../../contract/live/live.ts'
import type { LiveCursor, LivePosition } from '../../core/live/live-cursor.ts'
import { after, eventsOf, type History, type LogRow } from '../../core/live/live-events.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../../store/database/database.ts'
import { KEPT_MICROS, listBefore, listLive, listSaid, type LiveOrder } from '../../store/live/live-log.ts'

export interface LiveOptions {
  /** How often the log is asked while somebody listens. */
  readonly pollMs: number
  readonly heartbeatMs: number
  /** Rows read at once. */
  readonly pageRows: number
  /** Events that wait for one client; whoever is further behind is let go, and comes back with its cursor. */
  readonly maxWaiting: number
  readonly order: LiveOrder
}

/** An event and the row that it is of. */
export interface Told extends LivePosition {
  readonly event: LiveEvent
}

export interface LivePage {
  readonly told: readonly Told[]
  readonly next: LiveCursor
  /** Nothing more was stored when this was read. */
  readonly isLast: boolean
}

/** What the log says from the cursor on, resends left out. */
export async function readPage(
  db: Database,
  project_id: string,
  cursor: LiveCursor,
  { pageRows: limit, order }: Pick<LiveOptions, 'pageRows' | 'order'>,
): Promise<LivePage> {
  const rows = await listLive(db, project_id, cursor, { limit, order })
  const last = rows.at(-1)
  if (last === undefined) return { told: [], next: cursor, isLast: true }
  const history = await readHistory(db, project_id, rows, order)
  const told = rows.flatMap((row) => {
    const isCut = row.block === cursor.block && row.offset === cursor.offset
    const events = eventsOf(row, history).slice(isCut ? cursor.step : 0)
    return events.map((event): Told => ({ event, block: row.block, offset: row.offset }))
  })
  return { told, next: after(last), isLast: rows.length < limit }
}

async function readHistory(
  db: Database,
  project_id: string,
  rows: readonly LogRow[],
  order: LiveOrder,
): Promise<History> {
  const began = (rows[0]?.at ?? 0n) - KEPT_MICROS
  const [said, before] = await Promise.all([
    listSaid(db, project_id, idsOf(rows), order),
    listBefore(db, project_id, idsOf(rows.filter((row) => isOlder(row, began)))),
  ])
  return { said, before, began }
}

/** Of a call that began before the log did, something may have been told that the log has forgotten. */
function isOlder(row: LogRow, began: Micros): boolean {
  return row.noun === 'call' && !row.is_deleted && (parseTime(row.started_at) ?? 0n) < began
}

function idsOf(rows: readonly LogRow[]): string[] {
  return [...new Set(rows.map((row) => row.id))]
}
