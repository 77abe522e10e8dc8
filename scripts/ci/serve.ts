import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

const READY_MS = 5_000
const STOPPED_MS = 15_000

/** `node dist/main.js serve --data DIR` must be ready within 5 s and stop cleanly when asked. */
export async function checkServe(
  node: string,
  directory: string,
): Promise<{ passed: number; failed: number }> {
  const port = await freePort()
  const start = performance.now()
  const child = spawn(node, ['dist/main.js', 'serve', '--data', directory, '--port', String(port)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const ready = await untilReady(`http://127.0.0.1:${port}/readyz`, start)
  process.stdout.write(
    `${node}: ${ready ? `ready after ${Math.round(performance.now() - start)} ms` : 'not ready in time'}\n`,
  )
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), STOPPED_MS)
  const [code] = await exited
  clearTimeout(killer)
  const results = [ready, code === 0]
  return { passed: results.filter(Boolean).length, failed: results.filter((result) => !result).length }
}

async function untilReady(url: string, start: number): Promise<boolean> {
  while (performance.now() - start < READY_MS) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.status === 200) return true
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return false
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
