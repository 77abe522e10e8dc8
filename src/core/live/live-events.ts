import type { LiveEvent } from '../../contract/live/live.ts'
import { timeOfId } from '../time/ids.ts'
import { isBefore, type LiveCursor, type LivePosition, writeCursor } from './live-cursor.ts'
import type { Micros } from '../time/time.ts'

/**
 * Rows of the log into events: each start and each end once, however often and wherever it was sent. A row is told if
 * it changes what readers see: its version is above all before it, and it says something else.
 */

export interface LogRow extends LivePosition {
  readonly noun: 'call' | 'feedback'
  readonly id: string
  readonly is_deleted: boolean
  readonly version: bigint
  readonly says: string
  readonly trace_id: string
  readonly parent_id: string
  readonly thread_id: string
  readonly op_name: string
  readonly display_name: string
  readonly started_at: string
  readonly ended_at: string | null
  readonly has_exception: boolean
  readonly feedback_type: string
  readonly weave_ref: string
  readonly wb_user_id: string
  readonly at: Micros
}

/** The first row of the log that said this of a record. */
export interface Said extends LivePosition {
  readonly noun: string
  readonly version: bigint
  readonly says: string
  readonly is_deleted: boolean
  readonly is_ended: boolean
}

/** What was stored of a call before the log began. */
export interface Before {
  readonly was_ended: boolean
}

export interface History {
  /** By id. Rows after the one in question may be among them. */
  readonly said: ReadonlyMap<string, readonly Said[]>
  readonly before: ReadonlyMap<string, Before>
  /** Nothing older is in the log. */
  readonly began: Micros
}

/** The events of a row, each with the cursor after it. */
export function eventsOf(row: LogRow, history: History): LiveEvent[] {
  const shown = shownBefore(row, history.said.get(row.id) ?? [])
  if (shown !== undefined && row.version <= shown.version) return []
  if (shown !== undefined && row.says === shown.says && row.is_deleted === shown.is_deleted) return []
  const told = row.noun === 'call' ? callEvents(row, shown, history) : [feedbackEvent(row, shown, history)]
  return told.map((event, i) => {
    const cursor = i + 1 < told.length ? { ...row, step: i + 1 } : after(row)
    return { ...event, cursor: writeCursor(cursor) }
  })
}

/** What readers saw of the record just before this row. */
function shownBefore(row: LogRow, said: readonly Said[]): Said | undefined {
  let shown: Said | undefined
  for (const other of said) {
    if (other.noun !== row.noun || !isBefore(other, row)) continue
    if (shown === undefined || other.version > shown.version) shown = other
  }
  return shown
}

export function after(row: LivePosition & { readonly at: Micros }): LiveCursor {
  return { at: row.at, block: row.block, offset: row.offset + 1, step: 0 }
}

function callEvents(row: LogRow, shown: Said | undefined, history: History): LiveEvent[] {
  if (row.is_deleted) return [{ kind: 'delete', cursor: '', id: row.id }]
  const before = history.before.get(row.id)
  const events: LiveEvent[] = []
  if (shown === undefined && before === undefined) events.push({ kind: 'start', ...callOf(row) })
  if (row.ended_at !== null && shown?.is_ended !== true && before?.was_ended !== true)
    events.push({ kind: 'end', ...callOf(row) })
  return events.length > 0 ? events : [{ kind: 'update', ...callOf(row) }]
}

function callOf(row: LogRow) {
  return {
    cursor: '',
    id: row.id,
    trace_id: row.trace_id,
    parent_id: row.parent_id || null,
    thread_id: row.thread_id || null,
    op_name: row.op_name,
    display_name: row.display_name || null,
    started_at: row.started_at,
    ended_at: row.ended_at,
    has_exception: row.has_exception,
    wb_user_id: row.wb_user_id || null,
  }
}

function feedbackEvent(row: LogRow, shown: Said | undefined, { began }: History): LiveEvent {
  const { id, feedback_type, weave_ref } = row
  // A record whose id was made before the log began was created then.
  const isKnown = shown === undefined ? (timeOfId(id) ?? began) < began : !shown.is_deleted
  const action = row.is_deleted ? 'purged' : isKnown ? 'replaced' : 'created'
  const wb_user_id = row.wb_user_id || null
  return { kind: 'feedback', cursor: '', id, action, feedback_type, weave_ref, wb_user_id }
}
