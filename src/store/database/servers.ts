import type { ClickHouseClient } from '@clickhouse/client'
import { type ConnectionSettings, createPingClient } from './clickhouse-client.ts'
import { ConnectionPools } from './connection-pools.ts'
import type { QueryClass } from './read-limits.ts'

/** After this time on another server, the preferred ones are tried again. */
const RETURN_MS = 5_000

interface Server {
  readonly url: string
  readonly pools: ConnectionPools
  readonly pingClient: ClickHouseClient
}

/**
 * ClickHouse servers with the same data, in order of preference. All statements use one of them, the first that responds:
 * a replica may be behind another one. There is one, except in a cluster.
 */
export class Servers {
  readonly #servers: readonly [Server, ...Server[]]
  #current: Server
  #switchedAt = 0
  #isReturning = false

  constructor(
    urls: readonly [string, ...string[]],
    settings: ConnectionSettings,
    maxConcurrentReads?: number,
  ) {
    const [first, ...others] = urls.map((url): Server => {
      const target = { ...settings, url }
      return {
        url,
        pools: new ConnectionPools(target, maxConcurrentReads),
        pingClient: createPingClient(target),
      }
    }) as [Server, ...Server[]]
    this.#servers = [first, ...others]
    this.#current = first
  }

  /** Of the server in use. */
  get url(): string {
    return this.#current.url
  }

  get count(): number {
    return this.#servers.length
  }

  get hasAlternatives(): boolean {
    return this.count > 1
  }

  forQuery(kind: QueryClass): ClickHouseClient {
    return this.#pools().forQuery(kind)
  }

  forInsert(table: string): ClickHouseClient {
    return this.#pools().forInsert(table)
  }

  forCommand(): ClickHouseClient {
    return this.#pools().forCommand()
  }

  /** Whether the server in use responds. Never throws, and takes 3 s at most. */
  async isResponding({ select }: { readonly select: boolean }): Promise<boolean> {
    return responds(this.#current, select)
  }

  /**
   * After a failed statement: the first server that responds is used from now on; the present one if none does. Returns
   * whether one does.
   */
  async chooseServer(): Promise<boolean> {
    const responding = await Promise.all(this.#servers.map((server) => responds(server, true)))
    const chosen = this.#servers.find((_server, index) => responding[index] === true)
    if (chosen === undefined) return false
    this.#switchedAt = performance.now()
    this.#current = chosen
    return true
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.flatMap(({ pools, pingClient }) => [pools.close(), pingClient.close()]))
  }

  #pools(): ConnectionPools {
    const mayReturn =
      this.#current !== this.#servers[0] &&
      !this.#isReturning &&
      performance.now() - this.#switchedAt > RETURN_MS
    if (mayReturn) {
      this.#isReturning = true
      void this.chooseServer().finally(() => {
        this.#isReturning = false
        this.#switchedAt = performance.now()
      })
    }
    return this.#current.pools
  }
}

async function responds({ pingClient }: Server, select: boolean): Promise<boolean> {
  const result = await pingClient.ping(select ? { select: true } : { select: false }).catch(() => undefined)
  return result?.success === true
}
