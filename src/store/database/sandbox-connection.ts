import { addAbortSignal, type Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { type ConnectionSettings, createSandboxClient } from './clickhouse-client.ts'

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

/** A connection as the user of the SQL sandbox: runs text of callers unchanged, without retries and settings of Heddle. */
export class SandboxConnection {
  readonly #client: ClickHouseClient

  constructor(settings: ConnectionSettings, format: string) {
    this.#client = createSandboxClient(settings, format)
  }

  async execute({ text, query_id, parameters, signal }: SandboxStatement): Promise<SandboxResponse> {
    const { stream, response_headers } = await this.#client.exec({
      query: text,
      ...(query_id === undefined ? {} : { query_id }),
      ...(parameters === undefined ? {} : { query_params: { ...parameters } }),
      ...(signal === undefined ? {} : { abort_signal: signal }),
    })
    const format = response_headers['x-clickhouse-format']
    return {
      // The client drops its signal with the first byte, but ClickHouse may take long until the next.
      stream: signal === undefined ? stream : addAbortSignal(signal, stream),
      format: format === undefined ? undefined : String(format),
    }
  }

  async close(): Promise<void> {
    await this.#client.close()
  }
}
