import type { Readable } from 'node:stream'
import type { ClickHouseSettings } from '@clickhouse/client'
import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { compile, type Sql } from '../query/sql.ts'
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
  /** What reads go through, such as to leave out shards that are down. */
  readonly guardReads: (reads: Reads) => Reads
  readonly cluster: Shards
}

export interface Reads {
  rows<Row>(statement: Sql, options: StatementOptions): Promise<Row[]>
  /** Rows as they arrive. Leaving the loop early cancels the query in ClickHouse, and so does a disconnecting client. */
  stream<Row>(statement: Sql, options: StatementOptions): BatchedStream<Row>
}

/** The shards behind a database that reads all of them (store/cluster). */
export interface Shards {
  /** Each has complete calls, and different ones. The first one has everything else too. */
  readonly all: readonly [Database, ...Database[]]
  readonly everyServer: readonly Database[]
  /** Numbers of the shards that do not respond now, from 1. */
  readonly unavailable: readonly number[]
  candidates(project_id: string, id: string): readonly number[]
  shardOfNewCall(project_id: string, id: string): number
  onFirstShardDown(listener: () => void): () => void
  close(): Promise<void>
}

/** How long a statement may stay without a response before the server is pinged and another one tried. */
const SILENCE_MS = 3_000

/**
 * The only class that talks to ClickHouse. It takes statements as `Sql` and returns rows as objects. In a cluster, reads see
 * the tables of all shards, through whichever server responds. Calls are written through `shards`; all other inserts and
 * commands go to the first shard, and DDL goes to every server.
 */
export class Database {
  readonly name: string
  readonly settings: DatabaseSettings
  /** Undefined on a single server. */
  readonly cluster: Shards | undefined
  readonly #servers: Servers
  readonly #admission: ReadAdmission
  readonly #retry: RetryPolicy
  readonly #queries: Queries
  readonly #reads: Reads
  readonly #inserts: Inserts

  constructor(settings: DatabaseSettings, services: Partial<DatabaseServices> = {}) {
    this.name = settings.database
    this.settings = settings
    const { servers = new Servers([settings.url], settings, settings.concurrency?.maxConcurrent) } = services
    const { admission = new ReadAdmission(settings.concurrency) } = services
    const { log = new SlowQueryLog(settings.slowQueryLog), readSettings = {} } = services
    this.cluster = services.cluster
    this.#servers = servers
    this.#admission = admission
    this.#retry = new RetryPolicy({
      retryWindowMs: settings.retryWindowMs,
      isResponding: () => servers.isResponding({ select: false }),
      alternatives: servers.hasAlternatives
        ? {
            chooseFirst: () => servers.chooseFirst(),
            choose: () => servers.chooseServer(),
            silenceMs: SILENCE_MS,
          }
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
    this.#reads = services.guardReads?.(this.#queries) ?? this.#queries
    this.#inserts = new Inserts(servers, this.#retry, settings.durability)
  }

  /** Slots that reads of requests hold now, on all servers. */
  get readLeases(): ReadAdmission['leases'] {
    return this.#admission.leases
  }

  /** Each has complete calls, and different ones. On a single server, this database. */
  get shards(): readonly Database[] {
    return this.cluster?.all ?? [this]
  }

  /** The shard of everything but calls. */
  get firstShard(): Database {
    return this.cluster?.all[0] ?? this
  }

  /** Each server separately, for DDL and for what ClickHouse reports of itself. */
  get everyServer(): readonly Database[] {
    return this.cluster?.everyServer ?? [this]
  }

  /** Indexes of all shards that may have the call; the first that has it is its shard. */
  candidates(project_id: string, id: string): readonly number[] {
    return this.cluster?.candidates(project_id, id) ?? FIRST_SHARD
  }

  /** The index of the shard of a call that is not stored yet. */
  shardOfNewCall(project_id: string, id: string): number {
    return this.cluster?.shardOfNewCall(project_id, id) ?? 0
  }

  /** Numbers of the shards that do not respond now, from 1; always empty on a single server. */
  get unavailableShards(): readonly number[] {
    return this.cluster?.unavailable ?? NO_SHARDS
  }

  /** Called when the first shard of a cluster stops responding. Returns the function that ends the subscription. */
  onFirstShardDown(listener: () => void): () => void {
    return this.cluster?.onFirstShardDown(listener) ?? (() => {})
  }

  /**
   * Whether ClickHouse responds now, or with `select` whether it also has this database: on the server in use or on another
   * one with the same data. Never throws, and takes 6 s at most.
   */
  async ping({ select = true } = {}): Promise<boolean> {
    return (await this.#servers.isResponding({ select })) || this.#servers.chooseServer()
  }

  rows<Row>(statement: Sql, options: StatementOptions): Promise<Row[]> {
    return this.#reads.rows<Row>(statement, options)
  }

  async first<Row>(statement: Sql, options: StatementOptions): Promise<Row | undefined> {
    return (await this.rows<Row>(statement, options))[0]
  }

  stream<Row>(statement: Sql, options: StatementOptions): BatchedStream<Row> {
    return this.#reads.stream<Row>(statement, options)
  }

  /** A Parquet file as ClickHouse writes it, cancelled like `stream`. */
  parquet(statement: Sql, options: StatementOptions): AsyncGenerator<Buffer> {
    return this.#queries.parquet(statement, options)
  }

  /** Inserts rows of the small tables. Calls use `insertBinary`. */
  insert(table: string, rows: readonly object[]): Promise<void> {
    return this.cluster === undefined ? this.#inserts.json(table, rows) : this.firstShard.insert(table, rows)
  }

  /** Inserts rows that are already encoded in RowBinary. */
  insertBinary(
    table: string,
    columns: readonly string[],
    chunks: readonly Buffer[],
    options?: InsertOptions,
  ): Promise<void> {
    if (this.cluster !== undefined) return this.firstShard.insertBinary(table, columns, chunks, options)
    return this.#inserts.binary(table, columns, chunks, options)
  }

  /** Inserts a Parquet file; a retry opens it again. */
  insertParquet(table: string, open: () => Readable): Promise<void> {
    return this.cluster === undefined
      ? this.#inserts.parquet(table, open)
      : this.firstShard.insertParquet(table, open)
  }

  /** The number of failed inserts that may still be stored: the response was lost, or ClickHouse is still busy. */
  get uncertainInserts(): number {
    return this.#sum(this.#inserts.uncertain, (shard) => shard.uncertainInserts)
  }

  /** How often statements were repeated because ClickHouse was unavailable. */
  get retryCount(): number {
    return this.#sum(this.#retry.retryCount, (shard) => shard.retryCount)
  }

  /** Runs a statement without a result. A mutation is complete when it returns, unless `isAsync`. */
  async command(statement: Sql, name: string, { isAsync = false } = {}): Promise<void> {
    if (this.cluster !== undefined) return this.firstShard.command(statement, name, { isAsync })
    const { text, params } = compile(statement)
    const sync = isAsync ? '0' : '1'
    await this.#retry.run((abort_signal) =>
      this.#servers.pools.forCommand().command({
        abort_signal,
        query: text,
        query_params: params,
        clickhouse_settings: {
          ...BASE_SETTINGS,
          log_comment: name,
          lightweight_deletes_sync: sync,
          mutations_sync: sync,
          ...onAllReplicas(this.#servers.count),
          // Mutations of replicated tables may read other tables: Heddle's lists of calls do not change while they run.
          allow_nondeterministic_mutations: 1,
        },
      }),
    )
  }

  /** Runs DDL of Heddle: text without parameters, never of a caller. */
  async ddl(text: string, settings: ClickHouseSettings = {}): Promise<void> {
    if (this.cluster !== undefined) {
      for (const server of this.cluster.everyServer) await server.ddl(text, settings)
      return
    }
    await this.#retry.run((abort_signal) =>
      this.#servers.pools.forCommand().command({
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
  async longDdl(text: string, settings: ClickHouseSettings = {}): Promise<void> {
    if (this.cluster !== undefined) throw new Error('long DDL runs on one server of a cluster')
    await this.#servers.pools.forCommand().command({
      query: text,
      use_multipart_params: false,
      clickhouse_settings: {
        log_comment: 'schema',
        max_execution_time: 0,
        send_progress_in_http_headers: 1,
        http_headers_progress_interval_ms: '90000',
        ...settings,
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
    await Promise.all([this.#servers.close(), this.cluster?.close()])
  }

  /** Of this database, and of its shards. */
  #sum(own: number, count: (shard: Database) => number): number {
    return (this.cluster?.all ?? []).reduce((sum, shard) => sum + count(shard), own)
  }
}

const FIRST_SHARD: readonly number[] = [0]
const NO_SHARDS: readonly number[] = []
