import { join } from 'node:path'
import { type ClickHouseCluster, startClickHouseCluster } from '../scripts/clickhouse-cluster.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** Two nodes of the built server on two shards of ClickHouse, for suites that also run on a single server. */
export interface ClusterNodes {
  readonly nodes: readonly [ServerProcess, ServerProcess]
  readonly clickhouse: ClickHouseCluster
  stop(): Promise<void>
}

export interface ClusterNodesOptions {
  readonly directory: string
  readonly adminPassword: string
  readonly apiKey?: string
  readonly environment?: Readonly<Record<string, string>>
}

export async function startClusterNodes(options: ClusterNodesOptions): Promise<ClusterNodes> {
  const { directory, environment, ...credentials } = options
  const clickhouse = await startClickHouseCluster(directory, 2)
  const start = (name: string): Promise<ServerProcess> =>
    startServerProcess({
      ...credentials,
      data: join(directory, name),
      command: [process.execPath, 'dist/main.js'],
      environment: { HEDDLE_CLUSTER: clickhouse.file, ...environment },
    })
  try {
    // One after the other: the first creates the tables.
    const nodes = [await start('a'), await start('b')] as const
    const stop = async (): Promise<void> => {
      for (const node of nodes) await node.stop()
      await clickhouse.stop()
    }
    return { nodes, clickhouse, stop }
  } catch (error) {
    await clickhouse.stop()
    throw error
  }
}
