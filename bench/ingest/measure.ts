import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { clickhouseClient } from './bare.ts'
import type { Load, Outcome } from './load.ts'
import type { MeasuredServer, ResourceUsage } from './measured-server.ts'
import type { Part } from './parts.ts'

/** What a part took: its load, and the resources until all of its merges were done. */
export interface Measured extends Outcome, ResourceUsage {}

const WARM_UP_SECONDS = 4

/** Loads a server for a while, then waits for its merges, which belong to the cost of the calls. */
export async function measurePart(server: MeasuredServer, part: Part, seconds: number): Promise<Measured> {
  const rate = part.rate === 'quarter of the maximum' ? await quarterRate(server, part) : (part.rate ?? 0)
  const end = await server.startMeasuring()
  const outcome = await load(server, part, seconds, rate)
  await waitForMerges(server)
  return { ...outcome, ...(await end()) }
}

/** Compiles the hot code and fills the caches. */
export async function warmUp(server: MeasuredServer, part: Part): Promise<void> {
  await load(server, part, WARM_UP_SECONDS, typeof part.rate === 'number' ? part.rate : 0)
  await waitForMerges(server)
}

async function quarterRate(server: MeasuredServer, part: Part): Promise<number> {
  const { calls, seconds } = await load(server, part, WARM_UP_SECONDS * 2, 0)
  await waitForMerges(server)
  return calls / seconds / 4
}

async function load(server: MeasuredServer, part: Part, seconds: number, rate: number): Promise<Outcome> {
  const { kind, batch, bytes, connections } = part
  const { url, authorization } = server
  const outcome = await generate({
    kind,
    batch,
    bytes,
    url,
    authorization,
    seconds,
    connections,
    callsPerSecond: rate,
  })
  if (outcome === undefined) throw new Error('the load generator was aborted')
  return outcome
}

/** Runs the load generator. */
export async function generate(toSend: Load, signal?: AbortSignal): Promise<Outcome | undefined> {
  const program = fileURLToPath(new URL('load.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(toSend)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  signal?.addEventListener('abort', () => child.kill())
  const [code] = (await once(child, 'close')) as [number | null]
  if (signal?.aborted === true) return undefined
  if (code !== 0) throw new Error(`the load generator ended with ${code}`)
  return JSON.parse(text) as Outcome
}

const POLL_MS = 500
/** ClickHouse selects the next merge some time after one has ended. */
const IDLE_POLLS = 4
const MAX_POLLS = 360

/** Waits until ClickHouse has had no merge for two seconds; at most three minutes. */
export async function waitForMerges({ clickhouse }: Pick<MeasuredServer, 'clickhouse'>): Promise<void> {
  const execute = clickhouseClient(clickhouse)
  for (let n = 0, idle = 0; n < MAX_POLLS && idle < IDLE_POLLS; n++) {
    idle = Number(await execute('SELECT count() FROM system.merges')) === 0 ? idle + 1 : 0
    await new Promise((wait) => setTimeout(wait, POLL_MS))
  }
}

/** Adds what several rounds took; times of requests and stalls are those of the worst round. */
export function sum(rounds: readonly Measured[]): Measured {
  const [first, ...others] = rounds
  if (first === undefined) throw new Error('nothing was measured')
  return others.reduce(
    (a, b) => ({
      calls: a.calls + b.calls,
      requests: a.requests + b.requests,
      refused: a.refused + b.refused,
      seconds: a.seconds + b.seconds,
      elapsedSeconds: a.elapsedSeconds + b.elapsedSeconds,
      apiSeconds: a.apiSeconds + b.apiSeconds,
      clickhouseSeconds: a.clickhouseSeconds + b.clickhouseSeconds,
      p50Ms: Math.max(a.p50Ms, b.p50Ms),
      p99Ms: Math.max(a.p99Ms, b.p99Ms),
      maxRssMib: Math.max(a.maxRssMib, b.maxRssMib),
      stallP99Ms: Math.max(a.stallP99Ms, b.stallP99Ms),
      stallMaxMs: Math.max(a.stallMaxMs, b.stallMaxMs),
    }),
    first,
  )
}

/** CPU of the server and of ClickHouse, in microseconds per call. */
export function microsPerCall(measured: Measured): { api: number; clickhouse: number; total: number } {
  const micros = (seconds: number): number => Math.round((seconds / measured.calls) * 1e7) / 10
  const { apiSeconds, clickhouseSeconds } = measured
  return {
    api: micros(apiSeconds),
    clickhouse: micros(clickhouseSeconds),
    total: micros(apiSeconds + clickhouseSeconds),
  }
}
