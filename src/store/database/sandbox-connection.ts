import { addAbortSignal, type Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { type ConnectionSettings, createSandboxClient } from './clickhouse-client.ts'
import { isTransient } from './clickhouse-error.ts'

export interface SandboxStatement {
  readonly text: string
  readonly query_id?: string
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
}

export interface SandboxResponse {
  readonly stream: Readable
  /** The format of the response; a FORMAT clause in the text can change it. */
  readonly format: string | undefined
}

/** The server in use, and how to choose another one. */
export interface ServerInUse {
  readonly url: () => string
  readonly chooseServer: () => Promise<unknown>
}

/** A connection as the user of the SQL sandbox: runs text of callers unchanged, without retries and settings of Heddle. */
export class SandboxConnection {
  readonly #server: ServerInUse
  readonly #settings: Omit<ConnectionSettings, 'url'>
  readonly #format: string
  /** By URL: one, except in a cluster. */
  readonly #clients = new Map<string, ClickHouseClient>()

  constructor(server: ServerInUse, settings: Omit<ConnectionSettings, 'url'>, format: string) {
    this.#server = server
    this.#settings = settings
    this.#format = format
  }

  async execute({ text, query_id, parameters, signal }: SandboxStatement): Promise<SandboxResponse> {
    const { stream, response_headers } = await this.#client()
      .exec({
        query: text,
        ...(query_id === undefined ? {} : { query_id }),
        ...(parameters === undefined ? {} : { query_params: { ...parameters } }),
        ...(signal === undefined ? {} : { abort_signal: signal }),
      })
      .catch(async (error: unknown) => {
        if (isTransient(error)) await this.#server.chooseServer()
        throw error
      })
    const format = response_headers['x-clickhouse-format']
    return {
      // The client drops its signal with the first byte, but ClickHouse may take long until the next.
      stream: signal === undefined ? stream : addAbortSignal(signal, stream),
      format: format === undefined ? undefined : String(format),
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()))
  }

  #client(): ClickHouseClient {
    const url = this.#server.url()
    const client = this.#clients.get(url) ?? createSandboxClient({ ...this.#settings, url }, this.#format)
    this.#clients.set(url, client)
    return client
  }
}
