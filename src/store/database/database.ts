import type { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { compile, type Sql, sql } from '../query/sql.ts'
import { BASE_SETTINGS, type ConnectionSettings, createPingClient } from './clickhouse-client.ts'
import { ConnectionPools } from './connection-pools.ts'
import type { Durability } from './durability.ts'
import { Inserts } from './inserts.ts'
import { Queries, type StatementOptions } from './queries.ts'
import { SlowQueryLog, type SlowQueryLogOptions } from './query-log.ts'
import { ReadAdmission, type ReadConcurrency } from './read-admission.ts'
import { DEFAULT_READ_LIMITS, type ReadLimits } from './read-limits.ts'
import { RetryPolicy } from './retry.ts'
import { SandboxConnection } from './sandbox-connection.ts'

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

/** The only class that talks to ClickHouse. It takes statements as `Sql` and returns rows as objects. */
export class Database {
  readonly name: string
  readonly settings: DatabaseSettings
  readonly #pools: ConnectionPools
  readonly #pingClient: ClickHouseClient
  readonly #retry: RetryPolicy
  readonly #queries: Queries
  readonly #inserts: Inserts

  constructor(settings: DatabaseSettings) {
    this.name = settings.database
    this.settings = settings
    this.#pools = new ConnectionPools(settings, settings.concurrency?.maxConcurrent)
    this.#pingClient = createPingClient(settings)
    this.#retry = new RetryPolicy({
      retryWindowMs: settings.retryWindowMs,
      isResponding: async () => (await this.#pingClient.ping({ select: false })).success,
    })
    this.#queries = new Queries({
      pools: this.#pools,
      retry: this.#retry,
      admission: new ReadAdmission(settings.concurrency),
      log: new SlowQueryLog(settings.slowQueryLog),
      limits: settings.limits ?? DEFAULT_READ_LIMITS,
    })
    this.#inserts = new Inserts(this.#pools, this.#retry, settings.durability)
  }

  /** Whether ClickHouse responds now. Never throws, and takes 3 s at most. */
  async ping(): Promise<boolean> {
    const result = await this.#pingClient.ping({ select: true }).catch(() => ({ success: false }))
    return result.success
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
  insertBinary(table: string, columns: readonly string[], chunks: readonly Buffer[]): Promise<void> {
    return this.#inserts.binary(table, columns, chunks)
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
      this.#pools.forCommand().command({
        abort_signal,
        query: text,
        query_params: params,
        clickhouse_settings: {
          ...BASE_SETTINGS,
          log_comment: name,
          lightweight_deletes_sync: sync,
          mutations_sync: sync,
          // Mutations of replicated tables may read other tables: Heddle's lists of calls do not change meanwhile.
          allow_nondeterministic_mutations: 1,
        },
      }),
    )
  }

  /** Runs DDL of Heddle: text without parameters, never of a caller. */
  async ddl(text: string, settings: ClickHouseSettings = {}): Promise<void> {
    await this.#retry.run((abort_signal) =>
      this.#pools.forCommand().command({
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
    await this.#pools.forCommand().command({
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

  /** A second connection to the same server, as the user of the SQL sandbox. */
  connectSandbox(user: Omit<ConnectionSettings, 'url'>, format: string): SandboxConnection {
    return new SandboxConnection({ ...user, url: this.settings.url }, format)
  }

  async close(): Promise<void> {
    await this.#pools.close()
    await this.#pingClient.close()
  }
}

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
