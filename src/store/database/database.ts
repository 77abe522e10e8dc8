import type { Readable } from 'node:stream'
import type { ClickHouseSettings } from '@clickhouse/client'
import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { compile, type Sql, sql } from '../query/sql.ts'
import { BASE_SETTINGS, type ConnectionSettings } from './clickhouse-client.ts'
import { type Durability, onAllReplicas } from './durability.ts'
import { type InsertOptions, Inserts } from './inserts.ts'
import { Queries, type StatementOptions } from './queries.ts'
import { SlowQueryLog, type SlowQueryLogOptions } from './query-log.ts'
import { ReadAdmission, type ReadConcurrency } from './read-admission.ts'
import { DEFAULT_READ_LIMITS, type ReadLimits } from './read-limits.ts'
import { RetryPolicy } from './retry.ts'
import { SandboxConnection } from './sandbox-connection.ts'
import { Servers } from './servers.ts'

export interface DatabaseSettings extends ConnectionSettings {
  /** How long a statement is retried while ClickHouse is unavailable, before the caller gets 503. */
  readonly retryWindowMs: number
  /** What an acknowledged insert survives. */
  readonly durability: Durability
  /** Limits of one read. */
  readonly limits?: ReadLimits
  /** Limits of concurrent heavy reads. */
  readonly concurrency?: ReadConcurrency
  readonly slowQueryLog?: SlowQueryLogOptions
}

export type StatementSettings = ClickHouseSettings

/** What the databases of a cluster do not create for themselves. */
export interface DatabaseServices {
  readonly servers: Servers
  /** Shared by all shards: their limits apply to them together. */
  readonly admission: ReadAdmission
  readonly log: SlowQueryLog
  /** Of reads, in addition to those of every statement. */
  readonly readSettings: ClickHouseSettings
}

/** How long a statement may stay without a response before the server is pinged and another one tried. */
const SILENCE_MS = 3_000

/** The only class that talks to ClickHouse. It takes statements as `Sql` and returns rows as objects. */
export class Database {
  readonly name: string
  readonly settings: DatabaseSettings
  readonly #servers: Servers
  readonly #retry: RetryPolicy
  readonly #queries: Queries
  readonly #inserts: Inserts

  constructor(settings: DatabaseSettings, services: Partial<DatabaseServices> = {}) {
    this.name = settings.database
    this.settings = settings
    const { servers = new Servers([settings.url], settings, settings.concurrency?.maxConcurrent) } = services
    const { admission = new ReadAdmission(settings.concurrency) } = services
    const { log = new SlowQueryLog(settings.slowQueryLog), readSettings = {} } = services
    this.#servers = servers
    this.#retry = new RetryPolicy({
      retryWindowMs: settings.retryWindowMs,
      isResponding: () => servers.isResponding({ select: false }),
      alternatives: servers.hasAlternatives
        ? { choose: () => servers.chooseServer(), silenceMs: SILENCE_MS }
        : undefined,
    })
    const limits = settings.limits ?? DEFAULT_READ_LIMITS
    this.#queries = new Queries({
      servers,
      retry: this.#retry,
      admission,
      log,
      limits,
      settings: readSettings,
    })
    this.#inserts = new Inserts(servers, this.#retry, settings.durability)
  }

  /** Each has complete calls, and different ones. On a single server, this database. */
  get shards(): readonly Database[] {
    return [this]
  }

  /** The shard of everything but calls. */
  get firstShard(): Database {
    return this.shards[0] ?? this
  }

  /** Every server by itself, for DDL and for what ClickHouse reports of itself. */
  get everyServer(): readonly Database[] {
    return [this]
  }

  /** Indexes of all shards that may have the call; the first that has it is its shard. */
  candidates(_project_id: string, _id: string): readonly number[] {
    return FIRST_SHARD
  }

  /** The index of the shard of a call that is not stored yet. */
  shardOfNewCall(_project_id: string, _id: string): number {
    return 0
  }

  /** Numbers of the shards that do not respond now, from 1; always empty on a single server. */
  get unavailableShards(): readonly number[] {
    return NO_SHARDS
  }

  /** Called when the first shard of a cluster stops responding. Returns the function that ends the subscription. */
  onFirstShardDown(_listener: () => void): () => void {
    return () => {}
  }

  /**
   * Whether ClickHouse responds now, or with `select` whether it also has this database: on the server in use or on another
   * one with the same data. Never throws, and takes 6 s at most.
   */
  async ping({ select = true } = {}): Promise<boolean> {
    return (await this.#servers.isResponding({ select })) || this.#servers.chooseServer()
  }

  rows<Row>(statement: Sql, options: StatementOptions): Promise<Row[]> {
    return this.#queries.rows<Row>(statement, options)
  }

  async first<Row>(statement: Sql, options: StatementOptions): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, options))[0]
  }

  /** Rows as they arrive. Leaving the loop early cancels the query in ClickHouse, and so does a disconnecting client. */
  stream<Row>(statement: Sql, options: StatementOptions): BatchedStream<Row> {
    return this.#queries.stream<Row>(statement, options)
  }

  /** A Parquet file as ClickHouse writes it, cancelled like `stream`. */
  parquet(statement: Sql, options: StatementOptions): AsyncGenerator<Buffer> {
    return this.#queries.parquet(statement, options)
  }

  /** Inserts rows of the small tables. Calls use `insertBinary`. */
  insert(table: string, rows: readonly object[]): Promise<void> {
    return this.#inserts.json(table, rows)
  }

  /** Inserts rows that are already encoded in RowBinary. */
  insertBinary(
    table: string,
    columns: readonly string[],
    chunks: readonly Buffer[],
    options?: InsertOptions,
  ): Promise<void> {
    return this.#inserts.binary(table, columns, chunks, options)
  }

  /** Inserts a Parquet file; a retry opens it again. */
  insertParquet(table: string, open: () => Readable): Promise<void> {
    return this.#inserts.parquet(table, open)
  }

  /** The number of failed inserts that may be stored nevertheless: the response was lost, or ClickHouse is still busy. */
  get uncertainInserts(): number {
    return this.#inserts.uncertain
  }

  /** How often statements were repeated because ClickHouse was unavailable. */
  get retryCount(): number {
    return this.#retry.retryCount
  }

  /** Runs a statement without a result. A mutation is complete when it returns, unless `isAsync`. */
  async command(statement: Sql, name: string, { isAsync = false } = {}): Promise<void> {
    const { text, params } = compile(statement)
    const sync = isAsync ? '0' : '1'
    await this.#retry.run((abort_signal) =>
      this.#servers.forCommand().command({
        abort_signal,
        query: text,
        query_params: params,
        clickhouse_settings: {
          ...BASE_SETTINGS,
          log_comment: name,
          lightweight_deletes_sync: sync,
          mutations_sync: sync,
          ...onAllReplicas(this.#servers.count),
          // Mutations of replicated tables may read other tables: Heddle's lists of calls do not change meanwhile.
          allow_nondeterministic_mutations: 1,
        },
      }),
    )
  }

  /** Runs DDL of Heddle: text without parameters, never of a caller. */
  async ddl(text: string, settings: ClickHouseSettings = {}): Promise<void> {
    await this.#retry.run((abort_signal) =>
      this.#servers.forCommand().command({
        abort_signal,
        query: text,
        use_multipart_params: false,
        // Existing rows are converted in the background, which can take longer than a start of Heddle may.
        clickhouse_settings: { log_comment: 'schema', mutations_sync: '0', ...settings },
      }),
    )
  }

  /**
   * DDL that may run for hours. ClickHouse sends a header now and then, so that the connection is not taken for a dead one;
   * Node accepts about 80 of them.
   */
  async longDdl(text: string): Promise<void> {
    await this.#servers.forCommand().command({
      query: text,
      use_multipart_params: false,
      clickhouse_settings: {
        log_comment: 'schema',
        max_execution_time: 0,
        send_progress_in_http_headers: 1,
        http_headers_progress_interval_ms: '90000',
      },
    })
  }

  /** A second connection to the server in use, as the user of the SQL sandbox. */
  connectSandbox(user: Omit<ConnectionSettings, 'url'>, format: string): SandboxConnection {
    const servers = this.#servers
    const inUse = { url: () => servers.url, chooseServer: () => servers.chooseServer() }
    return new SandboxConnection(inUse, user, format)
  }

  async close(): Promise<void> {
    await this.#servers.close()
  }
}

const FIRST_SHARD: readonly number[] = [0]
const NO_SHARDS: readonly number[] = []

/** The name comes from the settings and is validated, because it becomes part of the DDL. */
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
