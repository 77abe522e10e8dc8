import { Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { engineProblem, isPassing } from './engine-error.ts'
import { compile, type Sql, sql } from './sql.ts'

/** What a statement may use; each class has limits of its own, so that no read starves the writes. */
type QueryClass = 'write' | 'point' | 'list' | 'scan'

/** Seconds. A `write` reads only by key. `scan` covers counts and filters over a whole project. */
const MAX_SECONDS: Readonly<Record<QueryClass, number>> = { write: 30, point: 10, list: 30, scan: 60 }

/** A stream lasts as long as its reader takes: a whole project over a slow line is no runaway query. */
const STREAM_SECONDS = 6 * 3600

export interface DatabaseSettings {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
  /** How long a statement is held and tried again while the engine is away, before the caller hears 503. */
  readonly holdMs: number
}

export interface StatementOptions {
  /** The name of the statement in `log_comment`, in snapshots and in the slow-query log. */
  readonly name: string
  readonly kind: QueryClass
  readonly signal?: AbortSignal | undefined
}

const ALWAYS: ClickHouseSettings = {
  // Times as numbers would lose microseconds; 64-bit integers as JSON numbers would lose digits.
  output_format_json_quote_64bit_integers: 1,
  date_time_output_format: 'iso',
  // An insert is acknowledged when it is stored, whatever the profile of a ClickHouse says: that is what a 200 means.
  wait_for_async_insert: 1,
  // Exactness before speed: an index may not hide the newer version of a row from FINAL.
  use_skip_indexes_if_final: 1,
  use_skip_indexes_if_final_exact_mode: 1,
  do_not_merge_across_partitions_select_final: 1,
  // A query of 10,000 nodes, the most that core/query/parse.ts takes, must pass the engine's parser.
  max_query_size: '16777216',
  max_ast_elements: '1000000',
  max_expanded_ast_elements: '1000000',
  max_ast_depth: '10000',
  max_parser_depth: '10000',
}

/** The only thing in Heddle that talks to the engine. Statements come in as `Sql`, rows come out as objects. */
export class Database {
  readonly #client: ClickHouseClient
  readonly #holdMs: number
  readonly name: string

  constructor(settings: DatabaseSettings) {
    this.name = settings.database
    this.#holdMs = settings.holdMs
    this.#client = createClient({
      url: settings.url,
      username: settings.username,
      password: settings.password,
      database: settings.database,
      application: 'heddle',
      request_timeout: 120_000,
      max_open_connections: 64,
      // Parameters travel in the body: a filter of 1,000 ids does not fit a URL.
      use_multipart_params: true,
      keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
      // Every failure is thrown to the caller; the client need not log it too.
      log: { level: ClickHouseLogLevel.OFF },
    })
  }

  /** Whether the engine answers right now; never throws, never waits long. */
  async ping(): Promise<boolean> {
    const result = await this.#client.ping({ select: true }).catch(() => ({ success: false }))
    return result.success
  }

  async rows<Row>(statement: Sql, options: StatementOptions): Promise<Row[]> {
    return this.#hold(async () => {
      const result = await this.#client.query({ ...this.#params(statement, options), format: 'JSONEachRow' })
      return await result.json<Row>()
    })
  }

  async first<Row>(statement: Sql, options: StatementOptions): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, options))[0]
  }

  /** Rows as they arrive. Leaving the loop early cancels the query in the engine. */
  async *stream<Row>(statement: Sql, options: StatementOptions): AsyncGenerator<Row> {
    const leaving = new AbortController()
    const signal =
      options.signal === undefined ? leaving.signal : AbortSignal.any([options.signal, leaving.signal])
    try {
      const result = await this.#hold(() =>
        this.#client.query({
          ...this.#params(statement, { ...options, signal }, STREAM_SECONDS),
          format: 'JSONEachRow',
        }),
      )
      for await (const batch of result.stream<Row>()) {
        for (const row of batch) yield row.json()
      }
    } catch (error) {
      throw engineProblem(error)
    } finally {
      leaving.abort()
    }
  }

  /** Rows of the small tables. The way in for calls is `insertBinary`. */
  async insert(table: string, rows: readonly object[]): Promise<void> {
    if (rows.length === 0) return
    await this.#hold(() =>
      this.#client.insert({
        table,
        values: rows,
        format: 'JSONEachRow',
        clickhouse_settings: {
          ...ALWAYS,
          date_time_input_format: 'best_effort',
          log_comment: `insert ${table}`,
        },
      }),
    )
  }

  /** Ready RowBinary bytes into the named columns. */
  async insertBinary(table: string, columns: readonly string[], bytes: readonly Buffer[]): Promise<void> {
    if (bytes.every((piece) => piece.length === 0)) return
    await this.#hold(async () => {
      const result = await this.#client.exec({
        query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT RowBinary`,
        values: Readable.from(bytes, { objectMode: false }),
        use_multipart_params: false,
        clickhouse_settings: {
          ...ALWAYS,
          // Clocks of clients may be anywhere: a batch over many months is odd, but no reason to refuse it.
          max_partitions_per_insert_block: '1000',
          log_comment: `insert ${table}`,
        },
      })
      result.stream.resume()
    })
  }

  /** A statement without an answer. */
  async command(statement: Sql, name: string): Promise<void> {
    const { text, params } = compile(statement)
    await this.#hold(() =>
      this.#client.command({
        query: text,
        query_params: params,
        clickhouse_settings: {
          ...ALWAYS,
          log_comment: name,
          lightweight_deletes_sync: '1',
          mutations_sync: '1',
        },
      }),
    )
  }

  /** Our own DDL, from migrations/: plain text without values. */
  async ddl(text: string): Promise<void> {
    await this.#hold(() => this.#client.command({ query: text, use_multipart_params: false }))
  }

  async close(): Promise<void> {
    await this.#client.close()
  }

  #params(statement: Sql, options: StatementOptions, maxSeconds = MAX_SECONDS[options.kind]) {
    const { text, params } = compile(statement)
    return {
      query: text,
      query_params: params,
      ...(options.signal === undefined ? {} : { abort_signal: options.signal }),
      clickhouse_settings: {
        ...ALWAYS,
        max_execution_time: maxSeconds,
        cancel_http_readonly_queries_on_client_close: 1 as const,
        log_comment: options.name,
      },
    }
  }

  /**
   * Tries again while the engine is away: SDKs drop an eager start or end after three quick failures, so a short
   * outage must not reach them.
   */
  async #hold<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + this.#holdMs
    for (let wait = 50; ; wait = Math.min(wait * 2, 2_000)) {
      try {
        return await attempt()
      } catch (error) {
        if (!isPassing(error) || Date.now() + wait > deadline) throw engineProblem(error)
        // Jitter, so that many nodes do not come back in step.
        await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random() / 2)))
      }
    }
  }
}

/** Names a database; it comes from settings, so it is checked like any identifier. */
export async function createDatabase(settings: DatabaseSettings): Promise<void> {
  const server = new Database({ ...settings, database: 'default' })
  try {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(settings.database)) {
      throw new Error(`HEDDLE_CLICKHOUSE_DATABASE must be a plain name, not "${settings.database}"`)
    }
    await server.rows(sql`SELECT 1`, { name: 'connect', kind: 'point' })
    await server.ddl(`CREATE DATABASE IF NOT EXISTS ${settings.database}`)
  } finally {
    await server.close()
  }
}
