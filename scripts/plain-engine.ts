import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { isAnswering } from '../src/engine/ping.ts'

export interface PlainEngine {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>
}

/** Starts the ClickHouse of plain-engine-child.ts, on a free port unless told which, and waits until it answers. */
export async function startPlainEngine(
  directory: string,
  wanted?: number,
  log: 'inherit' | number = 'inherit',
): Promise<PlainEngine> {
  const port = wanted ?? (await freePort())
  const script = fileURLToPath(new URL('plain-engine-child.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, directory, String(port)], {
    stdio: ['pipe', log, log],
  })
  const exited = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.stdin?.end()
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(killer)
  }
  for (let waited = 0; waited < 30_000; waited += 50) {
    if (await isAnswering(`${url}/ping`)) return { url, pid: child.pid ?? 0, stop, kill }
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the engine ended')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await stop()
  throw new Error('the engine did not answer within 30 s')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
