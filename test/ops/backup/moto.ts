import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../../scripts/external-clickhouse.ts'
import { pythonWith } from '../../installations.ts'
import { waitUntil } from '../../wait-until.ts'

const VERSION = '5.2.5'

/** An S3-compatible server in a process of its own. */
export interface S3Server {
  readonly url: string
  /** Accepts connections, but does not respond until `resume`. */
  hang(): void
  resume(): void
  stop(): Promise<void>
}

export async function startMoto(bucket: string): Promise<S3Server> {
  const python = await pythonWith(`moto-${VERSION}`, [`moto[server]==${VERSION}`])
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    stdio: 'ignore',
  })
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  process.once('exit', () => server.kill('SIGKILL'))
  await waitUntil(async () => (await fetch(url).catch(() => undefined))?.ok === true, 60_000)
  await fetch(`${url}/${bucket}`, { method: 'PUT' })
  return {
    url,
    hang: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    stop,
  }
}
