import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watchStolenTime } from '../../test/stolen-time.ts'
import { freePort } from '../external-clickhouse.ts'
import type { Count, Output } from './step.ts'

const READY_MS = 5_000
/** The first start reads the 500 MB of the embedded ClickHouse from disk. */
const COLD_READY_MS = 60_000
const STOPPED_MS = 15_000

/** One of these starts must meet the limit, because other work on the machine can delay any single one. */
const WARM_STARTS = 5

/**
 * `node dist/main.js serve --data DIR` is ready within 5 s with warm file caches, and exits with 0 on SIGTERM. Time that the
 * host takes from this machine does not count.
 */
export async function checkServe(output: Output, node: string, directory: string): Promise<Count> {
  const cold = await serveOnce(output, node, `${directory}-cold`, COLD_READY_MS)
  let warm = await serveOnce(output, node, `${directory}-1`, READY_MS)
  for (let n = 2; n <= WARM_STARTS && warm.failed > 0; n++) {
    warm = await serveOnce(output, node, `${directory}-${n}`, READY_MS)
  }
  return { passed: cold.passed + warm.passed, failed: cold.failed + warm.failed }
}

async function serveOnce(output: Output, node: string, directory: string, readyMs: number): Promise<Count> {
  const port = await freePort()
  const start = performance.now()
  const child = spawn(node, ['dist/main.js', 'serve', '--data', directory, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.write(chunk.toString()))
  const exited = once(child, 'exit') as Promise<[number | null]>
  const slowdown = watchStolenTime()
  const ready = await untilReady(`http://127.0.0.1:${port}/readyz`, () => start + readyMs * slowdown())
  output.write(
    `${node}: ${ready ? 'ready' : 'not ready in time'} after ${Math.round(performance.now() - start)} ms, slowed down ${slowdown().toFixed(2)} times by the host\n`,
  )
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), STOPPED_MS)
  const [code] = await exited
  clearTimeout(killer)
  const results = [ready, code === 0]
  return { passed: results.filter(Boolean).length, failed: results.filter((result) => !result).length }
}

async function untilReady(url: string, deadline: () => number): Promise<boolean> {
  while (performance.now() < deadline()) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.status === 200) return true
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return false
}
