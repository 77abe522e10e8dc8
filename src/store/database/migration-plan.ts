import { type Sql, sql } from '../query/sql.ts'
import type { Database } from './database.ts'
import { type Migration, onServer, pendingMigrations, readApplied } from './migrations.ts'

/** What the pending migrations would do, without applying any. */
export interface PlannedMigration {
  readonly name: string
  readonly description: string
  /** Hosts of the servers that lack it; empty if there is only one server. */
  readonly servers: readonly string[]
  /** Tables whose stored data is rewritten, in the background after the start. Other tables change their definition only. */
  readonly rewritten: readonly TableSize[]
}

interface TableSize {
  readonly table: string
  readonly rows: number
  /** On disk. */
  readonly bytes: number
}

export interface PlannedServer {
  /** Undefined if there is only one server. */
  readonly host: string | undefined
  /** Undefined if the database does not exist yet: every migration is pending then. */
  readonly db: Database | undefined
}

/** Reads the ledger and the sizes of tables of each server, and adds them up. */
export async function planMigrations(
  servers: readonly PlannedServer[],
  migrations: readonly Migration[],
): Promise<PlannedMigration[]> {
  const plans = await Promise.all(servers.map((server) => planServer(server, migrations)))
  return migrations.flatMap(({ name }) => {
    const planned = plans.flat().filter((plan) => plan.name === name)
    const [first] = planned
    if (first === undefined) return []
    const lacking = planned.flatMap((plan) => plan.servers)
    return [{ ...first, servers: lacking, rewritten: planned.flatMap(({ rewritten }) => rewritten) }]
  })
}

async function planServer(
  { host, db }: PlannedServer,
  migrations: readonly Migration[],
): Promise<PlannedMigration[]> {
  const sizes = db === undefined ? [] : await readTableSizes(db)
  const hasLedger = sizes.some(({ table }) => table === 'schema_migrations')
  const applied = db !== undefined && hasLedger ? await readApplied(db) : []
  const pending = onServer(host, () => pendingMigrations(applied, migrations))
  return pending.map(({ name, description, statements }) => {
    const rewritten = new Set(statements.flatMap((statement) => rewrittenTable(statement) ?? []))
    return {
      name,
      description,
      servers: host === undefined ? [] : [host],
      rewritten: sizes.filter(({ table, rows }) => rewritten.has(table) && rows > 0),
    }
  })
}

/**
 * Clauses that ClickHouse executes as a mutation, which writes parts anew. The others of our migrations change metadata:
 * `ADD COLUMN`, `ADD INDEX`, `MODIFY ORDER BY`, `MODIFY QUERY`, `MODIFY SETTING`.
 */
const REWRITES = /\b(?:MATERIALIZE|MODIFY COLUMN|MODIFY TTL|DROP COLUMN|UPDATE|DELETE)\b/

/** The table whose data the statement rewrites, if it does. */
function rewrittenTable(statement: string): string | undefined {
  const [, altered] = /^ALTER TABLE\s+(?:IF EXISTS\s+)?(\w+)/.exec(statement) ?? []
  if (altered !== undefined) return REWRITES.test(withoutText(statement)) ? altered : undefined
  return /^(?:OPTIMIZE TABLE|DELETE FROM|INSERT INTO)\s+(\w+)/.exec(statement)?.[1]
}

/** Default expressions may contain anything as text. */
function withoutText(statement: string): string {
  return statement.replace(/'(?:\\.|[^'\\])*'/g, "''")
}

async function readTableSizes(db: Database): Promise<TableSize[]> {
  const rows = await db.rows<{ table: string; rows: string; bytes: string }>(selectTableSizes(db.name), {
    name: 'table sizes',
    kind: 'point',
  })
  return rows.map(({ table, ...size }) => ({ table, rows: Number(size.rows), bytes: Number(size.bytes) }))
}

export function selectTableSizes(database: string): Sql {
  return sql`SELECT name AS table, toString(ifNull(total_rows, 0)) AS rows, toString(ifNull(total_bytes, 0)) AS bytes
FROM system.tables WHERE database = ${database} ORDER BY name`
}
