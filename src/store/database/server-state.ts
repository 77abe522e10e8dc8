import { type Sql, sql } from '../query/sql.ts'
import { BASE_SETTINGS } from './clickhouse-client.ts'
import { clickHouseErrorCode } from './clickhouse-error.ts'
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

export async function readServerVersion(db: Database): Promise<string> {
  const row = await db.first<{ version: string }>(selectServerVersion, {
    name: 'server version',
    kind: 'access',
  })
  return row?.version ?? ''
}

export const selectServerVersion: Sql = sql`SELECT version() AS version`

/** Settings that Heddle sends with statements and that this ClickHouse does not know. */
export async function listUnknownSettings(db: Database): Promise<string[]> {
  const names = Object.keys(BASE_SETTINGS)
  const rows = await db.rows<{ name: string }>(selectKnownSettings(names), {
    name: 'known settings',
    kind: 'access',
  })
  const known = new Set(rows.map(({ name }) => name))
  return names.filter((name) => !known.has(name))
}

export function selectKnownSettings(names: readonly string[]): Sql {
  return sql`SELECT name FROM system.settings WHERE has(${names}, name) ORDER BY name`
}

export interface LogTable {
  readonly table: string
  readonly bytes: number
}

/** Log tables of ClickHouse that nothing bounds. */
export async function listUnboundedLogTables(db: Database): Promise<LogTable[]> {
  const rows = await db.rows<{ table: string; bytes: string }>(selectUnboundedLogTables, {
    name: 'unbounded log tables',
    kind: 'access',
  })
  return rows.map(({ table, bytes }) => ({ table, bytes: Number(bytes) }))
}

export const selectUnboundedLogTables: Sql = sql`SELECT name AS table, ifNull(total_bytes, 0) AS bytes FROM system.tables
WHERE database = 'system' AND engine LIKE '%MergeTree' AND position(engine_full, ' TTL ') = 0 ORDER BY name`

/** What ClickHouse may use; undefined without a limit. */
export async function readMemoryLimit(db: Database): Promise<number | undefined> {
  const row = await db.first<{ bytes: string }>(selectMemoryLimit, { name: 'memory limit', kind: 'access' })
  const bytes = Number(row?.bytes ?? 0)
  return bytes === 0 ? undefined : bytes
}

export const selectMemoryLimit: Sql = sql`SELECT value AS bytes FROM system.server_settings WHERE name = 'max_server_memory_usage'`

const UNKNOWN_TABLE = '60'

/** The memory of the machine or container of ClickHouse; undefined if it does not report it. */
export async function readMachineMemory(db: Database): Promise<number | undefined> {
  try {
    const rows = await db.rows<{ bytes: number }>(selectMachineMemory, {
      name: 'machine memory',
      kind: 'access',
    })
    const sizes = rows.map(({ bytes }) => bytes).filter((bytes) => bytes > 0)
    return sizes.length === 0 ? undefined : Math.min(...sizes)
  } catch (error) {
    // A server that was started as a library has no such table.
    if (clickHouseErrorCode(error) === UNKNOWN_TABLE) return undefined
    throw error
  }
}

export const selectMachineMemory: Sql = sql`SELECT value AS bytes FROM system.asynchronous_metrics
WHERE metric IN ('OSMemoryTotal', 'CGroupMemoryTotal')`

export async function databaseExists(db: Database, name: string): Promise<boolean> {
  const row = await db.first(selectDatabase(name), { name: 'database exists', kind: 'access' })
  return row !== undefined
}

export function selectDatabase(name: string): Sql {
  return sql`SELECT name FROM system.databases WHERE name = ${name}`
}
