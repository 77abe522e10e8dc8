import type { ClickHouseClient } from '@clickhouse/client'
import { type ConnectionSettings, createPingClient } from './clickhouse-client.ts'
import { ConnectionPools } from './connection-pools.ts'
import { preferredReplica, readReplicaState, type ReplicaState } from './replica-state.ts'

/** After this time on another server, the preferred ones are tried again. */
const RETURN_MS = 5_000

interface Server {
  readonly url: string
  readonly pools: ConnectionPools
  readonly pingClient: ClickHouseClient
}

/**
 * ClickHouse servers with the same data, in order of preference. All statements use one of them, the first that responds
 * and has everything: what was acknowledged must be readable. There is one, except in a cluster.
 */
export class Servers {
  readonly #servers: readonly [Server, ...Server[]]
  #current: Server
  #switchedAt = 0
  #isReturning = false
  #firstChoice: Promise<boolean> | undefined

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

  /** The connections of the server in use. */
  get pools(): ConnectionPools {
    this.#returnIfDue()
    return this.#current.pools
  }

  /** Whether the server in use responds. Never throws, and takes 3 s at most. */
  async isResponding({ select }: { readonly select: boolean }): Promise<boolean> {
    return responds(this.#current, select)
  }

  /** Before the first statement of this process: the preferred server may have just come back. */
  async chooseFirst(): Promise<void> {
    if (!this.hasAlternatives) return
    this.#firstChoice ??= this.chooseServer()
    await this.#firstChoice
  }

  /** Chooses the server of all statements from now on (`preferredReplica`). Returns whether one responds. */
  async chooseServer(): Promise<boolean> {
    const states = await Promise.all(this.#servers.map((server) => this.#state(server)))
    const chosen = this.#servers[preferredReplica(states, this.#servers.indexOf(this.#current))]
    if (chosen === undefined) return false
    this.#switchedAt = performance.now()
    this.#current = chosen
    return true
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.flatMap(({ pools, pingClient }) => [pools.close(), pingClient.close()]))
  }

  async #state(server: Server): Promise<ReplicaState> {
    if (this.hasAlternatives) return readReplicaState(server.pingClient)
    return (await responds(server, true)) ? 'complete' : 'down'
  }

  #returnIfDue(): void {
    const isDue = this.#current !== this.#servers[0] && performance.now() - this.#switchedAt > RETURN_MS
    if (!isDue || this.#isReturning) return
    this.#isReturning = true
    void this.chooseServer().finally(() => {
      this.#isReturning = false
      this.#switchedAt = performance.now()
    })
  }
}

async function responds({ pingClient }: Server, select: boolean): Promise<boolean> {
  const result = await pingClient.ping(select ? { select: true } : { select: false }).catch(() => undefined)
  return result?.success === true
}
