import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../scripts/external-clickhouse.ts'
import { waitUntil } from '../wait-until.ts'
import { installPrograms } from './image/debian-packages.ts'

/** Debian's ZooKeeper as one process, with its data below a directory. */
export interface ZooKeeper {
  /** Host and port. */
  readonly address: string
  stop(): Promise<void>
}

export async function startZooKeeper(directory: string): Promise<ZooKeeper> {
  installPrograms({ '/usr/share/zookeeper/bin/zkServer.sh': 'zookeeper', java: 'default-jre-headless' })
  await mkdir(directory, { recursive: true })
  const port = await freePort()
  const config = join(directory, 'zoo.cfg')
  const lines = [
    'tickTime=500',
    `dataDir=${directory}`,
    'clientPortAddress=127.0.0.1',
    `clientPort=${port}`,
    'admin.enableServer=false',
  ]
  await writeFile(config, `${lines.join('\n')}\n`)
  const main = 'org.apache.zookeeper.server.ZooKeeperServerMain'
  const server = spawn('java', ['-Xmx256m', '-cp', '/usr/share/java/zookeeper.jar', main, config], {
    stdio: 'ignore',
  })
  const exited = once(server, 'exit')
  process.once('exit', () => server.kill('SIGKILL'))
  await waitUntil(() => accepts(port), 30_000)
  const stop = async (): Promise<void> => {
    server.kill('SIGKILL')
    await exited
  }
  return { address: `127.0.0.1:${port}`, stop }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
