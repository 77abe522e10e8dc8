import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { answerRows, expectNothing } from './answer-rows.ts'
import { type Durability, insertSettings } from './durability.ts'
import { engineProblem } from './engine-error.ts'
import { Hold } from './hold.ts'
import { compile, type Sql, sql } from './sql.ts'

/** What a statement may use; each class has limits of its own, so that no read starves the writes. */
type QueryClass = 'write' | 'point' | 'list' | 'scan'

/** Seconds. A `write` reads only by key. `scan` covers counts and filters over a whole project. */
const MAX_SECONDS: Readonly<Record<QueryClass, number>> = { write: 30, point: 10, list: 30, scan: 60 }

/** A stream lasts as long as its reader takes: a whole project over a slow line is no runaway query. */
const STREAM_SECONDS = 6 * 3600

/** An engine that takes longer to answer a ping is away. */
const PING_MS = 3_000

export interface DatabaseSettings {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
  /** How long a statement is held and tried again while the engine is away, before the caller hears 503. */
  readonly holdMs: number
  /** What inserts ask of the engine before they count as stored. */
  readonly durability: Durability
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
  readonly #prober: ClickHouseClient
  readonly #hold: Hold
  #insertsInDoubt = 0
  readonly #durability: Durability
  readonly name: string

  constructor(settings: DatabaseSettings) {
    this.name = settings.database
    this.#durability = settings.durability
    const target = {
      url: settings.url,
      username: settings.username,
      password: settings.password,
      database: settings.database,
      application: 'heddle',
      // Every failure is thrown to the caller; the client need not log it too.
      log: { level: ClickHouseLogLevel.OFF },
    }
    this.#client = createClient({
      ...target,
      request_timeout: 120_000,
      max_open_connections: 64,
      // Parameters travel in the body: a filter of 1,000 ids does not fit a URL.
      use_multipart_params: true,
      keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
    })
    // Connections of its own: a ping must not wait behind statements.
    this.#prober = createClient({ ...target, request_timeout: PING_MS, keep_alive: { enabled: false } })
    this.#hold = new Hold({
      holdMs: settings.holdMs,
      isAnswering: async () => (await this.#prober.ping({ select: false })).success,
    })
  }

  /** Whether the engine answers right now; never throws, never waits long. */
  async ping(): Promise<boolean> {
    const result = await this.#prober.ping({ select: true }).catch(() => ({ success: false }))
    return result.success
  }

  async rows<Row>(statement: Sql, options: StatementOptions): Promise<Row[]> {
    return this.#hold.run(async (signal) => {
      const answer = await this.#ask(statement, { ...options, signal })
      const rows: Row[] = []
      for await (const group of answerRows<Row>(answer)) for (const row of group) rows.push(row)
      return rows
    }, options.signal)
  }

  /** Inserts that failed, and may be done all the same: their answer was lost, or the engine does them later. */
  get insertsInDoubt(): number {
    return this.#insertsInDoubt
  }

  async first<Row>(statement: Sql, options: StatementOptions): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, options))[0]
  }

  /** Rows as they arrive. Leaving the loop early cancels the query in the engine. */
  async *stream<Row>(statement: Sql, options: StatementOptions): AsyncGenerator<Row> {
    const leaving = new AbortController()
    const left =
      options.signal === undefined ? leaving.signal : AbortSignal.any([options.signal, leaving.signal])
    try {
      const answer = await this.#hold.run(
        (signal) => this.#ask(statement, { ...options, signal }, STREAM_SECONDS),
        left,
      )
      for await (const group of answerRows<Row>(answer)) yield* group
    } catch (error) {
      throw engineProblem(error)
    } finally {
      leaving.abort()
    }
  }

  /** Rows of the small tables. The way in for calls is `insertBinary`. */
  async insert(table: string, rows: readonly object[]): Promise<void> {
    if (rows.length === 0) return
    const settings = insertSettings(this.#durability, randomUUID())
    await this.#hold.run((abort_signal) =>
      this.#client.insert({
        abort_signal,
        table,
        values: rows,
        format: 'JSONEachRow',
        clickhouse_settings: {
          ...ALWAYS,
          ...settings,
          // Many small inserts at once become few parts in the engine; the answer still comes after they are stored,
          // whatever the engine's own default is.
          async_insert: 1,
          wait_for_async_insert: 1,
          date_time_input_format: 'best_effort',
          log_comment: `insert ${table}`,
        },
      }),
    )
  }

  /** Ready RowBinary bytes into the named columns. */
  async insertBinary(table: string, columns: readonly string[], bytes: readonly Buffer[]): Promise<void> {
    if (bytes.every((piece) => piece.length === 0)) return
    const settings = insertSettings(this.#durability, randomUUID())
    const attempt = async (abort_signal: AbortSignal): Promise<void> => {
      const result = await this.#client.exec({
        abort_signal,
        query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT RowBinary`,
        values: Readable.from(bytes, { objectMode: false }),
        use_multipart_params: false,
        clickhouse_settings: {
          ...ALWAYS,
          ...settings,
          // They are gathered here already: the engine need not wait for more (50 to 200 ms, its default since 26).
          async_insert: 0,
          // Clocks of clients may be anywhere: a batch over many months is odd, but no reason to refuse it.
          max_partitions_per_insert_block: '1000',
          log_comment: `insert ${table}`,
        },
      })
      await expectNothing(result.stream)
    }
    await this.#hold.run((abort_signal) =>
      attempt(abort_signal).catch((error: unknown) => {
        this.#insertsInDoubt++
        throw error
      }),
    )
  }

  /** A statement without an answer. */
  async command(statement: Sql, name: string): Promise<void> {
    const { text, params } = compile(statement)
    await this.#hold.run((abort_signal) =>
      this.#client.command({
        abort_signal,
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
    await this.#hold.run((abort_signal) =>
      this.#client.command({ abort_signal, query: text, use_multipart_params: false }),
    )
  }

  async close(): Promise<void> {
    await this.#client.close()
    await this.#prober.close()
  }

  /** The bytes of an answer in JSONEachRow, for `answerRows`. */
  async #ask(
    statement: Sql,
    options: StatementOptions,
    maxSeconds = MAX_SECONDS[options.kind],
  ): Promise<Readable> {
    const { text, params } = compile(statement)
    // Not `exec`, which has the bytes, but sends parameters in the URL only.
    const result = await this.#client.query({
      query: text,
      format: 'JSONEachRow',
      query_params: params,
      ...(options.signal === undefined ? {} : { abort_signal: options.signal }),
      clickhouse_settings: {
        ...ALWAYS,
        max_execution_time: maxSeconds,
        cancel_http_readonly_queries_on_client_close: 1,
        log_comment: options.name,
      },
    })
    return (result as unknown as { readonly _stream: Readable })._stream
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
