import { randomUUID } from 'node:crypto'
import { ApiError } from '../../contract/api-error.ts'
import { outsideRequest } from '../../core/concurrency/request-scope.ts'
import type { Database } from '../database/database.ts'
import { clickHouseErrorCode, isTransient, unavailableError } from '../database/clickhouse-error.ts'
import type { SandboxConnection, SandboxStatement } from '../database/sandbox-connection.ts'
import { sqlQueryId } from '../query/scope.ts'
import { sql } from '../query/sql.ts'
import { readLines } from './sql-response.ts'
import { AUTHENTICATION_FAILED, toSqlError } from './sql-error.ts'
import { limitsStatement, probes } from './probes.ts'
import { createUserStatements, definerName, type SqlUser } from './users.ts'
import { projectViews, viewsDatabase } from './views.ts'

/**
 * The SQL sandbox: runs SQL of callers as a ClickHouse user that may only read the views; docs/decisions/0012-sql.md
 * describes the confinement. The text is passed on unchanged. Users and views are created on first use, so that
 * everything else works on a ClickHouse where they cannot be created.
 */
export interface SqlSandboxSettings {
  /** The existing user to sign in as. Undefined: Heddle creates one, or uses that of the embedded ClickHouse. */
  readonly username: string | undefined
  readonly password: string
}

const EMBEDDED_USER = 'heddle_sql'
const FORMAT = 'JSONCompactEachRowWithNamesAndTypes'

export class SqlSandbox {
  readonly #db: Database
  readonly #settings: SqlSandboxSettings
  #connection: Promise<SandboxConnection> | undefined

  constructor(db: Database, settings: SqlSandboxSettings) {
    this.#db = db
    this.#settings = settings
  }

  /** `parameters` are already in the form that the ClickHouse client takes. Yields lines of JSON. */
  async *query(
    project_id: string,
    text: string,
    parameters: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const connection = await this.#connect()
    const query_id = (): string => sqlQueryId(project_id, randomUUID())
    try {
      await rejectExplain(connection, query_id(), text)
      const { stream, format } = await connection.execute({ text, query_id: query_id(), parameters, signal })
      if (format !== undefined && format !== FORMAT)
        throw new ApiError(
          'invalid_request',
          'remove the FORMAT clause: the response is always lines of JSON',
        )
      yield* readLines(stream)
    } catch (error) {
      if (clickHouseErrorCode(error) === AUTHENTICATION_FAILED) await this.close()
      throw toSqlError(error)
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    await (await connection?.catch(() => undefined))?.close()
  }

  #connect(): Promise<SandboxConnection> {
    // After a failure the next query tries again: an administrator may have granted what was missing.
    this.#connection ??= outsideRequest(() => this.#prepare()).catch((error: unknown) => {
      this.#connection = undefined
      throw error
    })
    return this.#connection
  }

  async #prepare(): Promise<SandboxConnection> {
    try {
      await this.#db.ddl(`CREATE DATABASE IF NOT EXISTS ${viewsDatabase(this.#db.name)}`)
      return await this.#signIn(await this.#findUser())
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (isTransient(error)) throw unavailableError(error)
      const reason = `SQL queries are not available on this ClickHouse: ${setupHint(this.#db.settings.username)}`
      throw new ApiError('not_implemented', reason, { cause: error })
    }
  }

  /** Only after the probes have verified that the user is confined. */
  async #signIn(user: SqlUser): Promise<SandboxConnection> {
    const connection = this.#open(user)
    try {
      await checkDeniedAccess(connection, this.#db.name, user.username)
      await this.#updateViews(user)
      await checkLimits(connection, this.#db.name, user.username)
      return connection
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /**
   * A user that can sign in: that of the embedded ClickHouse, from the settings, or created here. The embedded ClickHouse
   * has no other users, and no `CREATE USER`.
   */
  async #findUser(): Promise<SqlUser> {
    const { username, password } = this.#settings
    const embedded = { username: EMBEDDED_USER, password }
    if (username === undefined && (await this.#canSignIn(embedded))) return embedded
    const own = { username: username ?? `${this.#db.name}_sql`, password }
    if (await this.#canSignIn(own)) return own
    if (username !== undefined) throw new Error(`${username} cannot sign in`)
    for (const statement of createUserStatements(this.#db.name, own)) await this.#db.ddl(statement)
    return own
  }

  async #canSignIn(user: SqlUser): Promise<boolean> {
    const connection = this.#open(user)
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

  async #updateViews({ username }: SqlUser): Promise<void> {
    const database = viewsDatabase(this.#db.name)
    const existing = await this.#db.rows<{ name: string; comment: string }>(selectViews(database), {
      name: 'sql views',
      kind: 'point',
    })
    const fingerprints = new Map(existing.map(({ name, comment }) => [name, comment]))
    for (const view of projectViews(this.#db.name, definerName(username)))
      if (fingerprints.get(view.name) !== view.fingerprint) await this.#db.ddl(view.create)
  }

  #open({ username, password }: SqlUser): SandboxConnection {
    return this.#db.connectSandbox({ username, password, database: viewsDatabase(this.#db.name) }, FORMAT)
  }
}

export function selectViews(database: string) {
  return sql`SELECT name, comment FROM system.tables WHERE database = ${database}`
}

/** A query plan reveals the row counts of all projects. ClickHouse itself decides whether the text is an EXPLAIN. */
async function rejectExplain(connection: SandboxConnection, query_id: string, text: string): Promise<void> {
  const [isExplain] = await firstRow(connection, {
    text: "SELECT startsWith(ifNull(formatQuerySingleLineOrNull({text:String}), ''), 'EXPLAIN')",
    query_id,
    parameters: { text },
  })
  if (isExplain === 1)
    throw new ApiError('forbidden', 'this SQL is not allowed: EXPLAIN reveals row counts of other projects')
}

async function firstRow(connection: SandboxConnection, statement: SandboxStatement): Promise<unknown[]> {
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
