import type { LiveEvent } from '../../contract/live/live.ts'
import type { LiveCursor, LivePosition } from '../../core/live/live-cursor.ts'
import { cursorAfter, liveEvents, type LogHistory, type LogRow } from '../../core/live/live-events.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../../store/database/database.ts'
import {
  RETENTION_MICROS,
  listStoredBefore,
  listLive,
  listLogged,
  type LiveOrder,
} from '../../store/live/live-log.ts'

/** Reads pages of the live log as events. */

/** Timing and size limits of the live feed. */
export interface LiveOptions {
  /** Interval between polls of the log while there are subscribers. */
  readonly pollMs: number
  readonly heartbeatMs: number
  /** Rows per page. */
  readonly pageRows: number
  /** Maximum queued events per client. A slower client is disconnected and resumes with its cursor. */
  readonly maxQueuedEvents: number
  readonly order: LiveOrder
}

/** An event with the position of its row in the log. */
export interface PositionedEvent extends LivePosition {
  readonly event: LiveEvent
}

export interface LivePage {
  readonly events: readonly PositionedEvent[]
  readonly next: LiveCursor
  /** There were no further rows when this page was read. */
  readonly isLast: boolean
}

/** Reads the events after the cursor, without those of resends. */
export async function readPage(
  db: Database,
  project_id: string,
  cursor: LiveCursor,
  { pageRows: limit, order }: Pick<LiveOptions, 'pageRows' | 'order'>,
): Promise<LivePage> {
  const rows = await listLive(db, project_id, cursor, { limit, order })
  const last = rows.at(-1)
  if (last === undefined) return { events: [], next: cursor, isLast: true }
  const history = await readHistory(db, project_id, rows, order)
  const events = rows.flatMap((row) => {
    const isResumed = row.block === cursor.block && row.offset === cursor.offset
    const unsent = liveEvents(row, history).slice(isResumed ? cursor.step : 0)
    return unsent.map((event): PositionedEvent => ({ event, block: row.block, offset: row.offset }))
  })
  return { events, next: cursorAfter(last), isLast: rows.length < limit }
}

async function readHistory(
  db: Database,
  project_id: string,
  rows: readonly LogRow[],
  order: LiveOrder,
): Promise<LogHistory> {
  const logStart = (rows[0]?.at ?? 0n) - RETENTION_MICROS
  const [priorRows, storedBefore] = await Promise.all([
    listLogged(db, project_id, callIds(rows), order),
    listStoredBefore(db, project_id, callIds(rows.filter((row) => startedBeforeLog(row, logStart)))),
  ])
  return { priorRows, storedBefore, logStart }
}

/** Whether a call started before the log's retention: events of it may already have expired from the log. */
function startedBeforeLog(row: LogRow, logStart: Micros): boolean {
  return row.record_type === 'call' && !row.is_deleted && (parseTime(row.started_at) ?? 0n) < logStart
}

function callIds(rows: readonly LogRow[]): string[] {
  return [...new Set(rows.map((row) => row.id))]
}
