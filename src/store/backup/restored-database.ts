import type { Database } from '../database/database.ts'
import { identifier, inlineText, Sql, sql } from '../query/sql.ts'

/** Statements about whole databases, for a restore: what they contain, whether it is intact, and their names. */

interface StoredTable {
  readonly name: string
  readonly engine: string
  readonly create_table_query: string
  readonly as_select: string
}

async function listTables(db: Database, database: string): Promise<StoredTable[]> {
  return db.rows<StoredTable>(selectTablesOf(database), { name: 'tables', kind: 'access' })
}

export function selectTablesOf(database: string): Sql {
  return sql`SELECT name, engine, create_table_query, as_select FROM system.tables WHERE database = ${database} ORDER BY name`
}

const isView = ({ engine }: StoredTable): boolean => engine === 'MaterializedView'

export async function databaseExists(db: Database, database: string): Promise<boolean> {
  const row = await db.first<{ name: string }>(selectDatabase(database), { name: 'database', kind: 'access' })
  return row !== undefined
}

export function selectDatabase(database: string): Sql {
  return sql`SELECT name FROM system.databases WHERE name = ${database}`
}

/** Databases whose names begin and end like this. */
export async function listDatabases(db: Database, start: string, end: string): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(selectDatabases(start, end), {
    name: 'databases',
    kind: 'access',
  })
  return rows.map(({ name }) => name)
}

export function selectDatabases(start: string, end: string): Sql {
  return sql`SELECT name FROM system.databases WHERE startsWith(name, ${start}) AND endsWith(name, ${end}) ORDER BY name`
}

const WRITTEN_AT_START: ReadonlySet<string> = new Set(['schema_migrations', 'cluster_shards', 'prices'])

/** Whether it contains anything beside what an empty Heddle writes at its start. */
export async function hasRows(db: Database, database: string): Promise<boolean> {
  const parts = await listParts(db, database)
  return parts.some(({ table, rows }) => rows > 0 && !WRITTEN_AT_START.has(table))
}

export async function dropDatabase(db: Database, database: string): Promise<void> {
  await db.ddl(inlineText(sql`DROP DATABASE IF EXISTS ${identifier(database)} SYNC`))
}

/** While merges are stopped, the tables have exactly the rows of the backup. They start again with the server, too. */
export async function setMerges(db: Database, database: string, state: 'START' | 'STOP'): Promise<void> {
  for (const table of await listTables(db, database)) {
    if (!isView(table))
      await db.ddl(`SYSTEM ${state} MERGES ${inlineText(identifier(`${database}.${table.name}`))}`)
  }
}

export interface StoredPart {
  readonly table: string
  readonly name: string
  readonly rows: number
}

export async function listParts(db: Database, database: string): Promise<StoredPart[]> {
  return db.rows<StoredPart>(selectParts(database), { name: 'parts', kind: 'access' })
}

export function selectParts(database: string): Sql {
  return sql`SELECT table, name, toFloat64(rows) AS rows FROM system.parts WHERE database = ${database} AND active ORDER BY table, name`
}

/** Compares the files of a part with the checksums in it. Returns what is wrong. */
export async function checkPart(
  db: Database,
  database: string,
  { table, name }: StoredPart,
): Promise<string | undefined> {
  const row = await db.first<{ is_passed: number; message: string }>(checkPartSql(database, table, name), {
    name: 'check part',
    kind: 'export',
  })
  return row?.is_passed === 1 ? undefined : (row?.message ?? 'ClickHouse did not check it')
}

export function checkPartSql(database: string, table: string, part: string): Sql {
  // A statement without parameters: CHECK TABLE accepts none.
  const target = identifier(`${database}.${table}`)
  return new Sql([
    inlineText(sql`CHECK TABLE ${target} PART ${part} SETTINGS check_query_single_value_result = 0`),
  ])
}

/**
 * Fills a table that is derived by materialized views anew from their sources: BACKUP does not read all tables at the
 * same moment, so it may have a call without its id, or an id without its call.
 */
export async function rebuildDerivedTable(db: Database, table: string): Promise<void> {
  const target = inlineText(identifier(table))
  await db.ddl(`TRUNCATE TABLE ${target}`)
  const names = (await listColumns(db, table)).map((name) => inlineText(identifier(name))).join(', ')
  const views = (await listTables(db, db.name)).filter(
    (view) => isView(view) && view.create_table_query.includes(` TO ${db.name}.${table} `),
  )
  if (views.length === 0) throw new Error(`no materialized view fills ${table}`)
  for (const { as_select } of views)
    await db.longDdl(`INSERT INTO ${target} (${names}) SELECT ${names} FROM (${as_select})`)
}

export async function listColumns(db: Database, table: string): Promise<string[]> {
  const columns = await db.rows<{ name: string }>(selectColumns(db.name, table), {
    name: 'columns',
    kind: 'access',
  })
  return columns.map(({ name }) => name)
}

export function selectColumns(database: string, table: string): Sql {
  return sql`SELECT name FROM system.columns WHERE database = ${database} AND table = ${table} ORDER BY position`
}

export async function truncateTable(db: Database, table: string): Promise<void> {
  await db.ddl(`TRUNCATE TABLE ${inlineText(identifier(table))}`)
}

/** All tables of the database, without those that views fill. */
export async function truncateTables(db: Database): Promise<void> {
  for (const table of await listTables(db, db.name)) if (!isView(table)) await truncateTable(db, table.name)
}

/**
 * Moves the rows of all tables from one database to the same tables of another one, as parts. The records of migrations
 * and shards are not moved: the other database has its own.
 */
export async function attachTables(server: Database, from: string, to: string): Promise<void> {
  const partitions = await listPartitions(server, from)
  const tables = (await listTables(server, to)).filter(
    (table) => !isView(table) && !OWN_TABLES.has(table.name),
  )
  // A merge would change the numbers of rows that are compared.
  for (const database of [from, to]) await setMerges(server, database, 'STOP')
  for (const { name } of tables) {
    const [source, target] = [identifier(`${from}.${name}`), identifier(`${to}.${name}`)]
    await server.ddl(inlineText(sql`TRUNCATE TABLE ${target}`))
    for (const { table, partition_id } of partitions)
      if (table === name)
        await server.ddl(
          inlineText(sql`ALTER TABLE ${target} ATTACH PARTITION ID ${partition_id} FROM ${source}`),
        )
    const counts = await Promise.all([from, to].map((database) => countRows(server, database, name)))
    if (counts[0] !== counts[1])
      throw new Error(`the table ${name} has ${counts[0]} rows, but ${counts[1]} were attached`)
  }
  await setMerges(server, to, 'START')
}

async function countRows(server: Database, database: string, table: string): Promise<string | undefined> {
  const row = await server.first<{ rows: string }>(selectRowCount(database, table), {
    name: 'row count',
    kind: 'export',
  })
  return row?.rows
}

export function selectRowCount(database: string, table: string): Sql {
  return sql`SELECT toString(count()) AS rows FROM ${identifier(`${database}.${table}`)}`
}

export async function listPartitions(
  db: Database,
  database: string,
): Promise<{ readonly table: string; readonly partition_id: string }[]> {
  return db.rows(selectPartitions(database), { name: 'partitions', kind: 'access' })
}

export function selectPartitions(database: string): Sql {
  return sql`SELECT DISTINCT table, partition_id FROM system.parts WHERE database = ${database} AND active ORDER BY table, partition_id`
}

const MIGRATIONS = 'schema_migrations'
const OWN_TABLES: ReadonlySet<string> = new Set([MIGRATIONS, 'cluster_shards'])
const HIDDEN_MIGRATIONS = 'schema_migrations_hidden'

/**
 * Renames a database. Materialized views name their tables with the database, and a RENAME does not change that, so they
 * are dropped and created anew. If the process is killed in between, the database has no list of applied migrations, and
 * the next start applies all of them again, which creates the views.
 */
export async function renameDatabase(db: Database, from: string, to: string): Promise<void> {
  const tables = await listTables(db, from)
  const views = tables.filter(isView)
  const [source, target] = [inlineText(identifier(from)), inlineText(identifier(to))]
  // Without the list, an earlier rename was killed, and no server has been started since.
  if (tables.some(({ name }) => name === MIGRATIONS)) {
    await db.ddl(`DROP TABLE IF EXISTS ${source}.${HIDDEN_MIGRATIONS} SYNC`)
    await db.ddl(`RENAME TABLE ${source}.${MIGRATIONS} TO ${source}.${HIDDEN_MIGRATIONS}`)
  }
  for (const { name } of views) await db.ddl(`DROP VIEW ${source}.${inlineText(identifier(name))} SYNC`)
  await db.ddl(`RENAME DATABASE ${source} TO ${target}`)
  for (const { create_table_query } of views) {
    const create = create_table_query.replaceAll(new RegExp(`\\b${from}\\.`, 'g'), `${to}.`)
    await db.ddl(create)
  }
  await db.ddl(`RENAME TABLE ${target}.${HIDDEN_MIGRATIONS} TO ${target}.${MIGRATIONS}`)
}
