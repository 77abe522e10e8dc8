import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ExternalClickHouse, startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { parseTopology } from '../../src/app/cluster-file.ts'
import type { Replica } from '../../src/core/cluster/topology.ts'
import { ApiError } from '../../src/contract/api-error.ts'
import { type ClusterDatabase, openCluster } from '../../src/store/cluster/cluster-database.ts'
import { checkServers, prepareServer } from '../../src/store/cluster/prepare-server.ts'
import type { Database } from '../../src/store/database/database.ts'
import { isTransientErrorName } from '../../src/store/database/clickhouse-error.ts'
import { serverHost } from '../../src/store/database/every-server.ts'
import { planMigrations } from '../../src/store/database/migration-plan.ts'
import { type Migration, readMigrations } from '../../src/store/database/migrations.ts'
import { sql } from '../../src/store/query/sql.ts'
import { waitUntil } from '../wait-until.ts'
import { startZooKeeper } from './zookeeper.ts'
import type { OpsContext, OpsSuite } from './suite.ts'

/**
 * Replicated tables on two replicas with a real ZooKeeper. ClickHouse from npm has no port for other replicas, so its
 * replicated tables exist in ZooKeeper but stay read-only: inserts and ALTER are refused as on a replica that has lost
 * Keeper. What replicas do with data is tested in deploy/cluster-test.
 */
export const readOnlyReplicas: OpsSuite = { name: 'read-only replicas', minutes: 1, run }

const RETRY_WINDOW_MS = 1_500

async function run(context: OpsContext): Promise<void> {
  const zookeeper = await startZooKeeper(join(context.directory, 'zookeeper'))
  const start = async (replica: string, ports: Ports = {}): Promise<ExternalClickHouse> =>
    startExternalClickHouse(join(context.directory, replica), {
      replication: { shard: '1', replica, zookeeper: zookeeper.address },
      ...ports,
    })
  const servers = await Promise.all(['first', 'second'].map((replica) => start(replica)))
  const replicas = servers.map(({ url, native }) => ({ url, native }))
  const db = openCluster(
    {
      url: replicas[0]?.url ?? '',
      username: 'default',
      password: '',
      database: 'heddle',
      retryWindowMs: RETRY_WINDOW_MS,
      durability: 'quorum',
    },
    parseTopology(JSON.stringify({ shards: [{ replicas }] })),
  )
  try {
    await testReplicas(context, db)
    await testReturn(context, db, {
      stopFirst: async () => servers[0]?.kill(),
      startFirst: async () => {
        const ports = { port: portOf(replicas[0]?.url), nativePort: portOf(`tcp://${replicas[0]?.native}`) }
        servers[0] = await start('first', ports)
      },
    })
  } finally {
    await db.close()
    await Promise.all(servers.map((server) => server.stop()))
    await zookeeper.stop()
  }
}

interface Ports {
  readonly port?: number
  readonly nativePort?: number
}

function portOf(url: string | undefined): number {
  return Number(new URL(url ?? '').port)
}

/** A read-only table cannot be altered; all tables are made by these statements. */
async function createStatements(): Promise<Migration[]> {
  const migrations = await readMigrations()
  return migrations.map((migration) => ({
    ...migration,
    statements: migration.statements.filter((statement) => /^CREATE TABLE\b/.test(statement)),
  }))
}

/** As at a start of Heddle. Returns the applied migrations by server. */
async function prepare(db: ClusterDatabase, migrations: readonly Migration[]): Promise<string[][]> {
  await checkServers(db.everyServer, migrations)
  const applied: string[][] = []
  for (const server of db.everyServer) applied.push(await prepareServer(db, server, migrations))
  return applied
}

interface ReplicatedTable {
  readonly table: string
  readonly zookeeper_path: string
  readonly replica_name: string
}

async function listReplicas(server: Database): Promise<ReplicatedTable[]> {
  return server.rows<ReplicatedTable>(
    sql`SELECT table, zookeeper_path, replica_name FROM system.replicas WHERE database = 'heddle' ORDER BY table`,
    { name: 'replicas', kind: 'access' },
  )
}

async function testReplicas(context: OpsContext, db: ClusterDatabase): Promise<void> {
  const migrations = await createStatements()
  const names = migrations.map(({ name }) => name)
  const [first, second] = db.everyServer
  assert.ok(first !== undefined && second !== undefined)
  const planned = db.everyServer.map((server) => ({ host: serverHost(server.settings.url), db: server }))

  await context.check(
    'migrations are applied on one replica after the other, to the same paths',
    async () => {
      assert.deepEqual(await prepare(db, migrations), [names, names])
      const [one, other] = await Promise.all([listReplicas(first), listReplicas(second)])
      const tables = migrations.flatMap(({ statements }) => statements).length
      assert.ok(tables > 20)
      assert.equal(one.length, tables)
      const paths = (of: readonly ReplicatedTable[]) =>
        of.map(({ table, zookeeper_path }) => [table, zookeeper_path])
      assert.deepEqual(paths(one), paths(other))
      for (const { table, zookeeper_path } of one)
        assert.equal(zookeeper_path, `/clickhouse/tables/1/heddle/${table}`)
      assert.deepEqual([...new Set(one.map(({ replica_name }) => replica_name))], ['first'])
      assert.deepEqual([...new Set(other.map(({ replica_name }) => replica_name))], ['second'])
      console.log(`      ${tables} tables on each replica`)
    },
  )
  await context.check('the record of migrations is not replicated', async () => {
    for (const server of db.everyServer) {
      const row = await server.first<{ engine: string }>(
        sql`SELECT engine FROM system.tables WHERE database = 'heddle' AND name = 'schema_migrations'`,
        { name: 'engine', kind: 'access' },
      )
      assert.equal(row?.engine, 'ReplacingMergeTree')
    }
  })
  await context.check(
    'a second start applies nothing, and a migration that is added goes to both',
    async () => {
      assert.deepEqual(await prepare(db, migrations), [[], []])
      const added: Migration = {
        version: 9_000,
        name: '9000_added',
        checksum: 'added',
        description: 'A table.',
        statements: ['CREATE TABLE IF NOT EXISTS added (id String) ENGINE = MergeTree ORDER BY id'],
      }
      const more = [...migrations, added]
      // Only one of them has it when Heddle is stopped in between.
      assert.deepEqual(await prepareServer(db, first, more), ['9000_added'])
      assert.deepEqual(
        (await planMigrations(planned, more)).map(({ name, servers }) => [name, servers]),
        [['9000_added', [serverHost(second.settings.url)]]],
      )
      assert.deepEqual(await prepare(db, more), [[], ['9000_added']])
      assert.deepEqual(
        (await listReplicas(second)).find(({ table }) => table === 'added')?.zookeeper_path,
        '/clickhouse/tables/1/heddle/added',
      )
    },
  )
  await context.check(
    'an older Heddle is refused, with the name of the server, before it changes any',
    async () => {
      await assert.rejects(prepare(db, migrations), (error: Error) => {
        assert.ok(error.message.startsWith(`${serverHost(first.settings.url)}: `), error.message)
        assert.match(error.message, /migrated by a newer Heddle.*9000_added/)
        return true
      })
      await assert.rejects(planMigrations(planned, migrations), /newer Heddle/)
    },
  )
  await context.check('what replicas and Keeper report for a while is retried', async () => {
    for (const code of [242, 244, 285, 286, 319, 517, 999]) {
      const row = await first.first<{ name: string }>(sql`SELECT errorCodeToName(${code}) AS name`, {
        name: 'error name',
        kind: 'access',
      })
      assert.ok(isTransientErrorName(row?.name ?? ''), `${code} ${row?.name}`)
    }
  })
  await context.check('an insert that replicas do not confirm fails, and can be repeated', async () => {
    const before = first.retryCount
    const isRetriable = (error: unknown): boolean => error instanceof ApiError && error.code === 'unavailable'
    await assert.rejects(first.insertBinary('added', ['id'], [Buffer.from('\u0001a')]), isRetriable)
    await assert.rejects(first.ddl('ALTER TABLE added ADD COLUMN IF NOT EXISTS n UInt8'), isRetriable)
    assert.ok(first.retryCount > before, 'not retried')
    const rows = await first.rows(sql`SELECT id FROM added`, { name: 'rows', kind: 'access' })
    assert.deepEqual(rows, [])
  })
}

interface FirstReplica {
  readonly stopFirst: () => Promise<void>
  readonly startFirst: () => Promise<void>
}

/** After this time a node has tried to return to the preferred replica, whatever it found (database/servers.ts). */
const RETURN_MS = 8_000

async function testReturn(
  context: OpsContext,
  db: ClusterDatabase,
  { stopFirst, startFirst }: FirstReplica,
): Promise<void> {
  const [shard] = db.shards
  const [first] = db.everyServer
  assert.ok(shard !== undefined && first !== undefined)
  const inUse = async (of: Database): Promise<string | undefined> => {
    const row = await of.first<{ replica: string }>(sql`SELECT getMacro('replica') AS replica`, {
      name: 'replica in use',
      kind: 'access',
    })
    return row?.replica
  }
  /** Whether it returns within the time that a node needs. Statements make it try. */
  const returns = async (): Promise<boolean> => {
    for (const endMs = performance.now() + RETURN_MS; performance.now() < endMs; await sleep(250))
      if ((await inUse(shard)) === 'first') return true
    return false
  }
  await context.check('a node does not return to a replica that is not complete', async () => {
    assert.equal(await inUse(shard), 'first')
    await stopFirst()
    assert.equal(await inUse(shard), 'second')
    await startFirst()
    await waitUntil(() => first.ping(), 10_000)
    assert.equal(await returns(), false)
  })
  await context.check('it returns to one that is, and a node that starts uses that one', async () => {
    const tables = await listReplicas(first)
    assert.ok(tables.length > 20)
    for (const { table } of tables) await first.ddl(`DROP TABLE ${table} SYNC`)
    assert.equal(await returns(), true)
    // The other one is preferred, and still read-only.
    const [shardOne] = db.cluster.topology.shards
    const replicas = shardOne.replicas.toReversed() as [Replica, ...Replica[]]
    const started = openCluster(db.settings, { ...db.cluster.topology, shards: [{ ...shardOne, replicas }] })
    try {
      assert.equal(await inUse(started.firstShard), 'first')
    } finally {
      await started.close()
    }
  })
}
