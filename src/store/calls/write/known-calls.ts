import { type Micros, parseTime } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { fromProjects } from '../../query/scope.ts'
import { type Sql, sql } from '../../query/sql.ts'
import { byProjectAndTime, type CallKey } from './call-keys.ts'

/** Lookups by call id, independent of project and time: the table `call_ids`. */

/** The rest of a row's sort key, besides project and id. */
export interface RowLocation {
  readonly started_at: Micros
  readonly start_hash: number
}

export interface KnownCall extends CallKey {
  /** The versions of all rows and facts stored for this id. */
  readonly versions: readonly bigint[]
  /**
   * The locations of all rows of this id, and of the starts in call_parts. Rows at one location replace each other; the
   * highest version stays.
   */
  readonly locations: readonly RowLocation[]
  readonly hasParts: boolean
}

interface IndexRow {
  readonly project_id: string
  readonly id: string
  readonly versions: readonly string[]
  readonly locations: readonly (readonly [string, number])[]
  readonly has_parts: number
}

/**
 * What is stored of these calls, without those that have fewer than `minVersions` stored versions, all at
 * one location. The result may include
 * other calls that were created at the same time.
 */
export async function findKnown(
  db: Database,
  keys: readonly CallKey[],
  minVersions: number,
): Promise<KnownCall[]> {
  if (keys.length === 0) return []
  const statement = selectKnown(keys, minVersions)
  const rows = await db.rows<IndexRow>(statement, { name: 'calls known by id', kind: 'write' })
  return rows.map((row) => ({
    project_id: row.project_id,
    id: row.id,
    versions: row.versions.map(BigInt),
    locations: row.locations.map(([time, start_hash]) => ({
      started_at: parseTime(time) ?? 0n,
      start_hash,
    })),
    hasParts: row.has_parts === 1,
  }))
}

export function selectKnown(keys: readonly CallKey[], minVersions: number): Sql {
  return sql`SELECT project_id, id,
  groupUniqArray(version) AS versions,
  groupUniqArrayIf((started_at, start_hash), is_part = 0 OR start_hash != 0) AS locations,
  max(is_part) AS has_parts
${fromProjects('call_ids', byProjectAndTime(keys))}
GROUP BY project_id, id
HAVING length(versions) >= ${minVersions} OR length(locations) > 1`
}
