import { HAS_EXCEPTION } from '../columns/named-fields.ts'
import { type Micros, parseTime } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { MAX_INSERT_MICROS, RETENTION_MICROS } from '../../live/live-log.ts'
import { fromAllProjects } from '../../query/scope.ts'
import { moment, type Sql, sql } from '../../query/sql.ts'
import type { CallKey } from './call-keys.ts'
import { reconcile } from './reconcile.ts'
import { RANKED } from './stored-facts.ts'
import type { WriteContext } from './write-context.ts'

/** A period of `inserted_at`, which follows ClickHouse's clock. */
export interface Period {
  readonly from: Micros
  readonly to: Micros
}

/**
 * Repairs rows whose writer crashed before its conflict check. Writers insert, then check for conflicts (reconcile.ts). A
 * writer that was killed in between, or abandoned an insert that a hanging ClickHouse completed later, made no check. Its
 * row was never acknowledged, but it coexists with acknowledged rows of the same call: an end is hidden, or the call
 * appears twice.
 *
 * ClickHouse stores the rows of an insert in `calls` before those of the views `call_ids` and `live_log`. If it is killed in
 * between, the call is in no index: an end that is acknowledged later does not find its start, and the live feed never shows
 * it. So rows are found by their time in `calls`, then logged and indexed again first. Returns the number of calls that were
 * reconciled.
 */
export async function repairWritten(db: Database, context: WriteContext, period: Period): Promise<number> {
  const logged = period.to - RETENTION_MICROS
  return reconcileSlices(db, context, period, async (slice) => {
    // Nobody can still follow the log from before it was kept, and what it had then is no longer known.
    if (slice.from >= logged) await db.command(logAgain(slice), 'calls logged again')
  })
}

/** The same without the live feed, such as for the last inserts of a restored backup. */
export async function reconcileWritten(db: Database, context: WriteContext, period: Period): Promise<number> {
  return reconcileSlices(db, context, period, async () => {})
}

async function reconcileSlices(
  db: Database,
  context: WriteContext,
  period: Period,
  prepare: (slice: Period) => Promise<void>,
): Promise<number> {
  let reconciled = 0
  for (const slice of await listWrittenSlices(db, period)) {
    // Before the index: a row of the index that is not in the log counts as older than the log (live-log.ts).
    await prepare(slice)
    await db.command(indexAgain(slice), 'calls indexed again')
    const found = await db.rows<CallKey>(selectUnreconciled(slice), {
      name: 'calls unreconciled',
      kind: 'scan',
    })
    for (let i = 0; i < found.length; i += RECONCILE_BATCH) {
      await reconcile(db, context, found.slice(i, i + RECONCILE_BATCH))
    }
    reconciled += found.length
  }
  return reconciled
}

const SLICE_MICROS = 60_000_000n
export const RECONCILE_BATCH = 500

/**
 * The minutes of a period in which rows were written, oldest first. In slices, because a busy quarter of an hour has millions
 * of ids, which would all be held in memory; only these, because after an outage most minutes are empty.
 */
export async function listWrittenSlices(db: Database, period: Period): Promise<Period[]> {
  const rows = await db.rows<{ slice: string }>(selectWrittenSlices(period), {
    name: 'minutes with inserts',
    kind: 'scan',
  })
  return rows.map(({ slice }) => {
    const from = BigInt(slice) * SLICE_MICROS
    return { from, to: from + SLICE_MICROS }
  })
}

export function selectWrittenSlices(period: Period): Sql {
  return sql`SELECT DISTINCT intDiv(toUnixTimestamp64Micro(inserted_at), ${Number(SLICE_MICROS)}) AS slice ${fromAllProjects('calls')}
WHERE ${isInserted(period)} ORDER BY slice`
}

/** The time of the last insert; undefined if there was none. */
export async function findLastInsert(db: Database): Promise<Micros | undefined> {
  const row = await db.first<{ last: string; calls: string }>(selectLastInsert, {
    name: 'last insert',
    kind: 'export',
  })
  return row === undefined || row.calls === '0' ? undefined : parseTime(row.last)
}

export const selectLastInsert: Sql = sql`SELECT max(inserted_at) AS last, count() AS calls ${fromAllProjects('calls')}`

export function isInserted({ from, to }: Period): Sql {
  return sql`inserted_at >= ${moment(from)} AND inserted_at < ${moment(to)}`
}

/**
 * Adds the rows of calls that are not in `live_log`, as its view does (migrations/schema.sql). They get the next positions, so
 * every follower reads them; a row that was logged in the meantime causes no second event (core/live/live-events.ts).
 */
export function logAgain(period: Period): Sql {
  return sql`INSERT INTO live_log (project_id, id, record_type, is_deleted, version, content_hash, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at, has_exception, wb_user_id, logged_at)
SELECT project_id, id, 'call', is_deleted, version,
  sipHash64(bitAnd(start_version, 9007199254740991), bitAnd(end_version, 9007199254740991), bitAnd(name_version, 9007199254740991)),
  trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at, ${HAS_EXCEPTION}, wb_user_id, now64(6) ${fromAllProjects('calls')}
WHERE ${isInserted(period)} AND (is_deleted = 0 OR bitShiftRight(version, 112) = 65535) AND (project_id, id, version) NOT IN (
  SELECT project_id, id, version ${fromAllProjects('live_log')}
  WHERE record_type = 'call' AND logged_at >= ${moment(period.from - MAX_INSERT_MICROS)}
    AND (project_id, id) IN (SELECT project_id, id ${fromAllProjects('calls')} WHERE ${isInserted(period)}))`
}

/** Adds the rows of calls that are not in `call_ids`. */
export function indexAgain(period: Period): Sql {
  return sql`INSERT INTO call_ids (project_id, id, is_part, started_at, start_hash, version)
SELECT project_id, id, 0, started_at, start_hash, version ${fromAllProjects('calls')}
WHERE ${isInserted(period)} AND (project_id, id, started_at, start_hash, version) NOT IN (
  SELECT project_id, id, started_at, start_hash, version ${fromAllProjects('call_ids')}
  WHERE is_part = 0 AND (project_id, id) IN (SELECT project_id, id ${fromAllProjects('calls')} WHERE ${isInserted(period)}))`
}

/** The calls with several locations, or with facts in call_parts, that have a row of the fast path that was never replaced. */
export function selectUnreconciled(period: Period): Sql {
  return sql`SELECT project_id, id FROM (
  SELECT project_id, id, is_part, started_at, start_hash, max(version) AS newest
  ${fromAllProjects('call_ids')}
  WHERE (project_id, id) IN (
    SELECT project_id, id ${fromAllProjects('calls')} WHERE ${isInserted(period)} AND version < ${RANKED})
  GROUP BY project_id, id, is_part, started_at, start_hash)
GROUP BY project_id, id
HAVING count() > 1 AND countIf(is_part = 0 AND newest < ${RANKED}) > 0`
}
