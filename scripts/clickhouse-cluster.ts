import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ExternalClickHouse,
  type ExternalClickHouseOptions,
  startExternalClickHouse,
} from './external-clickhouse.ts'

/** ClickHouse servers of one replica each, and the file for HEDDLE_CLUSTER that names them. */
export interface ClickHouseCluster {
  readonly servers: readonly ExternalClickHouse[]
  readonly file: string
  /** Starts the server of a shard again after it was stopped or killed, with its data and ports. */
  restart(index: number): Promise<void>
  stop(): Promise<void>
}

/** Starts one server per shard below the directory. */
export async function startClickHouseCluster(
  directory: string,
  shards: number,
  options: Pick<ExternalClickHouseOptions, 'backupDirectory'> = {},
): Promise<ClickHouseCluster> {
  const numbers = Array.from({ length: shards }, (_, index) => index + 1)
  const directories = numbers.map((number) => join(directory, `shard-${number}`))
  const servers = await Promise.all(directories.map((each) => startExternalClickHouse(each, options)))
  const file = join(directory, 'cluster.json')
  const replicas = servers.map(({ url, native }) => [{ url, native }])
  await writeFile(file, JSON.stringify({ shards: replicas.map((each) => ({ replicas: each })) }, null, 2))
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()))
  }
  const restart = async (index: number): Promise<void> => {
    const before = servers[index]
    const shardDirectory = directories[index]
    if (before === undefined || shardDirectory === undefined) throw new Error(`there is no shard ${index}`)
    servers[index] = await startExternalClickHouse(shardDirectory, {
      port: Number(new URL(before.url).port),
      nativePort: Number(before.native.split(':')[1]),
    })
  }
  return { servers, file, restart, stop }
}
