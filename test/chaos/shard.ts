import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type ExternalClickHouse, startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'

/** A ClickHouse server, with a fault proxy between it and the servers that read its tables. */
export class Shard {
  readonly index: number
  readonly native: FaultProxy
  readonly #directory: string
  readonly #log: number
  #clickhouse: ExternalClickHouse

  private constructor(
    index: number,
    files: { readonly directory: string; readonly log: number },
    clickhouse: ExternalClickHouse,
    native: FaultProxy,
  ) {
    this.index = index
    this.#directory = files.directory
    this.#log = files.log
    this.#clickhouse = clickhouse
    this.native = native
  }

  static async start(index: number, parent: string): Promise<Shard> {
    const directory = join(parent, `clickhouse-${index + 1}`)
    mkdirSync(directory, { recursive: true })
    const log = openSync(join(parent, `clickhouse-${index + 1}.log`), 'a')
    const clickhouse = await startExternalClickHouse(directory, { log })
    const native = await startFaultProxy(`tcp://${clickhouse.native}`)
    return new Shard(index, { directory, log }, clickhouse, native)
  }

  /** Counted from 1, as in the file of HEDDLE_CLUSTER. */
  get name(): string {
    return `ClickHouse ${this.index + 1}`
  }

  get clickhouse(): ExternalClickHouse {
    return this.#clickhouse
  }

  /** Uses the same data and the same ports. */
  async restart(): Promise<void> {
    const [port, nativePort] = [new URL(this.#clickhouse.url).port, this.#clickhouse.native.split(':')[1]]
    this.#clickhouse = await startExternalClickHouse(this.#directory, {
      port: Number(port),
      nativePort: Number(nativePort),
      log: this.#log,
    })
  }

  async stop(): Promise<void> {
    await this.#clickhouse.kill()
    await this.native.stop()
  }
}
