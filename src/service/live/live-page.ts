import type { LiveEvent } from '../../contract/live/live.ts'
import type { LiveCursor, LivePosition } from '../../core/live/live-cursor.ts'
import { cursorAfter, liveEvents, type LogHistory, type LogRow } from '../../core/live/live-events.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../../store/database/database.ts'
import {
  listLive,
  listLogged,
  listStoredBefore,
  type LiveOrder,
  type ProjectCursor,
  type ProjectRecords,
  RETENTION_MICROS,
} from '../../store/live/live-log.ts'

/** Reads pages of the live log as events. */

/** Timing and size limits of the live feed. */
export interface LiveOptions {
  /** Interval between polls of the log while there are subscribers. */
  readonly pollMs: number
  readonly heartbeatMs: number
  /** Rows per page of one project. */
  readonly pageRows: number
  /** Rows of all projects per poll. A project with more than its share is read on in pages of its own. */
  readonly pollRows: number
  /** Maximum queued events per client. A slower client is disconnected and resumes with its cursor. */
  readonly maxQueuedEvents: number
  /** Maximum streams of one user in this process. */
  readonly maxStreamsPerUser: number
  readonly order: LiveOrder
}

/** Events of consecutive rows, oldest first. */
export interface EventPage {
  readonly events: readonly LiveEvent[]
  /** For each event the position of its row in the log. */
  readonly positions: readonly LivePosition[]
}

export interface LivePage extends EventPage {
  readonly next: LiveCursor
  /** There were no further rows when this page was read. */
  readonly isLast: boolean
}

/** Reads the events after each project's cursor, without those of resends. At most `limit` rows per project. */
export async function readPages(
  db: Database,
  cursors: readonly ProjectCursor[],
  limit: number,
  order: LiveOrder,
): Promise<(each: ProjectCursor) => LivePage> {
  const rowsOf = await listLive(db, cursors, { limit, order })
  const historyOf = await readHistories(db, rowsOf, order)
  return ({ project_id, cursor }) => {
    const rows = rowsOf.get(project_id) ?? []
    const last = rows.at(-1)
    if (last === undefined) return { events: [], positions: [], next: cursor, isLast: true }
    const history = historyOf(project_id)
    const events: LiveEvent[] = []
    const positions: LivePosition[] = []
    for (const row of rows) {
      const isResumed = row.block === cursor.block && row.offset === cursor.offset
      for (const event of liveEvents(row, history).slice(isResumed ? cursor.step : 0)) {
        events.push(event)
        positions.push(row)
      }
    }
    return { events, positions, next: cursorAfter(last), isLast: rows.length < limit }
  }
}

async function readHistories(
  db: Database,
  rowsOf: ReadonlyMap<string, readonly LogRow[]>,
  order: LiveOrder,
): Promise<(project_id: string) => LogHistory> {
  const logStartOf = (rows: readonly LogRow[]): Micros => (rows[0]?.at ?? 0n) - RETENTION_MICROS
  const [priorRows, storedBefore] = await Promise.all([
    listLogged(
      db,
      recordsOf(rowsOf, () => true),
      order,
    ),
    listStoredBefore(
      db,
      recordsOf(rowsOf, (row, rows) => startedBeforeLog(row, logStartOf(rows))),
    ),
  ])
  return (project_id) => ({
    priorRows: priorRows.get(project_id) ?? new Map(),
    storedBefore: storedBefore.get(project_id) ?? new Map(),
    logStart: logStartOf(rowsOf.get(project_id) ?? []),
  })
}

/** Whether a call started before the log's retention: events of it may already have expired from the log. */
function startedBeforeLog(row: LogRow, logStart: Micros): boolean {
  return row.record_type === 'call' && !row.is_deleted && (parseTime(row.started_at) ?? 0n) < logStart
}

/** The ids of the selected rows, without projects that have none. */
function recordsOf(
  rowsOf: ReadonlyMap<string, readonly LogRow[]>,
  isSelected: (row: LogRow, rows: readonly LogRow[]) => boolean,
): ProjectRecords[] {
  return [...rowsOf].flatMap(([project_id, rows]) => {
    const ids = new Set(rows.filter((row) => isSelected(row, rows)).map((row) => row.id))
    return ids.size === 0 ? [] : [{ project_id, ids: [...ids] }]
  })
}
