import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExternalClickHouse, startExternalClickHouse } from './external-clickhouse.ts'

/** ClickHouse servers of one replica each, and the file for HEDDLE_CLUSTER that names them. */
export interface ClickHouseCluster {
  readonly servers: readonly ExternalClickHouse[]
  readonly file: string
  stop(): Promise<void>
}

/** Starts one server per shard below the directory. */
export async function startClickHouseCluster(directory: string, shards: number): Promise<ClickHouseCluster> {
  const numbers = Array.from({ length: shards }, (_, index) => index + 1)
  const servers = await Promise.all(
    numbers.map((number) => startExternalClickHouse(join(directory, `shard-${number}`))),
  )
  const file = join(directory, 'cluster.json')
  const replicas = servers.map(({ url, native }) => [{ url, native }])
  await writeFile(file, JSON.stringify({ shards: replicas.map((each) => ({ replicas: each })) }, null, 2))
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()))
  }
  return { servers, file, stop }
}
