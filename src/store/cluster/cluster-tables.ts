import { createHash } from 'node:crypto'
import type { Shard } from '../../core/cluster/topology.ts'
import type { Database } from '../database/database.ts'
import { identifier, inlineText, type Sql, sql } from '../query/sql.ts'
import { clusterDatabaseName, partialDatabaseName } from './cluster-names.ts'

/**
 * Tables over all shards. On every server, a second database has a table of the same name for each table of Heddle; it
 * reads the tables of all shards, or of the first one, through ClickHouse's native protocol. So the same SQL reads one
 * server or a cluster. Nothing is inserted through them.
 */

/** These have rows on every shard; all other tables only on the first. */
const SHARDED_TABLES: ReadonlySet<string> = new Set(['calls', 'call_ids', 'call_parts', 'live_log'])

/** `FROM calls`, `JOIN calls` or `IN calls`. */
const READS_SHARDED_TABLE = new RegExp(`\\b(?:FROM|JOIN|IN)\\s+\`?(?:${[...SHARDED_TABLES].join('|')})\\b`)

/** Whether a statement needs every shard, or only the first. */
export function readsAllShards({ parts }: Sql): boolean {
  return READS_SHARDED_TABLE.test(parts.map((part) => (typeof part === 'string' ? part : '?')).join(''))
}

/** Creates them on one server, and replaces them after a change: of a table, of a shard, or of the password. */
export async function createClusterTables(server: Database, shards: readonly Shard[]): Promise<void> {
  await createTablesOverShards(server, shards, heddleTables(server))
}

/** The same without some shards, in a database of its own; without the first shard, only tables that others have too. */
export async function createPartialTables(
  server: Database,
  shards: readonly Shard[],
  missing: readonly number[],
): Promise<void> {
  const others = shards.filter(({ number }) => !missing.includes(number))
  await createTablesOverShards(server, others, {
    ...heddleTables(server),
    target: partialDatabaseName(server.name, missing),
    hasFirstShard: others[0] === shards[0],
  })
}

interface TablesOverShards {
  /** The database on the shards that is read. */
  readonly source: string
  /** The database on this server that shows its tables. */
  readonly target: string
  /** Selects the tables of the source with their columns. */
  readonly columns: Sql
  /** These are read on all shards, others on the first. */
  readonly shardedTables: ReadonlySet<string>
  /** False: other tables are left out. */
  readonly hasFirstShard?: boolean
  /** The user that reads on the shards. */
  readonly username: string
  readonly password: string
}

function heddleTables({ name, settings: { username, password } }: Database): TablesOverShards {
  const target = clusterDatabaseName(name)
  const columns = selectTableColumns(name)
  return { source: name, target, columns, shardedTables: SHARDED_TABLES, username, password }
}

/** Creates the tables on one server, unless they are the same already. */
export async function createTablesOverShards(
  server: Database,
  shards: readonly Shard[],
  tables: TablesOverShards,
): Promise<void> {
  const { creates, fingerprint, isCurrent } = await planTables(server, shards, tables)
  if (isCurrent) return
  const target = identifier(tables.target)
  await server.ddl(`CREATE DATABASE IF NOT EXISTS ${inlineText(target)}`)
  for (const create of creates) await server.ddl(create)
  // Last, so that an interrupted change is repeated.
  await server.ddl(inlineText(sql`ALTER DATABASE ${target} MODIFY COMMENT ${fingerprint}`))
}

async function planTables(server: Database, shards: readonly Shard[], over: TablesOverShards) {
  const found = await server.rows<Table>(over.columns, { name: 'cluster tables', kind: 'point' })
  const tables = found.filter(({ name }) => over.hasFirstShard !== false || over.shardedTables.has(name))
  const creates = tables.map((table) =>
    createStatement(over, table, over.shardedTables.has(table.name) ? shards : shards.slice(0, 1)),
  )
  const fingerprint = createHash('sha256').update(creates.join('\n')).digest('hex')
  const existing = await server.first<{ comment: string }>(selectDatabaseComment(over.target), {
    name: 'cluster tables version',
    kind: 'point',
  })
  return { creates, fingerprint, isCurrent: existing?.comment === fingerprint }
}

/** Whether the tables on this server are those of the shards, user and password. */
export async function hasClusterTables(server: Database, shards: readonly Shard[]): Promise<boolean> {
  return (await planTables(server, shards, heddleTables(server))).isCurrent
}

/** Reads from all shards through this server; throws if it cannot reach one of them. */
export async function readThroughClusterTables(server: Database): Promise<void> {
  await server.rows(selectShards(clusterDatabaseName(server.name)), { name: 'cluster read', kind: 'access' })
}

export function selectShards(database: string): Sql {
  return sql`SELECT _shard_num, count() FROM ${identifier(`${database}.live_log`)} GROUP BY _shard_num`
}

interface Table {
  readonly name: string
  readonly columns: readonly (readonly [string, string])[]
}

export function selectTableColumns(database: string): Sql {
  return sql`SELECT table AS name, groupArray((column_name, type)) AS columns
FROM (SELECT table, name AS column_name, type FROM system.columns WHERE database = ${database} ORDER BY table, position)
WHERE table IN (SELECT name FROM system.tables WHERE database = ${database} AND engine LIKE '%MergeTree' AND name NOT IN ('schema_migrations', 'cluster_shards'))
GROUP BY table ORDER BY table`
}

export function selectDatabaseComment(database: string): Sql {
  return sql`SELECT comment FROM system.databases WHERE name = ${database}`
}

/** Columns are named because ClickHouse would otherwise ask a shard for them, which may be down. */
function createStatement(over: TablesOverShards, { name, columns }: Table, shards: readonly Shard[]): string {
  const list = columns.map(([column, type]) => `\`${column}\` ${type}`).join(', ')
  const tables = remoteTable(over, name, shards)
  return `CREATE OR REPLACE TABLE ${inlineText(identifier(`${over.target}.${name}`))} (${list}) AS ${inlineText(tables)}`
}

/** A table of these shards. */
export function remoteTable(
  { source, username, password }: Pick<TablesOverShards, 'source' | 'username' | 'password'>,
  table: string,
  shards: readonly Shard[],
): Sql {
  return sql`remote(${addressesOf(shards)}, ${source}, ${table}, ${username}, ${password})`
}

/** Shards separated by commas, replicas by bars. */
function addressesOf(shards: readonly Shard[]): string {
  return shards.map(({ replicas }) => replicas.map(({ native }) => native).join('|')).join(',')
}
