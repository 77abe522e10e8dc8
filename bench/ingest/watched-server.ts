import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRunning, type RunningEngine } from '../../src/clickhouse/running.ts'
import { startServerProcess } from '../../test/server-process.ts'

/** The compiled server in a new data directory, and what it takes while it works. */
export interface WatchedServer {
  readonly url: string
  readonly authorization: string
  readonly engine: RunningEngine
  /** Begins to watch; the function returned ends it. */
  watch(): Promise<() => Promise<Watched>>
  stop(): Promise<void>
}

export interface Watched {
  readonly maxRssMib: number
  /** The share of one core that the API process took. */
  readonly apiCores: number
  readonly engineCores: number
  readonly stallP99Ms: number
  readonly stallMaxMs: number
}

/** @param kept a directory to use, and to leave, instead of a new one that is removed at the end. */
export async function startWatchedServer(kept?: string): Promise<WatchedServer> {
  const data = kept ?? (await mkdtemp(join(tmpdir(), 'heddle-bench-')))
  const apiKey = await keyOf(data)
  const server = await startServerProcess({
    data,
    adminPassword: randomBytes(16).toString('hex'),
    apiKey,
    command: [process.execPath, 'dist/main.js'],
  })
  const engine = await findRunning(data)
  const { pid } = server.process
  if (engine === undefined || pid === undefined) throw new Error('the server has no engine of its own')
  return {
    url: server.url,
    authorization: `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`,
    engine,
    watch: async () => {
      // Reading the metrics begins a new measurement of stalls.
      await stalls(server.url)
      const before = { api: cpuSeconds(pid), engine: cpuSeconds(engine.pid), at: performance.now() }
      let maxRssMib = rssMib(pid)
      const timer = setInterval(() => (maxRssMib = Math.max(maxRssMib, rssMib(pid))), 100)
      return async () => {
        clearInterval(timer)
        const seconds = (performance.now() - before.at) / 1_000
        return {
          maxRssMib: Math.round(maxRssMib),
          apiCores: rounded((cpuSeconds(pid) - before.api) / seconds),
          engineCores: rounded((cpuSeconds(engine.pid) - before.engine) / seconds),
          ...(await stalls(server.url)),
        }
      }
    },
    stop: async () => {
      await server.stop()
      if (kept === undefined) await rm(data, { recursive: true, force: true })
    },
  }
}

/** The key that the directory's first start was given. */
async function keyOf(data: string): Promise<string> {
  const file = join(data, 'bench-key')
  const apiKey = `hd_${randomBytes(24).toString('hex')}`
  await mkdir(data, { recursive: true })
  await writeFile(file, apiKey, { flag: 'wx' }).catch(() => undefined)
  return readFile(file, 'utf8')
}

function rssMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
}

/** User and system time of a process, in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function stalls(url: string): Promise<{ stallP99Ms: number; stallMaxMs: number }> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const of = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    stallP99Ms: rounded(of('nodejs_eventloop_lag_p99_seconds') * 1_000),
    stallMaxMs: rounded(of('nodejs_eventloop_lag_max_seconds') * 1_000),
  }
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
