import { randomBytes } from 'node:crypto'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type ExternalClickHouse, startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import type { Target } from './client.ts'

/** A node with two fault proxies: between clients and the node, and between the node and ClickHouse. */
export interface Node extends Target {
  readonly front: FaultProxy
  readonly back: FaultProxy
  readonly port: number
  process: ServerProcess
}

/** Several nodes and one ClickHouse, each a separate process. */
export class Cluster {
  readonly nodes: Node[] = []
  readonly authorization: string
  readonly directory: string
  readonly #apiKey = `hd_${randomBytes(24).toString('hex')}`
  readonly #clickhouseLog: number
  readonly #durability: string
  readonly #command: readonly string[] | undefined
  #clickhouse: ExternalClickHouse | undefined
  #isStopped = false
  /** The slowest start of a node until it was ready, and the slowest graceful stop. */
  slowestStartMs = 0
  slowestStopMs = 0

  /** `command` starts a node; by default it runs from source. */
  constructor(directory: string, durability: string, command?: readonly string[]) {
    this.directory = directory
    this.#command = command
    this.#durability = durability
    this.authorization = `Basic ${Buffer.from(`api:${this.#apiKey}`).toString('base64')}`
    mkdirSync(join(directory, 'clickhouse'), { recursive: true })
    this.#clickhouseLog = openSync(join(directory, 'clickhouse.log'), 'a')
  }

  async start(names: readonly string[]): Promise<void> {
    await this.startClickHouse()
    this.nodes.push(...(await Promise.all(names.map((name) => this.#addNode(name)))))
  }

  get clickhouse(): ExternalClickHouse {
    if (this.#clickhouse === undefined) throw new Error('ClickHouse has not been started yet')
    return this.#clickhouse
  }

  /** A restart uses the same data and the same port. */
  async startClickHouse(): Promise<void> {
    const before = this.#clickhouse
    this.#clickhouse = await startExternalClickHouse(join(this.directory, 'clickhouse'), {
      ...(before === undefined ? {} : { port: Number(new URL(before.url).port) }),
      log: this.#clickhouseLog,
    })
  }

  /** Retries as a supervisor would: a node cannot start while ClickHouse is down. */
  async startNode(node: Node): Promise<void> {
    const startedAt = performance.now()
    while (!this.#isStopped) {
      try {
        node.process = await this.#spawn(node.name, node.back.url, node.port)
        this.slowestStartMs = Math.max(this.slowestStartMs, performance.now() - startedAt)
        return
      } catch (error) {
        console.log(`node ${node.name} did not start: ${String(error)}`)
      }
    }
  }

  /** Stops a node with SIGTERM only; returns its exit code. */
  async stopNode(node: Node): Promise<number | null> {
    const startedAt = performance.now()
    await node.process.stop()
    this.slowestStopMs = Math.max(this.slowestStopMs, performance.now() - startedAt)
    return node.process.process.exitCode
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const node of this.nodes) {
      await node.process.kill()
      await node.front.stop()
      await node.back.stop()
    }
    await this.#clickhouse?.kill()
  }

  async #addNode(name: string): Promise<Node> {
    const back = await startFaultProxy(this.clickhouse.url)
    const process = await this.#spawn(name, back.url)
    const front = await startFaultProxy(process.url)
    return { name, front, back, process, url: front.url, port: Number(new URL(process.url).port) }
  }

  #spawn(name: string, clickhouseUrl: string, port?: number): Promise<ServerProcess> {
    return startServerProcess({
      data: join(this.directory, `${name}-unused`),
      adminPassword: this.#apiKey,
      apiKey: this.#apiKey,
      clickhouseUrl,
      logFile: join(this.directory, `${name}.log`),
      environment: { HEDDLE_DURABILITY: this.#durability },
      ...(port === undefined ? {} : { port }),
      ...(this.#command === undefined ? {} : { command: this.#command }),
    })
  }
}
