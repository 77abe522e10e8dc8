import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Placement } from '../../src/core/cluster/placement.ts'
import { parseTopology } from '../../src/app/cluster-file.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import type { Target } from './client.ts'
import { Shard } from './shard.ts'

/** A node with fault proxies: between clients and the node, and between the node and each ClickHouse. */
export interface Node extends Target {
  readonly front: FaultProxy
  /** By the index of the shard. */
  readonly backs: FaultProxy[]
  readonly port: number
  process: ServerProcess
}

export interface ClusterOptions {
  readonly directory: string
  readonly durability: string
  /** Starts a node; by default it runs from source. */
  readonly command?: readonly string[] | undefined
  /** With one, nodes use it as a single server. */
  readonly shards: number
}

/** Several nodes and one ClickHouse or several shards, each a separate process. */
export class Cluster {
  readonly nodes: Node[] = []
  readonly shards: Shard[] = []
  readonly authorization: string
  readonly #options: ClusterOptions
  readonly #apiKey = `hd_${randomBytes(24).toString('hex')}`
  /** Shards from this index on were added while calls were written. */
  readonly #firstShards: number
  #isJoining = false
  #placement: Placement | undefined
  #isStopped = false
  /** The slowest start of a node until it was ready, and the slowest graceful stop. */
  slowestStartMs = 0
  slowestStopMs = 0

  constructor(options: ClusterOptions) {
    this.#options = options
    this.#firstShards = options.shards
    this.authorization = `Basic ${Buffer.from(`api:${this.#apiKey}`).toString('base64')}`
  }

  async start(names: readonly string[]): Promise<void> {
    const { directory, shards } = this.#options
    const indexes = Array.from({ length: shards }, (_, index) => index)
    this.shards.push(...(await Promise.all(indexes.map((index) => Shard.start(index, directory)))))
    for (const name of names) this.nodes.push(await this.#addNode(name))
  }

  /** Starts another ClickHouse as a shard that is still joining: nodes restarted from now on read it. */
  async addShard(): Promise<void> {
    const shard = await Shard.start(this.shards.length, this.#options.directory)
    this.shards.push(shard)
    for (const node of this.nodes) node.backs.push(await startFaultProxy(shard.clickhouse.url))
    this.#isJoining = true
    this.#placement = undefined
  }

  /** Nodes restarted from now on store new calls on the added shard too. */
  finishJoining(): void {
    this.#isJoining = false
  }

  /** Indexes of the shards that may have the call. */
  shardsOf(project_id: string, id: string): readonly number[] {
    this.#placement ??= new Placement(parseTopology(this.#topologyText([])).shards)
    return this.#placement.candidates(project_id, id)
  }

  /** Retries as a supervisor would: a node cannot start while ClickHouse is down. */
  async startNode(node: Node): Promise<void> {
    const startedAt = performance.now()
    while (!this.#isStopped) {
      try {
        node.process = await this.#spawn(node.name, node.backs, node.port)
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
      await Promise.all([node.front, ...node.backs].map((proxy) => proxy.stop()))
    }
    for (const shard of this.shards) await shard.stop()
  }

  async #addNode(name: string): Promise<Node> {
    const backs = await Promise.all(this.shards.map(({ clickhouse }) => startFaultProxy(clickhouse.url)))
    const process = await this.#spawn(name, backs)
    const front = await startFaultProxy(process.url)
    return { name, front, backs, process, url: front.url, port: Number(new URL(process.url).port) }
  }

  #spawn(name: string, backs: readonly FaultProxy[], port?: number): Promise<ServerProcess> {
    const { directory, durability, command } = this.#options
    const isCluster = this.#firstShards > 1
    const file = join(directory, `${name}-cluster.json`)
    if (isCluster) writeFileSync(file, this.#topologyText(backs))
    return startServerProcess({
      data: join(directory, `${name}-unused`),
      adminPassword: this.#apiKey,
      apiKey: this.#apiKey,
      ...(isCluster ? {} : { clickhouseUrl: backs[0]?.url ?? '' }),
      logFile: join(directory, `${name}.log`),
      environment: { HEDDLE_DURABILITY: durability, ...(isCluster ? { HEDDLE_CLUSTER: file } : {}) },
      ...(port === undefined ? {} : { port }),
      ...(command === undefined ? {} : { command }),
    })
  }

  /** The file of HEDDLE_CLUSTER of a node, which reaches each shard through its own proxies. */
  #topologyText(backs: readonly FaultProxy[]): string {
    const shards = this.shards.map(({ index, clickhouse, native }) => ({
      replicas: [{ url: backs[index]?.url ?? clickhouse.url, native: new URL(native.url).host }],
      ...(index < this.#firstShards ? {} : { generation: 2, joining: this.#isJoining }),
    }))
    return JSON.stringify({ shards }, null, 2)
  }
}
