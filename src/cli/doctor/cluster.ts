import type { InspectedServer } from '../../app/inspect-storage.ts'
import type { Topology } from '../../core/cluster/topology.ts'
import { hasClusterTables, readThroughClusterTables } from '../../store/cluster/cluster-tables.ts'
import type { Database } from '../../store/database/database.ts'
import { readApplied } from '../../store/database/migrations.ts'
import { readServerVersion } from '../../store/database/server-state.ts'
import { type Check, type Finding, ofServer, ok, problem, skipped, warning } from './check.ts'
import { type ClockDifference, clockFinding, readClockDifference, skewBetween } from './clock.ts'
import { firstLine } from './unreachable.ts'

/** The servers of a cluster against each other: version, clock, schema, and whether each reads from all shards. */
export const clusterCheck: Check = {
  name: 'cluster',
  run: async ({ storage }) => {
    if ('reason' in storage || storage.topology === undefined) return []
    const { servers, topology } = storage
    if (servers.length === 0) return [skipped('no server of the cluster responds')]
    const who = servers.length === countServers(topology) ? 'all servers' : 'the servers that respond'
    return [
      ok(describe(topology)),
      await checkVersions(servers, who),
      await checkClocks(servers),
      await checkSchemas(servers, who),
      ...(await checkTables(servers, topology)),
    ]
  },
}

function countServers({ shards }: Topology): number {
  return shards.reduce((sum, { replicas }) => sum + replicas.length, 0)
}

function describe(topology: Topology): string {
  const kind = topology.replication === undefined ? 'not replicated' : 'replicated'
  return `HEDDLE_CLUSTER names ${topology.shards.length} shards with ${countServers(topology)} servers, ${kind}`
}

async function checkVersions(servers: readonly InspectedServer[], who: string): Promise<Finding> {
  const versions = await Promise.all(servers.map(({ clickhouse }) => readServerVersion(clickhouse)))
  const [version] = versions
  if (new Set(versions).size === 1) return ok(`${who} run ClickHouse ${version}`)
  return warning(
    `the servers run different versions of ClickHouse: ${servers.map(({ host }, index) => `${host} ${versions[index]}`).join(', ')}`,
    'run the same version on all servers; different ones are meant for the time of an upgrade',
  )
}

/** Calls on different shards are ordered by the clocks of their servers. */
async function checkClocks(servers: readonly InspectedServer[]): Promise<Finding> {
  const clocks: ClockDifference[] = []
  for (const { clickhouse } of servers) {
    const difference = await readClockDifference(clickhouse)
    if (difference !== undefined) clocks.push(difference)
  }
  const skewMs = clocks.length === 0 ? 0 : skewBetween(...clocks)
  const message = `the clocks of the servers differ by ${Math.round(skewMs / 100) / 10} s from each other`
  return clockFinding(skewMs, 'the clocks of the servers agree with each other', message)
}

async function checkSchemas(servers: readonly InspectedServer[], who: string): Promise<Finding> {
  const applied = await Promise.all(
    servers.map(async ({ db }) => (db === undefined ? '' : JSON.stringify(await readApplied(db)))),
  )
  if (applied.every((migrations) => migrations === '')) return skipped('the database does not exist yet')
  if (new Set(applied).size === 1) return ok(`${who} have the same migrations`)
  return problem(
    'the servers do not have the same migrations',
    'start a server of Heddle or run `heddle migrate` while all servers respond',
  )
}

async function checkTables(servers: readonly InspectedServer[], topology: Topology): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { db, host } of servers)
    if (db !== undefined) findings.push(ofServer(host, await checkTablesOn(db, topology)))
  return findings
}

async function checkTablesOn(db: Database, { shards }: Topology): Promise<Finding> {
  if (!(await hasClusterTables(db, shards)))
    return problem(
      'the tables over all shards are missing, or are those of another HEDDLE_CLUSTER or password',
      'start a server of Heddle or run `heddle migrate`, which replace them',
    )
  try {
    await readThroughClusterTables(db)
  } catch (error) {
    return problem(
      `it cannot read from all shards: ${firstLine(error)}`,
      'check that every server reaches the address "native" of every other one, with the same user and password',
    )
  }
  return ok('reads from all shards')
}
