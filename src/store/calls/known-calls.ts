import type { Origin } from '../../core/calls/call-facts.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { acrossProjects } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { byProjectAndTime, type CallKey } from './call-keys.ts'

/** Looking things up by call id, whatever project or time: the table `call_ids`. */

/** The rest of a row's key, beside project and id. */
export interface Place {
  readonly started_at: Micros
  readonly origin: Origin
}

export interface KnownCall extends CallKey {
  /** Versions of every row and every fact stored for this id. */
  readonly versions: readonly bigint[]
  /** Wherever a row of this id is stored: rows in one place replace each other, the highest version stays. */
  readonly places: readonly Place[]
  readonly hasParts: boolean
}

interface IndexRow {
  readonly project_id: string
  readonly id: string
  readonly versions: readonly string[]
  readonly places: readonly (readonly [string, Origin])[]
  readonly has_parts: number
}

/**
 * What is stored of these calls; those with fewer than `atLeast` stored versions are left out. May tell of other
 * calls too, made at the same time.
 */
export async function findKnown(
  db: Database,
  keys: readonly CallKey[],
  atLeast: number,
): Promise<KnownCall[]> {
  if (keys.length === 0) return []
  const statement = selectKnown(keys, atLeast)
  const rows = await db.rows<IndexRow>(statement, { name: 'calls known by id', kind: 'write' })
  return rows.map((row) => ({
    project_id: row.project_id,
    id: row.id,
    versions: row.versions.map(BigInt),
    places: row.places.map(([time, origin]) => ({ started_at: parseTime(time) ?? 0n, origin })),
    hasParts: row.has_parts === 1,
  }))
}

export function selectKnown(keys: readonly CallKey[], atLeast: number): Sql {
  return sql`SELECT project_id, id,
  groupUniqArray(version) AS versions,
  groupUniqArrayIf((started_at, origin), is_part = 0) AS places,
  max(is_part) AS has_parts
${acrossProjects('call_ids', byProjectAndTime(keys))}
GROUP BY project_id, id
HAVING length(versions) >= ${atLeast}`
}
