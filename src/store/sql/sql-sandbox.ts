import { randomUUID } from 'node:crypto'
import { addAbortSignal } from 'node:stream'
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { ApiError } from '../../contract/api-error.ts'
import { forEverybody } from '../../core/concurrency/request-scope.ts'
import type { Database } from '../database/database.ts'
import { awayProblem, isPassing } from '../database/clickhouse-error.ts'
import { sqlQueryId } from '../query/scope.ts'
import { sql } from '../query/sql.ts'
import { answerLines } from './sql-response.ts'
import { AUTHENTICATION_FAILED, sqlProblem } from './problem.ts'
import { confinement, probes } from './probes.ts'
import { createUsers, definerOf, type SqlUser } from './users.ts'
import { projectViews, viewsDatabase } from './views.ts'

/**
 * Runs SQL that people write, as a user of the engine who may read views and nothing else; what confines it is told in
 * docs/decisions/0012-sql.md. The text is passed on as it is. Users and views are prepared when first needed, so that a
 * ClickHouse on which they cannot be made serves all the rest.
 */
export interface AnalystSettings {
  /** The user to sign in as, if somebody has made one; otherwise Heddle makes it, or finds the built-in engine's. */
  readonly username: string | undefined
  readonly password: string
}

const BUILT_IN = 'heddle_sql'
const FORMAT = 'JSONCompactEachRowWithNamesAndTypes'

export class Analyst {
  readonly #db: Database
  readonly #settings: AnalystSettings
  #prepared: Promise<ClickHouseClient> | undefined

  constructor(db: Database, settings: AnalystSettings) {
    this.#db = db
    this.#settings = settings
  }

  /** `parameters` have been turned into what the client of the engine takes. */
  async *ask(
    project_id: string,
    text: string,
    parameters: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const client = await this.#ready()
    const query_id = (): string => sqlQueryId(project_id, randomUUID())
    try {
      await refusePlans(client, query_id(), text)
      const answer = await client.exec({
        query: text,
        query_id: query_id(),
        query_params: { ...parameters },
        abort_signal: signal,
      })
      const format = answer.response_headers['x-clickhouse-format']
      if (format !== undefined && format !== FORMAT)
        throw new ApiError('invalid_request', 'leave FORMAT out: the answer is lines of JSON')
      // The client forgets its signal with the first byte; see database.ts.
      yield* answerLines(addAbortSignal(signal, answer.stream))
    } catch (error) {
      if (error instanceof ClickHouseError && error.code === AUTHENTICATION_FAILED) await this.close()
      throw sqlProblem(error)
    }
  }

  async close(): Promise<void> {
    const prepared = this.#prepared
    this.#prepared = undefined
    await (await prepared?.catch(() => undefined))?.close()
  }

  #ready(): Promise<ClickHouseClient> {
    // What failed is tried again by the next one who asks: somebody may have granted what was missing.
    this.#prepared ??= forEverybody(() => this.#prepare()).catch((error: unknown) => {
      this.#prepared = undefined
      throw error
    })
    return this.#prepared
  }

  async #prepare(): Promise<ClickHouseClient> {
    try {
      await this.#db.ddl(`CREATE DATABASE IF NOT EXISTS ${viewsDatabase(this.#db.name)}`)
      return await this.#signIn(await this.#findUser())
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (isPassing(error)) throw awayProblem(error)
      const reason = `SQL is not served on this ClickHouse: ${needed(this.#db.settings.username)}`
      throw new ApiError('not_implemented', reason, { cause: error })
    }
  }

  /** Not before it is known that this user can do no harm. */
  async #signIn(user: SqlUser): Promise<ClickHouseClient> {
    const client = this.#connect(user)
    try {
      await refuseHoles(client, this.#db.name, user.username)
      await this.#updateViews(user)
      await refuseNoLimits(client, this.#db.name, user.username)
      return client
    } catch (error) {
      await client.close()
      throw error
    }
  }

  /** One who can sign in: of the settings, made here once, or of the built-in engine. */
  async #findUser(): Promise<SqlUser> {
    const { username, password } = this.#settings
    const own = { username: username ?? `${this.#db.name}_sql`, password }
    if (await this.#canSignIn(own)) return own
    if (username !== undefined) throw new Error(`${username} cannot sign in`)
    try {
      for (const statement of createUsers(this.#db.name, own)) await this.#db.ddl(statement)
      return own
    } catch (error) {
      const builtIn = { username: BUILT_IN, password }
      if (await this.#canSignIn(builtIn)) return builtIn
      throw error
    }
  }

  async #canSignIn(user: SqlUser): Promise<boolean> {
    const client = this.#connect(user)
    try {
      await firstRow(client, 'SELECT 1')
      return true
    } catch (error) {
      if (error instanceof ClickHouseError && error.code === AUTHENTICATION_FAILED) return false
      throw error
    } finally {
      await client.close()
    }
  }

  async #updateViews({ username }: SqlUser): Promise<void> {
    const database = viewsDatabase(this.#db.name)
    const made = await this.#db.rows<{ name: string; comment: string }>(selectViews(database), {
      name: 'views of sql',
      kind: 'point',
    })
    const fingerprints = new Map(made.map(({ name, comment }) => [name, comment]))
    for (const view of projectViews(this.#db.name, definerOf(username)))
      if (fingerprints.get(view.name) !== view.fingerprint) await this.#db.ddl(view.create)
  }

  #connect({ username, password }: SqlUser): ClickHouseClient {
    return createClient({
      url: this.#db.settings.url,
      username,
      password,
      database: viewsDatabase(this.#db.name),
      application: 'heddle',
      log: { level: ClickHouseLogLevel.OFF },
      http_headers: { 'X-ClickHouse-Format': FORMAT },
      request_timeout: 60_000,
      max_open_connections: 32,
      use_multipart_params: true,
      keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
    })
  }
}

export function selectViews(database: string) {
  return sql`SELECT name, comment FROM system.tables WHERE database = ${database}`
}

/** A plan tells how many rows of all projects a table has. Whether a text asks for one is for the engine to say. */
async function refusePlans(client: ClickHouseClient, query_id: string, text: string): Promise<void> {
  const [isPlan] = await firstRow(
    client,
    "SELECT startsWith(ifNull(formatQuerySingleLineOrNull({text:String}), ''), 'EXPLAIN')",
    { query_id, query_params: { text } },
  )
  if (isPlan === 1)
    throw new ApiError('forbidden', 'this may not be asked in SQL: plans tell about other projects')
}

async function firstRow(
  client: ClickHouseClient,
  query: string,
  options: { query_id?: string; query_params?: Record<string, unknown> } = {},
): Promise<unknown[]> {
  const { stream } = await client.exec({ query, ...options })
  const lines: string[] = []
  for await (const line of answerLines(stream)) lines.push(line)
  return JSON.parse(lines[2] ?? '[]') as unknown[]
}

async function refuseHoles(client: ClickHouseClient, database: string, username: string): Promise<void> {
  for (const { text, refusals, hole } of probes(database)) {
    const refusal = await firstRow(client, text).then(() => undefined, codeOf)
    if (refusal === undefined || !refusals.has(refusal)) throw unconfined(username, hole)
  }
}

async function refuseNoLimits(client: ClickHouseClient, database: string, username: string): Promise<void> {
  const [hasLimits, isScoped] = await firstRow(client, confinement(database))
  if (hasLimits !== 1) throw unconfined(username, 'has no limits of time, memory and rows')
  if (isScoped !== 1) throw unconfined(username, 'sees calls without naming a project')
}

function unconfined(username: string, hole: string): ApiError {
  return new ApiError('not_implemented', `SQL is not served: the engine's user ${username} ${hole}`)
}

/** Of errors that are the engine's; others say nothing about a grant. */
function codeOf(error: unknown): string {
  if (error instanceof ClickHouseError) return error.code
  const code = error instanceof Error ? /\bCode: (\d+)/.exec(error.message)?.[1] : undefined
  if (code === undefined) throw error
  return code
}

function needed(username: string): string {
  return `grant ${username} CREATE USER, CREATE DATABASE, CREATE VIEW, SET DEFINER, and SELECT WITH GRANT OPTION, or make the users by hand (docs/sql.md) and set HEDDLE_CLICKHOUSE_SQL_USER and HEDDLE_CLICKHOUSE_SQL_PASSWORD`
}
