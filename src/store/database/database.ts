import { randomUUID } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
  type QueryParams,
} from '@clickhouse/client'
import { Grouped } from '../../core/concurrency/grouped.ts'
import { type ConcurrencyLimits, ConcurrencyLimiter } from '../../core/concurrency/concurrency-limiter.ts'
import { currentRequest } from '../../core/concurrency/request-scope.ts'
import { answerRows, expectNothing } from './response-rows.ts'
import { type Durability, insertSettings } from './durability.ts'
import { toApiError } from './clickhouse-error.ts'
import { RetryPolicy } from './retry.ts'
import { PARQUET_SETTINGS, wholeParquet } from './parquet.ts'
import {
  limitSettings,
  overLimit,
  type QueryClass,
  READ_LIMITS,
  type ReadLimits,
  STREAM_SECONDS,
  tookTooLong,
} from './read-limits.ts'
import { SlowQueries, type SlowQueriesOptions, summaryIn, type Summary } from './query-log.ts'
import { compile, type Sql, sql, type Statement } from '../query/sql.ts'

type Format = 'JSONEachRow' | 'Parquet'

interface Question extends QueryParams {
  readonly format: Format
}

interface Answer {
  readonly stream: Readable
  readonly summary: Summary | undefined
}

/** A stream that goes on for so long counts as an export: a reader who takes his time would keep others from reading. */
const STREAM_TURN_MS = 10_000

/** An engine that takes longer to answer a ping is away. */
const PING_MS = 3_000

export interface DatabaseSettings {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
  /** How long a statement is held and tried again while the engine is away, before the caller hears 503. */
  readonly retryWindowMs: number
  /** What inserts ask of the engine before they count as stored. */
  readonly durability: Durability
  /** What one read may take. */
  readonly limits?: ReadLimits
  /** How many heavy reads go on at once. */
  readonly turns?: ConcurrencyLimits
  readonly slow?: SlowQueriesOptions
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
  readonly #hold: RetryPolicy
  #insertsInDoubt = 0
  readonly #durability: Durability
  readonly #limits: ReadLimits
  readonly #turns: { readonly reads: ConcurrencyLimiter; readonly exports: ConcurrencyLimiter } | undefined
  readonly #slow: SlowQueries
  readonly name: string
  readonly settings: DatabaseSettings

  constructor(settings: DatabaseSettings) {
    this.name = settings.database
    this.settings = settings
    this.#durability = settings.durability
    this.#limits = settings.limits ?? READ_LIMITS
    this.#turns = settings.turns && {
      reads: new ConcurrencyLimiter(settings.turns),
      // Turns of their own: they last, and nobody who looks at a list waits for one to end.
      exports: new ConcurrencyLimiter(settings.turns, 'exports or long streams'),
    }
    this.#slow = new SlowQueries(settings.slow)
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
    this.#hold = new RetryPolicy({
      retryWindowMs: settings.retryWindowMs,
      isAnswering: async () => (await this.#prober.ping({ select: false })).success,
    })
  }

  /** Whether the engine answers right now; never throws, never waits long. */
  async ping(): Promise<boolean> {
    const result = await this.#prober.ping({ select: true }).catch(() => ({ success: false }))
    return result.success
  }

  async rows<Row>(statement: Sql, options: StatementOptions): Promise<Row[]> {
    const compiled = compile(statement)
    await this.#turn(options)
    return this.#hold.run(async (abort_signal) => {
      const isOver = this.#watch(compiled, options)
      try {
        const answer = await this.#ask(this.#params(compiled, options), abort_signal)
        const rows: Row[] = []
        const parts = answerRows<Row>(addAbortSignal(abort_signal, answer.stream))
        for await (const group of parts) for (const row of group) rows.push(row)
        isOver(answer.summary)
        return rows
      } catch (error) {
        isOver(undefined, error)
        throw overLimit(error, options.kind, this.#limits)
      }
    }, signalOf(options))
  }

  /** Inserts that failed, and may be done all the same: their answer was lost, or the engine does them later. */
  get insertsInDoubt(): number {
    return this.#insertsInDoubt
  }

  async first<Row>(statement: Sql, options: StatementOptions): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, options))[0]
  }

  /** Rows as they arrive. Leaving the loop early, or the signal, cancels the query in the engine. */
  stream<Row>(statement: Sql, options: StatementOptions): Grouped<Row> {
    const compiled = compile(statement)
    const params = this.#params(compiled, options, STREAM_SECONDS)
    return new Grouped(this.#answer(compiled, params, options, answerRows<Row>))
  }

  /** A Parquet file as the engine writes it, with the same promise. */
  parquet(statement: Sql, options: StatementOptions): AsyncGenerator<Buffer> {
    const compiled = compile(statement)
    const params = this.#params(compiled, options, STREAM_SECONDS, 'Parquet')
    const clickhouse_settings = { ...params.clickhouse_settings, ...PARQUET_SETTINGS }
    return this.#answer(compiled, { ...params, clickhouse_settings }, options, wholeParquet)
  }

  async *#answer<Part>(
    compiled: Statement,
    params: Question,
    options: StatementOptions,
    read: (answer: Readable) => AsyncGenerator<Part>,
  ): AsyncGenerator<Part> {
    const leaving = new AbortController()
    const signal = signalOf(options)
    const left = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal])
    await this.#turn(options)
    const isOver = this.#watch(compiled, options)
    const limit = tookTooLong(options.kind, this.#limits)
    const deadline = limit && setTimeout(() => leaving.abort(limit.problem), limit.seconds * 1000)
    let trading: NodeJS.Timeout | undefined
    try {
      const answer = await this.#hold.run((abort_signal) => this.#ask(params, abort_signal), left)
      // How long it takes from here on is the reader's business.
      clearTimeout(deadline)
      isOver(answer.summary)
      trading = this.#tradeTurn(options)
      // The client forgets its signal with the first byte; the engine may still think for long before the next.
      yield* read(addAbortSignal(left, answer.stream))
    } catch (error) {
      isOver(undefined, error)
      if (limit !== undefined && leaving.signal.reason === limit.problem) throw limit.problem
      throw toApiError(overLimit(error, options.kind, this.#limits))
    } finally {
      clearTimeout(deadline)
      clearInterval(trading)
      leaving.abort()
    }
  }

  /** The bytes of an answer. Not `exec`, which has them, but sends parameters in the URL, which has an end. */
  async #ask(params: Question, abort_signal: AbortSignal): Promise<Answer> {
    const result = await this.#client.query({ ...params, abort_signal })
    return {
      stream: (result as unknown as { readonly _stream: Readable })._stream,
      summary: summaryIn(result.response_headers),
    }
  }

  /** Reads by id are quick and wait for nobody; without a request there is nobody to be fair to. */
  async #turn({ kind }: StatementOptions): Promise<void> {
    const scope = currentRequest()
    if (kind === 'point' || kind === 'write' || scope?.project_id === undefined) return
    const { project_id, signal } = scope
    const turns = kind === 'export' ? this.#turns?.exports : this.#turns?.reads
    if (turns !== undefined) await scope.turn(() => turns.take(project_id, signal))
  }

  /** Once there is a place among the exports; until then it keeps the turn that it has. */
  #tradeTurn({ kind }: StatementOptions): NodeJS.Timeout | undefined {
    const scope = currentRequest()
    const exports = this.#turns?.exports
    if (kind === 'export' || scope?.project_id === undefined || exports === undefined) return undefined
    const { project_id } = scope
    const trading = setInterval(() => {
      const turn = exports.takeNow(project_id)
      if (turn === undefined) return
      clearInterval(trading)
      scope.trade(turn)
    }, STREAM_TURN_MS)
    return trading.unref()
  }

  #watch(statement: Statement, { name, kind }: StatementOptions) {
    const scope = currentRequest()
    return this.#slow.watch({
      name,
      kind,
      statement,
      request_id: scope?.request_id,
      project_id: scope?.project_id,
    })
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

  /** A Parquet file into a table; opened anew if it has to be sent again. */
  async insertParquet(table: string, open: () => Readable): Promise<void> {
    await this.#hold.run(async (abort_signal) => {
      const result = await this.#client.exec({
        abort_signal,
        query: `INSERT INTO ${table} FORMAT Parquet`,
        values: open(),
        use_multipart_params: false,
        clickhouse_settings: { ...ALWAYS, async_insert: 0, log_comment: `insert ${table}` },
      })
      await expectNothing(result.stream)
    })
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
      this.#client.command({
        abort_signal,
        query: text,
        use_multipart_params: false,
        // What the engine makes of old rows it makes in the background: of many that takes longer than a start may.
        clickhouse_settings: { log_comment: 'schema', mutations_sync: '0' },
      }),
    )
  }

  async close(): Promise<void> {
    await this.#client.close()
    await this.#prober.close()
  }

  #params(
    { text, params }: Statement,
    options: StatementOptions,
    maxSeconds?: number,
    format: Format = 'JSONEachRow',
  ): Question {
    return {
      query: text,
      format,
      query_params: params,
      clickhouse_settings: {
        ...ALWAYS,
        ...limitSettings(options.kind, this.#limits),
        ...(maxSeconds === undefined ? {} : { max_execution_time: maxSeconds }),
        // Only what says that it reads is ended with its connection before its first byte; without it, none that is
        // POSTed. 2, unlike 1, lets the settings beside it stand.
        readonly: '2',
        cancel_http_readonly_queries_on_client_close: 1,
        log_comment: options.name,
      },
    }
  }
}

/** Whoever asks for it may leave, and so may whoever asked for all of this. */
function signalOf({ signal, kind }: StatementOptions): AbortSignal | undefined {
  const asker = kind === 'write' ? undefined : currentRequest()?.signal
  if (signal === undefined || asker === undefined || signal === asker) return signal ?? asker
  return AbortSignal.any([signal, asker])
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
