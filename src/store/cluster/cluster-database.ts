import type { Readable } from 'node:stream'
import { Placement } from '../../core/cluster/placement.ts'
import type { Topology } from '../../core/cluster/topology.ts'
import { Database, type DatabaseSettings, type StatementSettings } from '../database/database.ts'
import type { InsertOptions } from '../database/inserts.ts'
import { SlowQueryLog } from '../database/query-log.ts'
import { ReadAdmission } from '../database/read-admission.ts'
import { Servers } from '../database/servers.ts'
import type { Sql } from '../query/sql.ts'

/** The database in which each server of a cluster shows the tables of all shards (cluster-tables.ts). */
export function clusterDatabaseName(database: string): string {
  return `${database}_cluster`
}

const READ_SETTINGS: StatementSettings = {
  // A subquery is run once and its result sent to each shard: run on a shard, it would see the rows of that shard only.
  distributed_product_mode: 'global',
  // The replica that `Servers` prefers too.
  load_balancing: 'in_order',
}

type NonEmpty<T> = readonly [T, ...T[]]

/**
 * The database of a cluster. Reads see the tables of all shards, through whichever server responds. Calls are written through
 * `shards`. Everything else is on the first shard: inserts and commands go there. DDL goes to every server.
 */
export class ClusterDatabase extends Database {
  readonly topology: Topology
  readonly #shards: readonly Database[]
  readonly #everyServer: readonly Database[]
  readonly #placement: Placement

  constructor(settings: DatabaseSettings, topology: Topology) {
    const urls = topology.shards.map(({ replicas }) => urlsOf(replicas))
    const shared = {
      admission: new ReadAdmission(settings.concurrency),
      log: new SlowQueryLog(settings.slowQueryLog),
    }
    const servers = (target: NonEmpty<string>, database: string): Servers =>
      new Servers(target, { ...settings, database }, settings.concurrency?.maxConcurrent)
    super(settings, {
      ...shared,
      servers: servers(urls.flat() as unknown as NonEmpty<string>, clusterDatabaseName(settings.database)),
      readSettings: READ_SETTINGS,
    })
    const open = (target: NonEmpty<string>): Database =>
      new Database(
        { ...settings, url: target[0] },
        { ...shared, servers: servers(target, settings.database) },
      )
    this.topology = topology
    this.#placement = new Placement(topology.shards)
    this.#shards = urls.map(open)
    this.#everyServer = urls.flat().map((url) => open([url]))
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
    const all = [...this.shards, ...this.everyServer]
    await Promise.all([super.close(), ...all.map((database) => database.close())])
  }
}

function urlsOf(replicas: readonly { readonly url: string }[]): NonEmpty<string> {
  return replicas.map(({ url }) => url) as unknown as NonEmpty<string>
}
