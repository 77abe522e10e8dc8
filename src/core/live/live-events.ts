import type { LiveEvent } from '../../contract/live/live.ts'
import { uuidv7Time } from '../time/ids.ts'
import { isBefore, type LiveCursor, type LivePosition, writeCursor } from './live-cursor.ts'
import type { Micros } from '../time/time.ts'

/**
 * Converts rows of the live log to events. Each start and each end is sent once, even if it was stored repeatedly.
 * A row causes an event if it changes what readers see: its version is higher than all before it, and its content
 * differs. See docs/decisions/0009-live-feed.md.
 */

export interface LogRow extends LivePosition {
  readonly record_type: 'call' | 'feedback'
  readonly id: string
  readonly is_deleted: boolean
  readonly version: bigint
  readonly content_hash: string
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

/** The first row of the log with this version and content of a record. */
export interface PriorRow extends LivePosition {
  readonly record_type: string
  readonly version: bigint
  readonly content_hash: string
  readonly is_deleted: boolean
  readonly is_ended: boolean
}

/** The state of a call that was stored before the log's start. */
export interface StoredBefore {
  readonly was_ended: boolean
}

export interface LogHistory {
  /** By record id. May include rows after the one being converted. */
  readonly priorRows: ReadonlyMap<string, readonly PriorRow[]>
  readonly storedBefore: ReadonlyMap<string, StoredBefore>
  /** The log contains nothing older. */
  readonly logStart: Micros
}

/** The events of a row, each with the cursor to resume after it. */
export function liveEvents(row: LogRow, history: LogHistory): LiveEvent[] {
  const visible = visibleBefore(row, history.priorRows.get(row.id) ?? [])
  if (visible !== undefined && row.version <= visible.version) return []
  if (
    visible !== undefined &&
    row.content_hash === visible.content_hash &&
    row.is_deleted === visible.is_deleted
  )
    return []
  const events =
    row.record_type === 'call' ? callEvents(row, visible, history) : [feedbackEvent(row, visible, history)]
  return events.map((event, i) => {
    const cursor = i + 1 < events.length ? { ...row, step: i + 1 } : cursorAfter(row)
    return { ...event, cursor: writeCursor(cursor) }
  })
}

/** The version of the record that was visible just before this row. */
function visibleBefore(row: LogRow, priorRows: readonly PriorRow[]): PriorRow | undefined {
  let visible: PriorRow | undefined
  for (const other of priorRows) {
    if (other.record_type !== row.record_type || !isBefore(other, row)) continue
    if (visible === undefined || other.version > visible.version) visible = other
  }
  return visible
}

export function cursorAfter(row: LivePosition & { readonly at: Micros }): LiveCursor {
  return { at: row.at, block: row.block, offset: row.offset + 1, step: 0 }
}

function callEvents(row: LogRow, visible: PriorRow | undefined, history: LogHistory): LiveEvent[] {
  if (row.is_deleted) return [{ kind: 'delete', cursor: '', id: row.id }]
  const stored = history.storedBefore.get(row.id)
  const events: LiveEvent[] = []
  if (visible === undefined && stored === undefined) events.push({ kind: 'start', ...callFields(row) })
  if (row.ended_at !== null && visible?.is_ended !== true && stored?.was_ended !== true)
    events.push({ kind: 'end', ...callFields(row) })
  return events.length > 0 ? events : [{ kind: 'update', ...callFields(row) }]
}

function callFields(row: LogRow) {
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

function feedbackEvent(row: LogRow, visible: PriorRow | undefined, { logStart }: LogHistory): LiveEvent {
  const { id, feedback_type, weave_ref } = row
  // A record whose id is older than the log was created before it.
  const isKnown = visible === undefined ? (uuidv7Time(id) ?? logStart) < logStart : !visible.is_deleted
  const action = row.is_deleted ? 'purged' : isKnown ? 'replaced' : 'created'
  const wb_user_id = row.wb_user_id || null
  return { kind: 'feedback', cursor: '', id, action, feedback_type, weave_ref, wb_user_id }
}
