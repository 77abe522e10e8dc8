import { ApiError } from '../../contract/api-error.ts'
import { type ClusterDatabase, isCluster } from '../cluster/cluster-database.ts'
import { clusterDatabaseName } from '../cluster/cluster-names.ts'
import { createTablesOverShards } from '../cluster/cluster-tables.ts'
import { clickHouseErrorCode, isTransient, unavailableError } from '../database/clickhouse-error.ts'
import type { Database } from '../database/database.ts'
import { readMachineMemory, readMemoryLimit } from '../database/server-state.ts'
import type { SandboxConnection, SandboxStatement } from '../database/sandbox-connection.ts'
import { sql } from '../query/sql.ts'
import { limitsStatement, probes } from './probes.ts'
import { AUTHENTICATION_FAILED } from './sql-error.ts'
import { readLines } from './sql-response.ts'
import { createUserStatements, definerName, grantStatement, type SqlUser } from './users.ts'
import { projectViews, SHARDED_VIEWS, viewsDatabase } from './views.ts'

/** Creates and verifies what the SQL sandbox needs on a server: users, views, and in a cluster tables over all shards. */
export interface SqlSandboxSettings {
  /** The existing user to sign in as. Undefined: Heddle creates one, or uses that of the embedded ClickHouse. */
  readonly username: string | undefined
  readonly password: string
}

const EMBEDDED_USER = 'heddle_sql'
/** A ClickHouse that reports neither its limit nor its memory is taken for one of this size. */
const UNKNOWN_SERVER_BYTES = 16_000_000_000
export const SQL_FORMAT = 'JSONCompactEachRowWithNamesAndTypes'

/** A connection to the server of `target`; in a cluster, queries see all shards. */
export function openSandbox(db: Database, target: Database, user: SqlUser): SandboxConnection {
  const views = viewsDatabase(db.name)
  const database = isCluster(db) ? clusterDatabaseName(views) : views
  return target.connectSandbox({ ...user, database }, SQL_FORMAT)
}

/** Returns the user to sign in as, after probes have verified that it is confined on this server. */
export async function prepareSandbox(
  db: Database,
  server: Database,
  settings: SqlSandboxSettings,
): Promise<SqlUser> {
  try {
    await server.ddl(`CREATE DATABASE IF NOT EXISTS ${viewsDatabase(db.name)}`)
    const user = await findUser(server, settings)
    const connection = openViews(server, user)
    try {
      await checkDeniedAccess(connection, db.name, user.username)
      await updateViews(server, user)
      await checkLimits(connection, db.name, user.username)
      if (isCluster(db)) await updateClusterTables(db, server, user, connection)
    } finally {
      await connection.close()
    }
    return user
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (isTransient(error)) throw unavailableError(error)
    const reason = `SQL queries are not available on this ClickHouse: ${setupHint(db.settings.username)}`
    throw new ApiError('not_implemented', reason, { cause: error })
  }
}

/**
 * A user that can sign in: that of the embedded ClickHouse, from the settings, or created here. The embedded ClickHouse
 * has no other users, and no `CREATE USER`.
 */
async function findUser(server: Database, { username, password }: SqlSandboxSettings): Promise<SqlUser> {
  const embedded = { username: EMBEDDED_USER, password }
  if (username === undefined && (await canSignIn(server, embedded))) return embedded
  const own = { username: username ?? `${server.name}_sql`, password }
  if (await canSignIn(server, own)) return own
  if (username !== undefined) throw new Error(`${username} cannot sign in`)
  const memoryBytes =
    (await readMemoryLimit(server)) ?? (await readMachineMemory(server)) ?? UNKNOWN_SERVER_BYTES
  for (const statement of createUserStatements(server.name, own, memoryBytes)) await server.ddl(statement)
  return own
}

async function canSignIn(server: Database, user: SqlUser): Promise<boolean> {
  const connection = openViews(server, user)
  try {
    await firstRow(connection, { text: 'SELECT 1' })
    return true
  } catch (error) {
    if (clickHouseErrorCode(error) === AUTHENTICATION_FAILED) return false
    throw error
  } finally {
    await connection.close()
  }
}

async function updateViews(server: Database, { username }: SqlUser): Promise<void> {
  const database = viewsDatabase(server.name)
  const existing = await server.rows<{ name: string; comment: string }>(selectViews(database), {
    name: 'sql views',
    kind: 'point',
  })
  const fingerprints = new Map(existing.map(({ name, comment }) => [name, comment]))
  for (const view of projectViews(server.name, definerName(username)))
    if (fingerprints.get(view.name) !== view.fingerprint) await server.ddl(view.create)
}

/** Tables that read the views of all shards, as the same user. */
async function updateClusterTables(
  { cluster: { topology } }: ClusterDatabase,
  server: Database,
  user: SqlUser,
  connection: SandboxConnection,
): Promise<void> {
  const source = viewsDatabase(server.name)
  const target = clusterDatabaseName(source)
  await createTablesOverShards(server, topology.shards, {
    ...user,
    source,
    target,
    columns: selectViewColumns(source),
    shardedTables: SHARDED_VIEWS,
  })
  const isVisible = async (): Promise<boolean> => {
    const [count] = await firstRow(connection, {
      text: `SELECT count() FROM system.tables WHERE database = '${target}'`,
    })
    return count !== '0'
  }
  if (!(await isVisible())) await server.ddl(grantStatement(target, user))
}

export function selectViews(database: string) {
  return sql`SELECT name, comment FROM system.tables WHERE database = ${database}`
}

export function selectViewColumns(database: string) {
  return sql`SELECT table AS name, groupArray((column_name, type)) AS columns
FROM (SELECT table, name AS column_name, type FROM system.columns WHERE database = ${database} ORDER BY table, position)
GROUP BY table ORDER BY table`
}

function openViews(server: Database, user: SqlUser): SandboxConnection {
  return server.connectSandbox({ ...user, database: viewsDatabase(server.name) }, SQL_FORMAT)
}

export async function firstRow(
  connection: SandboxConnection,
  statement: SandboxStatement,
): Promise<unknown[]> {
  const { stream } = await connection.execute(statement)
  const lines: string[] = []
  for await (const line of readLines(stream)) lines.push(line)
  return JSON.parse(lines[2] ?? '[]') as unknown[]
}

async function checkDeniedAccess(
  connection: SandboxConnection,
  database: string,
  username: string,
): Promise<void> {
  for (const { text, expectedErrors, violation } of probes(database)) {
    const code = await firstRow(connection, { text }).then(() => undefined, errorCode)
    if (code === undefined || !expectedErrors.has(code)) throw notConfined(username, violation)
  }
}

async function checkLimits(connection: SandboxConnection, database: string, username: string): Promise<void> {
  const [hasLimits, isScoped] = await firstRow(connection, { text: limitsStatement(database) })
  if (hasLimits !== 1) throw notConfined(username, 'has no limits on time, memory and rows')
  if (isScoped !== 1) throw notConfined(username, 'sees calls in a query without a project')
}

function notConfined(username: string, violation: string): ApiError {
  return new ApiError(
    'not_implemented',
    `SQL queries are not available: the ClickHouse user ${username} ${violation}`,
  )
}

/** The ClickHouse error code. Other errors are thrown: they prove nothing about a grant. */
function errorCode(error: unknown): string {
  const inMessage = error instanceof Error ? /\bCode: (\d+)/.exec(error.message)?.[1] : undefined
  const code = clickHouseErrorCode(error) ?? inMessage
  if (code === undefined) throw error
  return code
}

function setupHint(username: string): string {
  return `grant ${username} CREATE USER, CREATE DATABASE, CREATE VIEW, SET DEFINER, and SELECT WITH GRANT OPTION, or create the users yourself (docs/sql.md) and set HEDDLE_CLICKHOUSE_SQL_USER and HEDDLE_CLICKHOUSE_SQL_PASSWORD`
}
