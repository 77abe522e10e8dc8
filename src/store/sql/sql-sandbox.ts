import { randomUUID } from 'node:crypto'
import { ApiError } from '../../contract/api-error.ts'
import { outsideRequest } from '../../core/concurrency/request-scope.ts'
import { clickHouseErrorCode, unavailableError } from '../database/clickhouse-error.ts'
import type { Database } from '../database/database.ts'
import type { SandboxConnection } from '../database/sandbox-connection.ts'
import { sqlQueryId } from '../query/scope.ts'
import {
  firstRow,
  openSandbox,
  prepareSandbox,
  SQL_FORMAT,
  type SqlSandboxSettings,
} from './sandbox-setup.ts'
import { AUTHENTICATION_FAILED, toSqlError } from './sql-error.ts'
import { readLines } from './sql-response.ts'
import type { SqlUser } from './users.ts'

/** How often servers that did not respond are tried again. */
const PREPARE_INTERVAL_MS = 10_000

/**
 * The SQL sandbox: runs SQL of callers as a ClickHouse user that may only read the views; docs/decisions/0012-sql.md
 * describes the confinement. The text is passed on unchanged. Users and views are created on first use, so that
 * everything else works on a ClickHouse where they cannot be created.
 */
export class SqlSandbox {
  readonly #db: Database
  readonly #settings: SqlSandboxSettings
  #connection: Promise<SandboxConnection> | undefined
  /** Servers without the present views: they did not respond. */
  #unprepared: readonly Database[] = []
  #preparedAt = 0
  #running = 0

  constructor(db: Database, settings: SqlSandboxSettings) {
    this.#db = db
    this.#settings = settings
  }

  /** Queries that have begun and not ended. */
  get running(): number {
    return this.#running
  }

  /** `parameters` are already in the form that the ClickHouse client takes. Yields lines of JSON. */
  async *query(
    project_id: string,
    text: string,
    parameters: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const connection = await this.#connect()
    this.#prepareReturnedServers()
    const query_id = (): string => sqlQueryId(project_id, randomUUID())
    this.#running++
    try {
      await rejectExplain(connection, query_id(), text)
      const { stream, format } = await connection.execute({ text, query_id: query_id(), parameters, signal })
      if (format !== undefined && format !== SQL_FORMAT)
        throw new ApiError(
          'invalid_request',
          'remove the FORMAT clause: the response is always lines of JSON',
        )
      yield* readLines(stream)
    } catch (error) {
      if (clickHouseErrorCode(error) === AUTHENTICATION_FAILED) await this.close()
      throw toSqlError(error)
    } finally {
      this.#running--
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    await (await connection?.catch(() => undefined))?.close()
  }

  #connect(): Promise<SandboxConnection> {
    // After a failure the next query tries again: an administrator may have granted what was missing.
    this.#connection ??= outsideRequest(async () =>
      openSandbox(this.#db, this.#db, await this.#prepare(this.#db.everyServer)),
    ).catch((error: unknown) => {
      this.#connection = undefined
      throw error
    })
    return this.#connection
  }

  /** Prepares the servers that respond, at least one; a single server is not asked. */
  async #prepare(servers: readonly Database[]): Promise<SqlUser> {
    const isSingle = this.#db.everyServer.length === 1
    const unprepared: Database[] = []
    let user: SqlUser | undefined
    for (const server of servers) {
      if (isSingle || (await server.ping())) user = await prepareSandbox(this.#db, server, this.#settings)
      else unprepared.push(server)
    }
    this.#unprepared = unprepared
    this.#preparedAt = performance.now()
    if (user === undefined) throw unavailableError(new Error('no server of the cluster responds'))
    return user
  }

  /** In the background, because a server that hangs takes seconds to be found out. */
  #prepareReturnedServers(): void {
    if (this.#unprepared.length === 0 || performance.now() - this.#preparedAt < PREPARE_INTERVAL_MS) return
    this.#preparedAt = performance.now()
    void outsideRequest(() => this.#prepare(this.#unprepared)).catch(() => {})
  }
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
