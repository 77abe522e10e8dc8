import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ClickHouseSettings } from '@clickhouse/client'
import { BASE_SETTINGS } from './clickhouse-client.ts'
import { type Durability, insertSettings, onAllReplicas } from './durability.ts'
import { expectEmptyResponse } from './response-rows.ts'
import type { RetryPolicy } from './retry.ts'
import type { Servers } from './servers.ts'

export interface InsertOptions {
  /** Waits until all replicas have the rows, whatever the durability. */
  readonly onAllReplicas?: boolean
}

/** Inserts rows, with the durability of the settings and with retries. */
export class Inserts {
  readonly #servers: Servers
  readonly #retry: RetryPolicy
  readonly #durability: Durability
  #uncertain = 0

  constructor(servers: Servers, retry: RetryPolicy, durability: Durability) {
    this.#servers = servers
    this.#retry = retry
    this.#durability = durability
  }

  get uncertain(): number {
    return this.#uncertain
  }

  async json(table: string, rows: readonly object[]): Promise<void> {
    if (rows.length === 0) return
    const settings = insertSettings(this.#durability, randomUUID())
    await this.#retry.run((abort_signal) =>
      this.#servers.pools.forInsert(table).insert({
        abort_signal,
        table,
        values: rows,
        format: 'JSONEachRow',
        clickhouse_settings: {
          ...BASE_SETTINGS,
          ...settings,
          // ClickHouse batches many small concurrent inserts into few parts, and responds after they are stored.
          async_insert: 1,
          wait_for_async_insert: 1,
          date_time_input_format: 'best_effort',
          log_comment: `insert ${table}`,
        },
      }),
    )
  }

  async binary(
    table: string,
    columns: readonly string[],
    chunks: readonly Buffer[],
    options: InsertOptions = {},
  ): Promise<void> {
    if (chunks.every((chunk) => chunk.length === 0)) return
    const settings = {
      ...insertSettings(this.#durability, randomUUID()),
      ...(options.onAllReplicas === true ? onAllReplicas(this.#servers.count) : {}),
      // The default, whatever the profile of an external ClickHouse is. Inserts of calls have fewer (calls/write/months.ts).
      max_partitions_per_insert_block: '100',
    }
    const query = `INSERT INTO ${table} (${columns.join(', ')}) FORMAT RowBinary`
    await this.#retry.run(async (abort_signal) => {
      try {
        await this.#send(table, query, Readable.from(chunks, { objectMode: false }), settings, abort_signal)
      } catch (error) {
        this.#uncertain++
        throw error
      }
    })
  }

  async parquet(table: string, open: () => Readable): Promise<void> {
    const query = `INSERT INTO ${table} FORMAT Parquet`
    await this.#retry.run((abort_signal) => this.#send(table, query, open(), {}, abort_signal))
  }

  async #send(
    table: string,
    query: string,
    values: Readable,
    settings: ClickHouseSettings,
    abort_signal: AbortSignal,
  ): Promise<void> {
    const result = await this.#servers.pools.forInsert(table).exec({
      abort_signal,
      query,
      values,
      use_multipart_params: false,
      clickhouse_settings: {
        ...BASE_SETTINGS,
        ...settings,
        // Rows are already batched: ClickHouse need not wait for more (50 to 200 ms, its default since 26).
        async_insert: 0,
        log_comment: `insert ${table}`,
      },
    })
    await expectEmptyResponse(result.stream)
  }
}
