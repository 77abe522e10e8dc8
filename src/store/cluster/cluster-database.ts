import { Placement } from '../../core/cluster/placement.ts'
import type { Topology } from '../../core/cluster/topology.ts'
import {
  Database,
  type DatabaseServices,
  type DatabaseSettings,
  type Reads,
  type Shards,
  type StatementSettings,
} from '../database/database.ts'
import { unavailableError } from '../database/clickhouse-error.ts'
import { SlowQueryLog } from '../database/query-log.ts'
import { ReadAdmission } from '../database/read-admission.ts'
import { Servers } from '../database/servers.ts'
import { clusterDatabaseName, partialDatabaseName } from './cluster-names.ts'
import { createPartialTables, readsAllShards } from './cluster-tables.ts'
import { ShardHealth } from './shard-health.ts'
import { ShardReads } from './shard-reads.ts'

const READ_SETTINGS: StatementSettings = {
  // A subquery is run once and its result sent to each shard: run on a shard, it would see the rows of that shard only.
  distributed_product_mode: 'global',
  // ClickHouse would write `x = 1 OR x = 2 OR …` as `x IN (1, 2, …)` on the server that receives a statement, but not on shards, and
  // not find their aggregates then ("Not found column countIf(or(…").
  optimize_min_equality_disjunction_chain_length: '1000000',
  optimize_min_inequality_conjunction_chain_length: '1000000',
  // The replica that `Servers` prefers too, unless it is behind: then another one, if that is not.
  load_balancing: 'in_order',
  max_replica_delay_for_distributed_queries: '1',
  // A server that hangs or is cut off is noticed after seconds. A live one sends progress ten times per second, so a long
  // query does not reach the timeout, whose default is 5 minutes.
  receive_timeout: 10,
  handshake_timeout_ms: 3_000,
  connect_timeout_with_failover_ms: 1_000,
}

type NonEmpty<T> = readonly [T, ...T[]]

/** The database of a cluster, made of the databases of its servers. */
export interface ClusterDatabase extends Database {
  readonly cluster: Cluster
}

export function isCluster(db: Database): db is ClusterDatabase {
  return db.cluster instanceof Cluster
}

export function openCluster(settings: DatabaseSettings, topology: Topology): ClusterDatabase {
  const shared = {
    admission: new ReadAdmission(settings.concurrency),
    log: new SlowQueryLog(settings.slowQueryLog),
  }
  const connect: Connect = (urls, services = {}, database = settings.database) =>
    new Database(
      { ...settings, url: urls[0] },
      {
        ...shared,
        servers: new Servers(urls, { ...settings, database }, settings.concurrency?.maxConcurrent),
        ...services,
      },
    )
  const cluster = new Cluster(settings, topology, connect)
  const urls = topology.shards.flatMap(({ replicas }) => urlsOf(replicas)) as unknown as NonEmpty<string>
  const services = {
    cluster,
    readSettings: READ_SETTINGS,
    guardReads: (reads: Reads) => cluster.guardReads(reads),
  }
  return connect(urls, services, clusterDatabaseName(settings.database)) as ClusterDatabase
}

/** Connects to servers with the same data. */
type Connect = (urls: NonEmpty<string>, services?: Partial<DatabaseServices>, database?: string) => Database

/** The servers of a cluster: its shards, which of them respond, and which calls they have. */
class Cluster implements Shards {
  readonly topology: Topology
  readonly health: ShardHealth
  readonly all: NonEmpty<Database>
  readonly everyServer: readonly Database[]
  readonly #settings: DatabaseSettings
  readonly #connect: Connect
  readonly #placement: Placement
  /** Databases without some shards, by these; created on first use. */
  readonly #partial = new Map<string, Promise<Database>>()
  readonly #openedPartial: Database[] = []

  constructor(settings: DatabaseSettings, topology: Topology, connect: Connect) {
    const urls = topology.shards.map(({ replicas }) => urlsOf(replicas))
    this.topology = topology
    this.#settings = settings
    this.#connect = connect
    this.#placement = new Placement(topology.shards)
    this.health = new ShardHealth(urls.length, async (index) => (await this.all[index]?.ping()) === true)
    this.all = urls.map((target, index) => this.#openShard(target, index)) as unknown as NonEmpty<Database>
    this.everyServer = urls.flat().map((url) => connect([url]))
  }

  get unavailable(): readonly number[] {
    return this.health.down.map((index) => index + 1)
  }

  /** Whether shards were added: an id may then have several candidates. */
  get isGrown(): boolean {
    return this.#placement.isGrown
  }

  candidates(project_id: string, id: string): readonly number[] {
    return this.#placement.candidates(project_id, id)
  }

  shardOfNewCall(project_id: string, id: string): number {
    return this.#placement.newCall(project_id, id)
  }

  onFirstShardDown(listener: () => void): () => void {
    return this.health.onDown(FIRST_SHARD, listener)
  }

  /** Reads of all shards. */
  guardReads(complete: Reads): Reads {
    return new ShardReads({
      health: this.health,
      retryWindowMs: this.#settings.retryWindowMs,
      complete,
      neededShards: (statement) => (readsAllShards(statement) ? this.health.indexes : FIRST_SHARD),
      without: {
        open: (missing) => this.#without(missing.map((index) => index + 1)),
        reopen: (missing) => this.#partial.delete(missing.map((index) => index + 1).join()),
      },
    })
  }

  async close(): Promise<void> {
    this.health.stop()
    const all = [...this.all, ...this.everyServer, ...this.#openedPartial]
    await Promise.all(all.map((database) => database.close()))
  }

  /** A read fails at once if the shard has been down for long, and the error names it. */
  #openShard(urls: NonEmpty<string>, index: number): Database {
    const { health } = this
    const { retryWindowMs } = this.#settings
    const needed = [index]
    return this.#connect(urls, {
      guardReads: (complete) =>
        new ShardReads({ health, retryWindowMs, complete, neededShards: () => needed }),
    })
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
    const database = partialDatabaseName(this.#settings.database, missing)
    const opened = this.#connect([first, ...rest], { readSettings: READ_SETTINGS }, database)
    this.#openedPartial.push(opened)
    return opened
  }
}

/** Index of the shard of everything but calls. */
const FIRST_SHARD: readonly number[] = [0]

function urlsOf(replicas: readonly { readonly url: string }[]): NonEmpty<string> {
  return replicas.map(({ url }) => url) as unknown as NonEmpty<string>
}
