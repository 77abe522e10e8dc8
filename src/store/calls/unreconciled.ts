import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { fromEveryProject } from '../query/scope.ts'
import { moment, type Sql, sql } from '../query/sql.ts'
import type { CallKey } from './call-keys.ts'
import { reconcile } from './reconcile.ts'

/**
 * Calls that nobody settled. Writers write, then look (settle.ts); one that was killed in between, or gave up on an
 * engine that hung and did the insert after all, did not look. Its row then stands beside what others stored of the
 * call meanwhile: an end that nobody sees, or the same call twice. Nobody was told that such a row is stored, but what
 * the others stored was acknowledged.
 */
export async function settleLeftovers(db: Database, withinSeconds: number): Promise<number> {
  const now = await readClock(db)
  let settled = 0
  // Slice by slice: the ids of a busy quarter of an hour are millions, and would be held in memory at once.
  for (let from = now - BigInt(withinSeconds) * 1_000_000n; from <= now; from += SLICE_MICROS) {
    const found = await db.rows<CallKey>(selectUnsettled(from, from + SLICE_MICROS), {
      name: 'calls unsettled',
      kind: 'scan',
    })
    for (let i = 0; i < found.length; i += SETTLED_AT_ONCE) {
      await reconcile(db, found.slice(i, i + SETTLED_AT_ONCE))
    }
    settled += found.length
  }
  return settled
}

/** The engine's, by which rows are logged. */
async function readClock(db: Database): Promise<Micros> {
  const row = await db.first<{ now: string }>(selectClock, { name: 'clock', kind: 'point' })
  return parseTime(row?.now ?? '') ?? 0n
}

export const selectClock: Sql = sql`SELECT now64(6, 'UTC') AS now`

const SLICE_MICROS = 60_000_000n
const SETTLED_AT_ONCE = 500

/** Versions of rows that were made from the facts in call_parts begin here; see `rowVersion`. */
const RANKED = sql`bitShiftLeft(toUInt128(1), 112)`

/**
 * Ids that are known in several places, or have facts in call_parts, with a row in one of the places that was written
 * straight and never replaced. `live_log` has the ids that were written lately.
 */
export function selectUnsettled(from: Micros, to: Micros): Sql {
  const lately = sql`SELECT project_id, id ${fromEveryProject('live_log')}
      WHERE logged_at >= ${moment(from)} AND logged_at < ${moment(to)} AND noun = 'call' AND version < ${RANKED}`
  return sql`SELECT project_id, id FROM (
  SELECT project_id, id, is_part, started_at, origin, max(version) AS newest
  ${fromEveryProject('call_ids')}
  WHERE (project_id, id) IN (${lately})
  GROUP BY project_id, id, is_part, started_at, origin)
GROUP BY project_id, id
HAVING count() > 1 AND countIf(is_part = 0 AND newest < ${RANKED}) > 0`
}
