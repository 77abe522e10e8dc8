import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqlProfile, sqlUsers } from '../src/clickhouse/config.ts'
import { isResponding } from '../src/clickhouse/ping.ts'
import { startNativeProxy } from './native-proxy.ts'

export interface ExternalClickHouse {
  readonly url: string
  /** Host and port of the native protocol. */
  readonly native: string
  readonly isRunning: boolean
  /** Sends SIGSTOP: it hangs until `resume`. */
  pause(): void
  resume(): void
  stop(): Promise<void>
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
}

export interface ExternalClickHouseOptions {
  /** Undefined: free ones. The native port is one of a proxy (native-proxy.ts). */
  readonly port?: number
  readonly nativePort?: number
  readonly log?: 'inherit' | number
  /** It has exited, and neither `stop` nor `kill` was called. */
  readonly onCrash?: () => void
  /** Is the disk `backups`; the directory with `-copy` at its end is the disk `copies`. */
  readonly backupDirectory?: string
  /** Makes replicated tables possible. */
  readonly replication?: ReplicaOptions
}

/** Values of the macros in the arguments of replicated engines, and the ZooKeeper that keeps what replicas share. */
interface ReplicaOptions {
  readonly shard: string
  readonly replica: string
  /** Host and port. */
  readonly zookeeper: string
}

/** Starts external-clickhouse-child.ts and waits until it responds. */
export async function startExternalClickHouse(
  directory: string,
  options: ExternalClickHouseOptions = {},
): Promise<ExternalClickHouse> {
  const { log = 'inherit' } = options
  const port = options.port ?? (await freePort())
  const nativePort = await freePort()
  const script = fileURLToPath(new URL('external-clickhouse-child.ts', import.meta.url))
  const config = await writeConfig(options)
  const loader = import.meta.resolve('tsx')
  const ports = [String(port), String(nativePort)]
  const child = spawn(process.execPath, ['--import', loader, script, directory, ...ports, config.file], {
    cwd: config.directory,
    stdio: ['pipe', log, log, 'ipc'],
  })
  const exited = once(child, 'exit')
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  let isEnding = false
  child.once('exit', (code, signal) => {
    if (isEnding) return
    console.error(`ClickHouse at port ${port} exited unexpectedly: ${signal ?? code}`)
    options.onCrash?.()
  })
  const proxy = await startNativeProxy(options.nativePort ?? 0, nativePort)
  void exited.then(() => proxy.stop())
  const kill = async (): Promise<void> => {
    isEnding = true
    child.kill('SIGKILL')
    await exited
  }
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    isEnding = true
    if (!isRunning()) return
    if (child.connected) {
      child.send('end')
      await once(child, 'disconnect')
    }
    child.stdin?.end()
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(killer)
  }
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (await isResponding(`${url}/ping`)) {
      // A real server restricts file access; here removing the working directory does, as in embedded-clickhouse.ts.
      await rm(config.directory, { recursive: true, force: true })
      return {
        url,
        native: `127.0.0.1:${proxy.port}`,
        get isRunning() {
          return isRunning()
        },
        pause: () => child.kill('SIGSTOP'),
        resume: () => child.kill('SIGCONT'),
        stop,
        kill,
      }
    }
    if (!isRunning()) throw new Error('ClickHouse exited')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await stop()
  await rm(config.directory, { recursive: true, force: true })
  throw new Error('ClickHouse did not respond within 30 s')
}

async function writeConfig({
  backupDirectory,
  replication,
}: ExternalClickHouseOptions): Promise<{ readonly directory: string; readonly file: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-plain-'))
  const users = join(directory, 'users.xml')
  const file = join(directory, 'config.xml')
  await writeFile(
    users,
    `<clickhouse>
  <profiles><default/>${sqlProfile()}</profiles>
  <quotas><default/></quotas>
  <users>
    <default><password/><profile>default</profile><quota>default</quota></default>
    ${sqlUsers('')}
  </users>
</clickhouse>`,
  )
  const backups =
    backupDirectory === undefined
      ? ''
      : `<backups><allowed_disk>backups</allowed_disk><allowed_disk>copies</allowed_disk></backups>
  <storage_configuration><disks>
    <backups><type>local</type><path>${backupDirectory}/</path></backups>
    <copies><type>local</type><path>${backupDirectory}-copy/</path></copies>
  </disks></storage_configuration>`
  const keeper = replication === undefined ? '' : replicationConfig(replication)
  await writeFile(file, `<clickhouse><users_config>${users}</users_config>${backups}${keeper}</clickhouse>`)
  return { directory, file }
}

function replicationConfig({ shard, replica, zookeeper }: ReplicaOptions): string {
  const [host, port] = zookeeper.split(':')
  return `<macros><shard>${shard}</shard><replica>${replica}</replica></macros>
  <zookeeper>
    <node><host>${host}</host><port>${port}</port></node>
    <session_timeout_ms>5000</session_timeout_ms>
  </zookeeper>`
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
