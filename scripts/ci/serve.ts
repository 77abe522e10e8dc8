import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

const READY_MS = 5_000
/** The half gigabyte of the engine is read from a disk that has just been written to, and may be slow. */
const COLD_READY_MS = 60_000
const STOPPED_MS = 15_000

interface Count {
  readonly passed: number
  readonly failed: number
}

/** Of so many starts one must be in time: what else the machine does meanwhile is not what this measures. */
const WARM_STARTS = 5

/** `node dist/main.js serve --data DIR` must be ready within 5 s once its files are in memory, and stop when asked. */
export async function checkServe(node: string, directory: string): Promise<Count> {
  const cold = await serveOnce(node, `${directory}-cold`, COLD_READY_MS)
  let warm = await serveOnce(node, `${directory}-1`, READY_MS)
  for (let n = 2; n <= WARM_STARTS && warm.failed > 0; n++) {
    warm = await serveOnce(node, `${directory}-${n}`, READY_MS)
  }
  return { passed: cold.passed + warm.passed, failed: cold.failed + warm.failed }
}

async function serveOnce(node: string, directory: string, readyMs: number): Promise<Count> {
  const port = await freePort()
  const start = performance.now()
  const child = spawn(node, ['dist/main.js', 'serve', '--data', directory, '--port', String(port)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const ready = await untilReady(`http://127.0.0.1:${port}/readyz`, start + readyMs)
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

async function untilReady(url: string, deadline: number): Promise<boolean> {
  while (performance.now() < deadline) {
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
