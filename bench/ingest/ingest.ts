import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { clickhouseClient, insertBare } from './bare.ts'
import type { Load, Outcome } from './load.ts'
import { rounded, startMeasuredServer, type ResourceUsage, type MeasuredServer } from './measured-server.ts'

export interface BenchOptions {
  readonly seconds: number
  /** Number of calls in the measured project. */
  readonly calls: number
  /** Concurrent ingest load in calls per second, for the bench `reads`; 0 = none. */
  readonly arriving: number
  /** A data directory that is kept, so that the next run can reuse its data, for the bench `reads`. */
  readonly data: string | undefined
  /** Names of the parts to run; empty = all. */
  readonly only: readonly string[]
  readonly print: (line: string) => void
}

interface Part {
  readonly kind: Load['kind']
  readonly connections: number
  /** Calls per second, possibly relative to bare ClickHouse; undefined = closed loop, as fast as possible. */
  readonly rate?: (bareRate: number) => number
}

const PARTS: Readonly<Record<string, Part>> = {
  complete: { kind: 'complete', connections: 100 },
  apart: { kind: 'apart', connections: 100 },
  // 200 clients with up to five concurrent requests each, as an SDK's thread pool has.
  starts: { kind: 'starts', connections: 1_000, rate: () => 3_000 },
  quarter: { kind: 'complete', connections: 100, rate: (bareRate) => bareRate / 4 },
  ladder: { kind: 'ladder', connections: 8 },
}

interface PartResult extends Outcome, ResourceUsage {
  readonly part: string
  readonly callsPerSecond: number
  readonly ratioToBare: number
  readonly partsPerSecond: number
}

/** Measures ingest over HTTP and compares it with bare ClickHouse on the same machine with the same rows. */
export async function benchIngest({ seconds, only, print }: BenchOptions): Promise<object> {
  const server = await startMeasuredServer()
  try {
    print(`bare ClickHouse, ${seconds} s …`)
    const bare = await insertBare(server.clickhouse, seconds)
    const bareRate = bare.calls / bare.seconds
    print(`bare ClickHouse: ${Math.round(bareRate)} calls/s`)
    const results: PartResult[] = []
    for (const [name, part] of Object.entries(PARTS)) {
      if (only.length > 0 && !only.includes(name)) continue
      await waitForMerges(server)
      const result = await measure(server, name, part, bareRate, seconds)
      print(resultLine(result))
      results.push(result)
    }
    return { bare: { callsPerSecond: Math.round(bareRate), ...bare }, results }
  } finally {
    await server.stop()
  }
}

async function measure(
  server: MeasuredServer,
  name: string,
  part: Part,
  bareRate: number,
  seconds: number,
): Promise<PartResult> {
  const parts = await countParts(server)
  const end = await server.startMeasuring()
  const outcome = await generate({
    kind: part.kind,
    url: server.url,
    authorization: server.authorization,
    seconds,
    connections: part.connections,
    callsPerSecond: Math.round(part.rate?.(bareRate) ?? 0),
  })
  if (outcome === undefined) throw new Error('the load generator was aborted')
  const watched = await end()
  const rate = outcome.calls / outcome.seconds
  return {
    part: name,
    callsPerSecond: Math.round(rate),
    ratioToBare: rounded(rate / bareRate),
    partsPerSecond: rounded(((await countParts(server)) - parts) / outcome.seconds),
    ...outcome,
    ...watched,
  }
}

export async function generate(load: Load, signal?: AbortSignal): Promise<Outcome | undefined> {
  const program = fileURLToPath(new URL('load.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(load)], {
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

/** Number of parts that inserts have created in `calls` since ClickHouse started. */
async function countParts(server: MeasuredServer): Promise<number> {
  const partCount = await clickhouseClient(server.clickhouse)(
    "SELECT max(max_block_number) FROM system.parts WHERE database = 'heddle' AND table = 'calls'",
  )
  return Number(partCount)
}

/** Waits up to 30 s for merges of the previous part to finish, so that each part is measured alone. */
export async function waitForMerges(server: MeasuredServer): Promise<void> {
  const execute = clickhouseClient(server.clickhouse)
  for (let n = 0; n < 60; n++) {
    if (Number(await execute('SELECT count() FROM system.merges')) === 0) return
    await new Promise((wait) => setTimeout(wait, 500))
  }
}

function resultLine(result: PartResult): string {
  return (
    `${result.part}: ${result.callsPerSecond} calls/s, ${result.ratioToBare} of bare; requests p50 ${result.p50Ms} ms, ` +
    `p99 ${result.p99Ms} ms, ${result.refused} refused; ${result.partsPerSecond} new parts/s; API ${result.apiCores} ` +
    `cores, ${result.maxRssMib} MiB, stalls p99 ${result.stallP99Ms} ms, max ${result.stallMaxMs} ms; ClickHouse ` +
    `${result.clickhouseCores} cores`
  )
}
