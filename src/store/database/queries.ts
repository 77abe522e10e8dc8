import { addAbortSignal, type Readable } from 'node:stream'
import type { ClickHouseSettings, QueryParams } from '@clickhouse/client'
import { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { currentRequest, type RequestScope } from '../../core/concurrency/request-scope.ts'
import { compile, type Sql, type Statement } from '../query/sql.ts'
import { BASE_SETTINGS } from './clickhouse-client.ts'
import { toApiError, unavailableError } from './clickhouse-error.ts'
import { PARQUET_SETTINGS, readParquet } from './parquet.ts'
import { parseSummary, type QuerySummary, type SlowQueryLog } from './query-log.ts'
import type { ReadAdmission } from './read-admission.ts'
import {
  limitSettings,
  type QueryClass,
  type ReadLimits,
  STREAM_TIMEOUT_SECONDS,
  timeoutLimit,
  toLimitError,
} from './read-limits.ts'
import { readRows, type RowOptions } from './response-rows.ts'
import type { RetryPolicy } from './retry.ts'
import type { Servers } from './servers.ts'

export interface StatementOptions extends RowOptions {
  /** The name of the statement in `log_comment`, in snapshots and in the slow-query log. */
  readonly name: string
  readonly kind: QueryClass
  /** Whether a password is among the bound values. */
  readonly hasSecrets?: boolean
  /** Called before the statement is repeated; may throw, which ends the attempts. */
  readonly beforeRetry?: () => Promise<void>
  /** Cancels the statement, as a disconnecting client does. */
  readonly signal?: AbortSignal
}

type Format = 'JSONEachRow' | 'Parquet'

interface QueryRequest extends QueryParams {
  readonly format: Format
}

interface QueryResponse {
  readonly stream: Readable
  readonly summary: QuerySummary | undefined
}

interface QueryServices {
  readonly servers: Servers
  readonly retry: RetryPolicy
  readonly admission: ReadAdmission
  readonly log: SlowQueryLog
  readonly limits: ReadLimits
  /** In addition to those of every statement. */
  readonly settings: ClickHouseSettings
}

/** Runs reads: admission, limits, retries, cancellation and the slow-query log. */
export class Queries {
  readonly #services: QueryServices

  constructor(services: QueryServices) {
    this.#services = services
  }

  async rows<Row>(statement: Sql, options: StatementOptions): Promise<Row[]> {
    const { retry, admission, log, limits } = this.#services
    const compiled = compile(statement)
    const release = await admission.acquire(options.kind)
    const read = retry.run(
      async (abort_signal) => {
        const logDone = log.watch(compiled, options)
        try {
          const response = await this.#send(this.#request(compiled, options), options.kind, abort_signal)
          const rows: Row[] = []
          const batches = readRows<Row>(addAbortSignal(abort_signal, response.stream), rowOptions(options))
          for await (const batch of batches) for (const row of batch) rows.push(row)
          logDone(response.summary)
          return rows
        } catch (error) {
          logDone(undefined, error)
          throw toLimitError(error, options.kind, limits)
        }
      },
      abortSignalFor(options),
      options.beforeRetry,
    )
    return read.finally(release)
  }

  stream<Row>(statement: Sql, options: StatementOptions): BatchedStream<Row> {
    const compiled = compile(statement)
    const request = this.#request(compiled, options, STREAM_TIMEOUT_SECONDS)
    const read = (response: Readable) => readRows<Row>(response, rowOptions(options))
    return new BatchedStream(this.#streamResponse(compiled, request, options, read))
  }

  parquet(statement: Sql, options: StatementOptions): AsyncGenerator<Buffer> {
    const compiled = compile(statement)
    const request = this.#request(compiled, options, STREAM_TIMEOUT_SECONDS, 'Parquet')
    const clickhouse_settings = { ...request.clickhouse_settings, ...PARQUET_SETTINGS }
    return this.#streamResponse(compiled, { ...request, clickhouse_settings }, options, readParquet)
  }

  async *#streamResponse<Part>(
    compiled: Statement,
    request: QueryRequest,
    options: StatementOptions,
    read: (response: Readable) => AsyncGenerator<Part>,
  ): AsyncGenerator<Part> {
    const { retry, admission, log, limits } = this.#services
    const cancellation = new AbortController()
    const caller = abortSignalFor(options)
    const signal = caller === undefined ? cancellation.signal : AbortSignal.any([caller, cancellation.signal])
    const release = await admission.acquire(options.kind)
    const logDone = log.watch(compiled, options)
    const limit = timeoutLimit(options.kind, limits)
    const deadline = limit && setTimeout(() => cancellation.abort(limit.error), limit.seconds * 1000)
    let endTrading: (() => void) | undefined
    let failedAttempt: unknown
    try {
      const response = await retry.run(
        (abort_signal) =>
          this.#send(request, options.kind, abort_signal).catch((error: unknown) => {
            if (!signal.aborted) failedAttempt = error
            throw error
          }),
        signal,
        options.beforeRetry,
      )
      // From here on the reader decides how long it takes.
      clearTimeout(deadline)
      logDone(response.summary)
      endTrading = admission.tradeForExportSlot(options.kind)
      // The client drops its signal with the first byte, but ClickHouse may take long until the next.
      yield* read(addAbortSignal(signal, response.stream))
    } catch (error) {
      logDone(undefined, error)
      if (limit !== undefined && cancellation.signal.reason === limit.error)
        throw (await this.#isSlow(failedAttempt)) ? limit.error : unavailableError(failedAttempt ?? error)
      throw toApiError(toLimitError(error, options.kind, limits))
    } finally {
      clearTimeout(deadline)
      endTrading?.()
      cancellation.abort()
      release()
    }
  }

  /** Whether the read itself took too long, and not because ClickHouse is unavailable. */
  async #isSlow(failedAttempt: unknown): Promise<boolean> {
    return failedAttempt === undefined && (await this.#services.servers.isResponding({ select: false }))
  }

  /** The raw response. `exec` returns it too, but sends parameters in the URL, whose length is limited. */
  async #send(request: QueryRequest, kind: QueryClass, abort_signal: AbortSignal): Promise<QueryResponse> {
    const result = await this.#services.servers.pools.forQuery(kind).query({ ...request, abort_signal })
    return {
      stream: (result as unknown as { readonly _stream: Readable })._stream,
      summary: parseSummary(result.response_headers),
    }
  }

  #request(
    { text, params }: Statement,
    options: StatementOptions,
    maxSeconds?: number,
    format: Format = 'JSONEachRow',
  ): QueryRequest {
    return {
      query: text,
      format,
      query_params: params,
      clickhouse_settings: {
        ...BASE_SETTINGS,
        ...this.#services.settings,
        ...limitSettings(options.kind, this.#services.limits),
        ...(maxSeconds === undefined ? {} : { max_execution_time: maxSeconds }),
        // Before its first byte, ClickHouse cancels a POSTed query with its connection only if it is declared
        // read-only. 2, unlike 1, allows the other settings.
        readonly: '2',
        cancel_http_readonly_queries_on_client_close: 1,
        log_comment: options.name,
      },
    }
  }
}

/** Aborted when the client of the request disconnects. */
function abortSignalFor(options: StatementOptions): AbortSignal | undefined {
  const client = ownRequest(options)?.signal
  if (client === undefined || options.signal === undefined) return client ?? options.signal
  return AbortSignal.any([client, options.signal])
}

function rowOptions(options: StatementOptions): RowOptions {
  const { limit = ownRequest(options)?.resultLimit, placeholderColumns, copyRow } = options
  return { limit, placeholderColumns, copyRow }
}

/** The request that the statement belongs to; undefined for writes, and for reads that several requests share. */
function ownRequest({ kind }: StatementOptions): RequestScope | undefined {
  return kind === 'write' || kind === 'access' || kind === 'live' ? undefined : currentRequest()
}
