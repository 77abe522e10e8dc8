import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type ExternalClickHouse, startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'

/** A ClickHouse server, with a fault proxy between it and the servers that read its tables. */
export class Shard {
  readonly index: number
  readonly #directory: string
  readonly #log: number
  #clickhouse: ExternalClickHouse | undefined
  #starting: Promise<void> | undefined
  #native: FaultProxy | undefined
  /** How often ClickHouse has exited unexpectedly. It is restarted then, as by any supervisor. */
  crashes = 0

  private constructor(index: number, parent: string) {
    this.index = index
    this.#directory = join(parent, `clickhouse-${index + 1}`)
    mkdirSync(this.#directory, { recursive: true })
    this.#log = openSync(join(parent, `clickhouse-${index + 1}.log`), 'a')
  }

  static async start(index: number, parent: string): Promise<Shard> {
    const shard = new Shard(index, parent)
    await shard.restart()
    shard.#native = await startFaultProxy(`tcp://${shard.clickhouse.native}`)
    return shard
  }

  /** Counted from 1, as in the file of HEDDLE_CLUSTER. */
  get name(): string {
    return `ClickHouse ${this.index + 1}`
  }

  get clickhouse(): ExternalClickHouse {
    if (this.#clickhouse === undefined) throw new Error(`${this.name} has not started`)
    return this.#clickhouse
  }

  get native(): FaultProxy {
    if (this.#native === undefined) throw new Error(`${this.name} has not started`)
    return this.#native
  }

  /** Uses the same data and the same ports. Does nothing if it is running. */
  restart(): Promise<void> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined))
    return this.#starting
  }

  async #start(): Promise<void> {
    const previous = this.#clickhouse
    if (previous?.isRunning === true) return
    this.#clickhouse = await startExternalClickHouse(this.#directory, {
      ...(previous === undefined
        ? {}
        : { port: Number(new URL(previous.url).port), nativePort: Number(previous.native.split(':')[1]) }),
      log: this.#log,
      onCrash: () => {
        this.crashes++
        this.restart().catch((error: unknown) => console.log(`${this.name} did not start: ${String(error)}`))
      },
    })
  }

  async stop(): Promise<void> {
    await this.clickhouse.kill()
    await this.native.stop()
  }
}
