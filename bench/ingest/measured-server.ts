import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRunningClickHouse, type RunningClickHouse } from '../../src/clickhouse/running.ts'
import { startServerProcess } from '../../test/server-process.ts'

/** Runs the compiled server in a data directory and measures its CPU, memory and event loop stalls. */
export interface MeasuredServer {
  readonly url: string
  /** Of OTLP/gRPC. */
  readonly grpcUrl: string | undefined
  readonly authorization: string
  readonly clickhouse: RunningClickHouse
  /** Starts measuring; the returned function stops and returns the result. */
  startMeasuring(): Promise<() => Promise<ResourceUsage>>
  /** Runs something while the API process stands still, for example so that its polling does not count. */
  whilePaused<Result>(run: () => Promise<Result>): Promise<Result>
  /** CPU time of the API process and of ClickHouse so far, in seconds. */
  apiSeconds(): number
  clickhouseSeconds(): number
  stop(): Promise<void>
}

export interface ResourceUsage {
  readonly elapsedSeconds: number
  readonly maxRssMib: number
  /** CPU time of the API process. */
  readonly apiSeconds: number
  readonly clickhouseSeconds: number
  readonly stallP99Ms: number
  readonly stallMaxMs: number
}

/**
 * @param kept a data directory to use and keep; by default a temporary one.
 * @param build the directory of a compiled Heddle; by default this one.
 */
export async function startMeasuredServer(kept?: string, build = ''): Promise<MeasuredServer> {
  const data = kept ?? (await mkdtemp(join(tmpdir(), 'heddle-bench-')))
  const apiKey = await readOrCreateKey(data)
  const server = await startServerProcess({
    data,
    adminPassword: randomBytes(16).toString('hex'),
    apiKey,
    command: [process.execPath, join(build, 'dist/main.js')],
    environment: { HEDDLE_OTLP_GRPC_PORT: '0', HEDDLE_DURABILITY: 'power' },
  })
  const clickhouse = await findRunningClickHouse(data)
  const { pid } = server.process
  if (clickhouse === undefined || pid === undefined)
    throw new Error('the server did not start embedded ClickHouse')
  return {
    url: server.url,
    grpcUrl: server.grpcUrl,
    authorization: `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`,
    clickhouse,
    startMeasuring: async () => {
      const delays = await eventLoopDelays(server.url)
      const before = { api: cpuSeconds(pid), clickhouse: cpuSeconds(clickhouse.pid), at: performance.now() }
      let maxRssMib = rssMib(pid)
      const timer = setInterval(() => (maxRssMib = Math.max(maxRssMib, rssMib(pid))), 100)
      return async () => {
        clearInterval(timer)
        return {
          elapsedSeconds: (performance.now() - before.at) / 1_000,
          maxRssMib: Math.round(maxRssMib),
          apiSeconds: cpuSeconds(pid) - before.api,
          clickhouseSeconds: cpuSeconds(clickhouse.pid) - before.clickhouse,
          ...stallsBetween(delays, await eventLoopDelays(server.url)),
        }
      }
    },
    whilePaused: async (run) => {
      process.kill(pid, 'SIGSTOP')
      try {
        return await run()
      } finally {
        process.kill(pid, 'SIGCONT')
      }
    },
    apiSeconds: () => cpuSeconds(pid),
    clickhouseSeconds: () => cpuSeconds(clickhouse.pid),
    stop: async () => {
      await server.stop()
      if (kept === undefined) await rm(data, { recursive: true, force: true })
    },
  }
}

/** The API key of the directory's first start. */
async function readOrCreateKey(data: string): Promise<string> {
  const file = join(data, 'bench-key')
  const apiKey = `hd_${randomBytes(24).toString('hex')}`
  await mkdir(data, { recursive: true })
  await writeFile(file, apiKey, { flag: 'wx' }).catch(() => undefined)
  return readFile(file, 'utf8')
}

export function rssMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
}

/** User and system time of a process; the kernel counts hundredths of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** How many timers ran so late, cumulated, by the upper bound of their delay in seconds. */
type Delays = readonly { readonly bound: number; readonly count: number }[]

async function eventLoopDelays(url: string): Promise<Delays> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const buckets = text.matchAll(/^heddle_event_loop_delay_seconds_bucket\{le="([\d.]+)"\} (\d+)$/gm)
  return [...buckets].map(([, bound, count]) => ({ bound: Number(bound), count: Number(count) }))
}

/** Upper bounds, by the buckets of the histogram. */
function stallsBetween(before: Delays, after: Delays): { stallP99Ms: number; stallMaxMs: number } {
  const counts = after.map(({ bound, count }, i) => ({ bound, count: count - (before[i]?.count ?? 0) }))
  const all = counts.at(-1)?.count ?? 0
  const boundOf = (share: number): number =>
    (counts.find(({ count }) => count >= all * share)?.bound ?? Number.NaN) * 1_000
  return { stallP99Ms: boundOf(0.99), stallMaxMs: boundOf(1) }
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
