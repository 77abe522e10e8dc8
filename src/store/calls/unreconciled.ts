import type { RecordClock } from '../../core/calls/record-clock.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { fromAllProjects } from '../query/scope.ts'
import { moment, type Sql, sql } from '../query/sql.ts'
import type { CallKey } from './call-keys.ts'
import { readClock } from './clock-sync.ts'
import { reconcile } from './reconcile.ts'
import { RANKED } from './stored-facts.ts'

/**
 * Repairs rows whose writer crashed before its conflict check. Writers insert, then check for conflicts (reconcile.ts). A
 * writer that was killed in between, or abandoned an insert that a hanging ClickHouse completed later, made no check. Its
 * row was never acknowledged, but it coexists with acknowledged rows of the same call: an end is hidden, or the call
 * appears twice.
 *
 * ClickHouse stores the rows of an insert in `calls` before those of the views `call_ids` and `live_log`. If it is killed in
 * between, the call is in no index: an end that is acknowledged later does not find its start. So rows are found by their time
 * in `calls`, and indexed again first.
 */
export async function reconcileLeftovers(
  db: Database,
  clock: RecordClock,
  withinSeconds: number,
): Promise<number> {
  return reconcileWritten(db, clock, await lastSeconds(db, withinSeconds))
}

/** By ClickHouse's clock, which `inserted_at` follows. */
export async function lastSeconds(db: Database, seconds: number): Promise<Period> {
  const now = (await readClock(db)) ?? 0n
  return { from: now - BigInt(seconds) * 1_000_000n, to: now }
}

export interface Period {
  readonly from: Micros
  readonly to: Micros
}

/** The same for any period, such as the last inserts of a restored backup. */
export async function reconcileWritten(
  db: Database,
  clock: RecordClock,
  { from: first, to }: Period,
): Promise<number> {
  let reconciled = 0
  // In slices, because a busy quarter of an hour has millions of ids, which would all be held in memory.
  for (let from = first; from <= to; from += SLICE_MICROS) {
    const slice = { from, to: from + SLICE_MICROS }
    await db.command(indexAgain(slice), 'calls indexed again')
    const found = await db.rows<CallKey>(selectUnreconciled(slice), {
      name: 'calls unreconciled',
      kind: 'scan',
    })
    for (let i = 0; i < found.length; i += RECONCILE_BATCH) {
      await reconcile(db, clock, found.slice(i, i + RECONCILE_BATCH))
    }
    reconciled += found.length
  }
  return reconciled
}

export const SLICE_MICROS = 60_000_000n
export const RECONCILE_BATCH = 500

export function isInserted({ from, to }: Period): Sql {
  return sql`inserted_at >= ${moment(from)} AND inserted_at < ${moment(to)}`
}

/** Adds the rows of calls that are not in `call_ids`. */
export function indexAgain(period: Period): Sql {
  return sql`INSERT INTO call_ids (project_id, id, is_part, started_at, origin, start_hash, version)
SELECT project_id, id, 0, started_at, origin, start_hash, version ${fromAllProjects('calls')}
WHERE ${isInserted(period)} AND (project_id, id, started_at, origin, start_hash, version) NOT IN (
  SELECT project_id, id, started_at, origin, start_hash, version ${fromAllProjects('call_ids')}
  WHERE is_part = 0 AND (project_id, id) IN (SELECT project_id, id ${fromAllProjects('calls')} WHERE ${isInserted(period)}))`
}

/** The calls with several locations, or with facts in call_parts, that have a row of the fast path that was never replaced. */
export function selectUnreconciled(period: Period): Sql {
  return sql`SELECT project_id, id FROM (
  SELECT project_id, id, is_part, started_at, origin, start_hash, max(version) AS newest
  ${fromAllProjects('call_ids')}
  WHERE (project_id, id) IN (
    SELECT project_id, id ${fromAllProjects('calls')} WHERE ${isInserted(period)} AND version < ${RANKED})
  GROUP BY project_id, id, is_part, started_at, origin, start_hash)
GROUP BY project_id, id
HAVING count() > 1 AND countIf(is_part = 0 AND newest < ${RANKED}) > 0`
}
