import { type Sql, sql } from '../query/sql.ts'
import type { Database } from './database.ts'

/** The state of the ClickHouse server, for metrics and diagnostics. Reads system tables only. */

export interface TableParts {
  readonly table: string
  readonly parts: number
  /** ClickHouse delays and then rejects inserts by the parts of one partition. */
  readonly max_parts_per_partition: number
}

export async function listTableParts(db: Database): Promise<TableParts[]> {
  return db.rows<TableParts>(selectTableParts(db.name), { name: 'table parts', kind: 'access' })
}

export function selectTableParts(database: string): Sql {
  return sql`SELECT table, toUInt32(sum(partition_parts)) AS parts, toUInt32(max(partition_parts)) AS max_parts_per_partition
FROM (SELECT table, count() AS partition_parts FROM system.parts WHERE database = ${database} AND active GROUP BY table, partition_id)
GROUP BY table ORDER BY table`
}

export interface Disk {
  readonly name: string
  readonly free_bytes: number
  readonly total_bytes: number
}

/** Disks of the ClickHouse server. Object storage has no size and is omitted. */
export async function listDisks(db: Database): Promise<Disk[]> {
  const rows = await db.rows<{ name: string; free: string; total: string }>(selectDisks, {
    name: 'disks',
    kind: 'access',
  })
  return rows.map(({ name, free, total }) => ({
    name,
    free_bytes: Number(free),
    total_bytes: Number(total),
  }))
}

export const selectDisks: Sql = sql`SELECT name, free_space AS free, total_space AS total
FROM system.disks WHERE type = 'Local' ORDER BY name`
