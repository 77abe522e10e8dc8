import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type ClickHouseCluster, startClickHouseCluster } from '../../scripts/clickhouse-cluster.ts'
import type { Shard, Topology } from '../../src/core/cluster/topology.ts'
import { type ClusterDatabase, openCluster } from '../../src/store/cluster/cluster-database.ts'
import { prepareServer } from '../../src/store/cluster/prepare-server.ts'
import { recordShards } from '../../src/store/cluster/record-shards.ts'
import { Database, type DatabaseSettings } from '../../src/store/database/database.ts'
import { readMigrations } from '../../src/store/database/migrations.ts'

/** Three ClickHouse servers, for clusters to which shards are added. */
export interface GrownCluster {
  /** With shards of these generations, the first ones of the servers. */
  topology(generations: readonly number[], options?: { readonly isJoining: boolean }): Topology
  /** Each test uses a database of its own. */
  newName(): string
  open(name: string, topology: Topology): ClusterDatabase
  /** Opens it, and prepares it as a node does at its start. */
  start(name: string, topology: Topology): Promise<ClusterDatabase>
  /** The first server alone. */
  openFirst(name: string): Database
}

export function useGrownCluster(): GrownCluster {
  let directory = ''
  let cluster: ClickHouseCluster | undefined
  const opened: Database[] = []
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heddle-grown-'))
    cluster = await startClickHouseCluster(directory, 3)
  })
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.close()))
    await cluster?.stop()
    await rm(directory, { recursive: true, force: true })
  })
  const settings = (database: string): DatabaseSettings => ({
    url: cluster?.servers[0]?.url ?? '',
    username: 'default',
    password: '',
    database,
    retryWindowMs: 1_000,
    durability: 'process',
  })
  const keep = <D extends Database>(db: D): D => {
    opened.push(db)
    return db
  }
  const open: GrownCluster['open'] = (name, topology) => keep(openCluster(settings(name), topology))
  return {
    topology: (generations, { isJoining } = { isJoining: false }) => {
      const last = Math.max(...generations)
      const shards = generations.map((generation, index): Shard => {
        const { url = '', native = '' } = cluster?.servers[index] ?? {}
        return {
          number: index + 1,
          replicas: [{ url, native }],
          generation,
          isJoining: isJoining && generation === last,
        }
      })
      return { shards: shards as [Shard, ...Shard[]], replication: undefined }
    },
    newName: () => `grown_${randomBytes(6).toString('hex')}`,
    open,
    start: async (name, topology) => {
      const db = open(name, topology)
      await recordShards(db, db.everyServer)
      for (const server of db.everyServer) await prepareServer(db, server, await readMigrations())
      return db
    },
    openFirst: (name) => keep(new Database(settings(name))),
  }
}
