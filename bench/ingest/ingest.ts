import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { asker, feedBare } from './bare.ts'
import type { Load, Outcome } from './load.ts'
import { rounded, startWatchedServer, type Watched, type WatchedServer } from './watched-server.ts'

export interface BenchOptions {
  readonly seconds: number
  /** How many the measured project has. */
  readonly calls: number
  /** Calls a second that arrive meanwhile, where that is measured; 0 for none. */
  readonly arriving: number
  /** A directory whose filled database is kept, and found again by the next run, where that is useful. */
  readonly data: string | undefined
  /** Names of the parts to run; all if empty. */
  readonly only: readonly string[]
  readonly say: (line: string) => void
}

interface Part {
  readonly kind: Load['kind']
  readonly connections: number
  /** Calls a second, perhaps of what the bare engine took; as fast as they are answered if undefined. */
  readonly rate?: (bareRate: number) => number
}

const PARTS: Readonly<Record<string, Part>> = {
  complete: { kind: 'complete', connections: 100 },
  apart: { kind: 'apart', connections: 100 },
  // 200 clients with up to five requests open, as an SDK's thread pool has them.
  starts: { kind: 'starts', connections: 1_000, rate: () => 3_000 },
  quarter: { kind: 'complete', connections: 100, rate: (bareRate) => bareRate / 4 },
  ladder: { kind: 'ladder', connections: 8 },
}

interface PartResult extends Outcome, Watched {
  readonly part: string
  readonly callsPerSecond: number
  readonly ofBare: number
  readonly partsPerSecond: number
}

/** The way in, over HTTP, beside the bare engine on the same machine with the same rows. */
export async function benchIngest({ seconds, only, say }: BenchOptions): Promise<object> {
  const server = await startWatchedServer()
  try {
    say(`bare engine, ${seconds} s …`)
    const bare = await feedBare(server.engine, seconds)
    const bareRate = bare.calls / bare.seconds
    say(`bare engine: ${Math.round(bareRate)} calls/s`)
    const results: PartResult[] = []
    for (const [name, part] of Object.entries(PARTS)) {
      if (only.length > 0 && !only.includes(name)) continue
      await calm(server)
      const result = await measure(server, name, part, bareRate, seconds)
      say(lineOf(result))
      results.push(result)
    }
    return { bare: { callsPerSecond: Math.round(bareRate), ...bare }, results }
  } finally {
    await server.stop()
  }
}

async function measure(
  server: WatchedServer,
  name: string,
  part: Part,
  bareRate: number,
  seconds: number,
): Promise<PartResult> {
  const parts = await newParts(server)
  const end = await server.watch()
  const outcome = await generate({
    kind: part.kind,
    url: server.url,
    authorization: server.authorization,
    seconds,
    connections: part.connections,
    callsPerSecond: Math.round(part.rate?.(bareRate) ?? 0),
  })
  if (outcome === undefined) throw new Error('the load was taken away')
  const watched = await end()
  const rate = outcome.calls / outcome.seconds
  return {
    part: name,
    callsPerSecond: Math.round(rate),
    ofBare: rounded(rate / bareRate),
    partsPerSecond: rounded(((await newParts(server)) - parts) / outcome.seconds),
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

/** Parts that inserts have made in the table of calls since the engine started. */
async function newParts(server: WatchedServer): Promise<number> {
  const answer = await asker(server.engine)(
    "SELECT max(max_block_number) FROM system.parts WHERE database = 'heddle' AND table = 'calls'",
  )
  return Number(answer)
}

/** Until the merges of the part before have ended, so that each is measured alone; not for ever. */
export async function calm(server: WatchedServer): Promise<void> {
  const ask = asker(server.engine)
  for (let n = 0; n < 60; n++) {
    if (Number(await ask('SELECT count() FROM system.merges')) === 0) return
    await new Promise((wait) => setTimeout(wait, 500))
  }
}

function lineOf(result: PartResult): string {
  return (
    `${result.part}: ${result.callsPerSecond} calls/s, ${result.ofBare} of bare; requests p50 ${result.p50Ms} ms, ` +
    `p99 ${result.p99Ms} ms, ${result.refused} refused; ${result.partsPerSecond} new parts/s; API ${result.apiCores} ` +
    `cores, ${result.maxRssMib} MiB, stalls p99 ${result.stallP99Ms} ms, max ${result.stallMaxMs} ms; engine ` +
    `${result.engineCores} cores`
  )
}
