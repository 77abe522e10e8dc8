import type { Readable } from 'node:stream'
import { Placement } from '../../core/cluster/placement.ts'
import type { Topology } from '../../core/cluster/topology.ts'
import type { InsertOptions } from '../database/inserts.ts'
import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import {
  Database,
  type DatabaseServices,
  type DatabaseSettings,
  type StatementSettings,
} from '../database/database.ts'
import type { StatementOptions } from '../database/queries.ts'
import { unavailableError } from '../database/clickhouse-error.ts'
import { SlowQueryLog } from '../database/query-log.ts'
import { ReadAdmission } from '../database/read-admission.ts'
import { Servers } from '../database/servers.ts'
import type { Sql } from '../query/sql.ts'
import { clusterDatabaseName, partialDatabaseName } from './cluster-names.ts'
import { createPartialTables, readsAllShards } from './cluster-tables.ts'
import { ShardDatabase } from './shard-database.ts'
import { ShardHealth } from './shard-health.ts'
import { ShardReads } from './shard-reads.ts'

const READ_SETTINGS: StatementSettings = {
  // A subquery is run once and its result sent to each shard: run on a shard, it would see the rows of that shard only.
  distributed_product_mode: 'global',
  // ClickHouse would write `x = 1 OR x = 2 OR …` as `x IN (1, 2, …)` on the server that receives a statement, but not on shards, and
  // not find their aggregates then ("Not found column countIf(or(…").
  optimize_min_equality_disjunction_chain_length: '1000000',
  optimize_min_inequality_conjunction_chain_length: '1000000',
  // The replica that `Servers` prefers too.
  load_balancing: 'in_order',
  // A server that hangs or is cut off is noticed after seconds. A live one sends progress ten times per second, so a long
  // query does not reach the timeout, whose default is 5 minutes.
  receive_timeout: 10,
  handshake_timeout_ms: 3_000,
  connect_timeout_with_failover_ms: 1_000,
}

type NonEmpty<T> = readonly [T, ...T[]]

/**
 * The database of a cluster. Reads see the tables of all shards, through whichever server responds. Calls are written through
 * `shards`. Everything else is on the first shard: inserts and commands go there. DDL goes to every server.
 */
export class ClusterDatabase extends Database {
  readonly topology: Topology
  readonly health: ShardHealth
  readonly #shards: readonly Database[]
  readonly #everyServer: readonly Database[]
  readonly #placement: Placement
  readonly #reads: ShardReads
  readonly #openPartial: (missing: readonly number[], urls: NonEmpty<string>) => Database
  /** Databases without some shards, by these; created on first use. */
  readonly #partial = new Map<string, Promise<Database>>()
  readonly #openedPartial: Database[] = []

  constructor(settings: DatabaseSettings, topology: Topology) {
    const urls = topology.shards.map(({ replicas }) => urlsOf(replicas))
    const shared = {
      admission: new ReadAdmission(settings.concurrency),
      log: new SlowQueryLog(settings.slowQueryLog),
    }
    const onServers = (target: NonEmpty<string>, database: string): Pick<DatabaseServices, 'servers'> => ({
      servers: new Servers(target, { ...settings, database }, settings.concurrency?.maxConcurrent),
    })
    super(settings, {
      ...shared,
      ...onServers(urls.flat() as unknown as NonEmpty<string>, clusterDatabaseName(settings.database)),
      readSettings: READ_SETTINGS,
    })
    const services = (target: NonEmpty<string>) => ({ ...shared, ...onServers(target, settings.database) })
    this.topology = topology
    this.health = new ShardHealth(urls.length, async (index) => (await this.#shards[index]?.ping()) === true)
    this.#placement = new Placement(topology.shards)
    this.#shards = urls.map(
      (target, index) =>
        new ShardDatabase({ ...settings, url: target[0] }, services(target), this.health, index),
    )
    this.#everyServer = urls.flat().map((url) => new Database({ ...settings, url }, services([url])))
    this.#openPartial = (missing, target) =>
      new Database(
        { ...settings, url: target[0] },
        {
          ...shared,
          ...onServers(target, partialDatabaseName(settings.database, missing)),
          readSettings: READ_SETTINGS,
        },
      )
    this.#reads = new ShardReads({
      health: this.health,
      retryWindowMs: settings.retryWindowMs,
      complete: {
        rows: (statement, options) => super.rows(statement, options),
        stream: (statement, options) => super.stream(statement, options),
      },
      neededShards: (statement) => (readsAllShards(statement) ? this.health.indexes : FIRST_SHARD),
      without: {
        open: (missing) => this.#without(missing.map((index) => index + 1)),
        reopen: (missing) => this.#partial.delete(missing.map((index) => index + 1).join()),
      },
    })
  }

  override rows<Row>(statement: Sql, options: StatementOptions): Promise<Row[]> {
    return this.#reads.rows(statement, options)
  }

  override stream<Row>(statement: Sql, options: StatementOptions): BatchedStream<Row> {
    return this.#reads.stream(statement, options)
  }

  override get unavailableShards(): readonly number[] {
    return this.health.down.map((index) => index + 1)
  }

  override onFirstShardDown(listener: () => void): () => void {
    return this.health.onDown(FIRST_SHARD, listener)
  }

  override get shards(): readonly Database[] {
    return this.#shards
  }

  override get everyServer(): readonly Database[] {
    return this.#everyServer
  }

  /** Whether shards were added: an id may then have several candidates. */
  get isGrown(): boolean {
    return this.#placement.isGrown
  }

  override candidates(project_id: string, id: string): readonly number[] {
    return this.#placement.candidates(project_id, id)
  }

  override shardOfNewCall(project_id: string, id: string): number {
    return this.#placement.newCall(project_id, id)
  }

  override insert(table: string, rows: readonly object[]): Promise<void> {
    return this.firstShard.insert(table, rows)
  }

  override insertBinary(
    table: string,
    columns: readonly string[],
    chunks: readonly Buffer[],
    options?: InsertOptions,
  ): Promise<void> {
    return this.firstShard.insertBinary(table, columns, chunks, options)
  }

  override insertParquet(table: string, open: () => Readable): Promise<void> {
    return this.firstShard.insertParquet(table, open)
  }

  override command(statement: Sql, name: string, options?: { isAsync?: boolean }): Promise<void> {
    return this.firstShard.command(statement, name, options)
  }

  override async ddl(text: string, settings?: StatementSettings): Promise<void> {
    for (const server of this.everyServer) await server.ddl(text, settings)
  }

  override longDdl(): Promise<void> {
    return Promise.reject(new Error('long DDL runs on one server of a cluster'))
  }

  override get uncertainInserts(): number {
    return this.shards.reduce((sum, shard) => sum + shard.uncertainInserts, 0)
  }

  override get retryCount(): number {
    return this.shards.reduce((sum, shard) => sum + shard.retryCount, super.retryCount)
  }

  override async close(): Promise<void> {
    this.health.stop()
    const all = [...this.shards, ...this.everyServer, ...this.#openedPartial]
    await Promise.all([super.close(), ...all.map((database) => database.close())])
  }

  /** Reads the tables of all shards but these, by number. */
  #without(missing: readonly number[]): Promise<Database> {
    const key = missing.join()
    const known = this.#partial.get(key)
    if (known !== undefined) return known
    const created = this.#createPartial(missing).catch((error: unknown) => {
      this.#partial.delete(key)
      throw error
    })
    this.#partial.set(key, created)
    return created
  }

  async #createPartial(missing: readonly number[]): Promise<Database> {
    const shardOfServer = this.topology.shards.flatMap(({ number, replicas }) => replicas.map(() => number))
    const others = this.everyServer.filter((_server, i) => !missing.includes(shardOfServer[i] ?? 0))
    const urls = await Promise.all(
      others.map(async (server) => {
        if (!(await server.ping())) return []
        await createPartialTables(server, this.topology.shards, missing)
        return [server.settings.url]
      }),
    )
    const [first, ...rest] = urls.flat()
    if (first === undefined) throw unavailableError(new Error('no server of the other shards responds'))
    const opened = this.#openPartial(missing, [first, ...rest])
    this.#openedPartial.push(opened)
    return opened
  }
}

/** Index of the shard of everything but calls. */
const FIRST_SHARD: readonly number[] = [0]

function urlsOf(replicas: readonly { readonly url: string }[]): NonEmpty<string> {
  return replicas.map(({ url }) => url) as unknown as NonEmpty<string>
}
