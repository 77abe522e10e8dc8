import { randomBytes } from 'node:crypto'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type PlainEngine, startPlainEngine } from '../../scripts/external-clickhouse.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import type { Target } from './client.ts'

/** A node, the way of clients to it, and its way to the engine. */
export interface Node extends Target {
  readonly front: FaultProxy
  readonly back: FaultProxy
  readonly port: number
  process: ServerProcess
}

/** Two nodes and one engine, each a process of its own. */
export class Cluster {
  readonly nodes: Node[] = []
  readonly authorization: string
  readonly directory: string
  readonly #apiKey = `hd_${randomBytes(24).toString('hex')}`
  readonly #engineLog: number
  readonly #durability: string
  readonly #command: readonly string[] | undefined
  #engine: PlainEngine | undefined
  #isOver = false
  /** How long nodes took to be ready again, and to end when asked to. */
  slowestStartMs = 0
  slowestStopMs = 0

  /** `command` starts a node; from source if there is none. */
  constructor(directory: string, durability: string, command?: readonly string[]) {
    this.directory = directory
    this.#command = command
    this.#durability = durability
    this.authorization = `Basic ${Buffer.from(`api:${this.#apiKey}`).toString('base64')}`
    mkdirSync(join(directory, 'engine'), { recursive: true })
    this.#engineLog = openSync(join(directory, 'engine.log'), 'a')
  }

  async start(names: readonly string[]): Promise<void> {
    await this.startEngine()
    this.nodes.push(...(await Promise.all(names.map((name) => this.#addNode(name)))))
  }

  get engine(): PlainEngine {
    if (this.#engine === undefined) throw new Error('the engine was not started yet')
    return this.#engine
  }

  /** On the same data and, from the second time on, at the same port. */
  async startEngine(): Promise<void> {
    const port = this.#engine === undefined ? undefined : Number(new URL(this.#engine.url).port)
    this.#engine = await startPlainEngine(join(this.directory, 'engine'), port, this.#engineLog)
  }

  /** Again and again: while the engine is away a node cannot start, and its supervisor would insist. */
  async startNode(node: Node): Promise<void> {
    const began = performance.now()
    while (!this.#isOver) {
      try {
        node.process = await this.#spawn(node.name, node.back.url, node.port)
        this.slowestStartMs = Math.max(this.slowestStartMs, performance.now() - began)
        return
      } catch (error) {
        console.log(`node ${node.name} did not start: ${String(error)}`)
      }
    }
  }

  /** The exit code; SIGTERM alone. */
  async stopNode(node: Node): Promise<number | null> {
    const began = performance.now()
    await node.process.stop()
    this.slowestStopMs = Math.max(this.slowestStopMs, performance.now() - began)
    return node.process.process.exitCode
  }

  async stop(): Promise<void> {
    this.#isOver = true
    for (const node of this.nodes) {
      await node.process.kill()
      await node.front.stop()
      await node.back.stop()
    }
    await this.#engine?.kill()
  }

  async #addNode(name: string): Promise<Node> {
    const back = await startFaultProxy(this.engine.url)
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
