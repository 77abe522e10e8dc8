import { checkRecordedShards, type RecordedServer } from '../../core/cluster/recorded-shards.ts'
import type { Shard } from '../../core/cluster/topology.ts'
import { createDatabase } from '../database/create-database.ts'
import { type Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'
import type { ClusterDatabase } from './cluster-database.ts'

/**
 * The table `cluster_shards` on every server: which shard it is, and which others there are. It is never replicated, and no
 * table over all shards shows it.
 */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS cluster_shards
(
    number UInt32,
    generation UInt32,
    is_joining UInt8,
    is_own UInt8,
    recorded_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(recorded_at) ORDER BY number`

export async function createShardTable(server: Database): Promise<void> {
  await server.ddl(CREATE_TABLE)
}

interface Row {
  readonly number: number
  readonly generation: number
  readonly is_joining: number
  readonly is_own: number
}

/**
 * Refuses a file of HEDDLE_CLUSTER that does not fit the calls on these servers; otherwise records its shards on each. Before
 * anything else is changed: a wrong file would replace the tables that other nodes read.
 */
export async function recordShards(db: ClusterDatabase, servers: readonly Database[]): Promise<void> {
  const { shards } = db.cluster.topology
  const numbers = shards.flatMap(({ number, replicas }) => replicas.map(() => number))
  const states = await Promise.all(
    servers.map((server) => readServer(server, numbers[db.everyServer.indexOf(server)] ?? 0)),
  )
  checkRecordedShards(shards, states)
  for (const [index, server] of servers.entries()) {
    const { recorded, shard: own } = states[index]!
    const known = new Map(recorded?.shards.map((shard) => [shard.number, shard]))
    const changed = shards.filter((shard) => {
      const before = known.get(shard.number)
      // A shard in use never joins again: a node that started with an earlier file changes nothing.
      return before === undefined || (before.isJoining && isDifferent(before, shard))
    })
    await server.insert(
      'cluster_shards',
      changed.map((shard) => toRow(shard, own)),
    )
  }
}

function isDifferent(a: Pick<Shard, 'generation' | 'isJoining'>, b: Shard): boolean {
  return a.generation !== b.generation || a.isJoining !== b.isJoining
}

function toRow({ number, generation, isJoining }: Shard, own: number): Row {
  return { number, generation, is_joining: isJoining ? 1 : 0, is_own: number === own ? 1 : 0 }
}

async function readServer(server: Database, shard: number): Promise<RecordedServer> {
  await createDatabase(server.settings)
  await createShardTable(server)
  const options = { name: 'cluster shards', kind: 'point' } as const
  const [rows, calls] = await Promise.all([
    server.rows<Row>(selectRecordedShards, options),
    server.first<{ is_used: number }>(selectIsUsed(server.name), options),
  ])
  const own = rows.find(({ is_own }) => is_own === 1)
  const shards = rows.map(({ number, generation, is_joining }) => ({
    number,
    generation,
    isJoining: is_joining === 1,
  }))
  return {
    url: server.settings.url,
    shard,
    recorded: own && { shard: own.number, shards },
    isUsed: calls?.is_used === 1,
  }
}

export const selectRecordedShards: Sql = sql`SELECT number, generation, is_joining, is_own FROM cluster_shards FINAL ORDER BY number`

/** The first start finds no such table. */
export function selectIsUsed(database: string): Sql {
  return sql`SELECT count() > 0 AS is_used FROM system.parts WHERE database = ${database} AND table = 'call_ids' AND active AND rows > 0`
}
