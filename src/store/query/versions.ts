import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { fromAllVersions, type TenantTable } from './scope.ts'
import { type Sql, sql } from './sql.ts'

/** Tables with the key (project_id, id) in which a row replaces the one with the lower version. */
type VersionedTable = Extract<TenantTable, 'feedback' | 'prices' | 'queues'>

export interface Version {
  readonly version: bigint
  readonly is_deleted: boolean
}

/** The newest version of each of these records, including deleted ones. */
export async function findVersions(
  db: Database,
  project_id: string,
  table: VersionedTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Version>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ id: string; newest: string; hidden: number }>(
    selectVersions(project_id, table, ids),
    { name: `${table} versions`, kind: 'point' },
  )
  return new Map(rows.map((row) => [row.id, { version: BigInt(row.newest), is_deleted: row.hidden === 1 }]))
}

export function selectVersions(project_id: string, table: VersionedTable, ids: readonly string[]): Sql {
  return sql`SELECT id, max(version) AS newest, argMax(is_deleted, version) AS hidden
${fromAllVersions(project_id, table)} AND id IN ${ids} GROUP BY id`
}

/** Always above the current version, even if another node's clock was ahead when it wrote that. */
export function nextVersion(now: Micros, current: bigint | undefined): string {
  return (current !== undefined && current >= now ? current + 1n : now).toString()
}

/** Hides records from all reads immediately by inserting tombstones; merges drop the hidden rows. */
export async function softDeleteRecords(
  db: Database,
  project_id: string,
  table: VersionedTable,
  ids: readonly string[],
  now: Micros,
): Promise<void> {
  const versions = await findVersions(db, project_id, table, ids)
  const alive = [...versions].filter(([, { is_deleted }]) => !is_deleted)
  await db.insert(
    table,
    alive.map(([id, { version }]) => ({ project_id, id, version: nextVersion(now, version), is_deleted: 1 })),
  )
}
