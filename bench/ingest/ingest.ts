import type { BenchOptions } from '../options.ts'
import { BareTable, clickhouseClient } from './bare.ts'
import { type Measured, measurePart, microsPerCall, sum, waitForMerges, warmUp } from './measure.ts'
import { rounded, startMeasuredServer, type MeasuredServer } from './measured-server.ts'
import { type Part, selectParts } from './parts.ts'

const ROUNDS = 3
const IDLE_SECONDS = 20

interface PartResult {
  readonly part: string
  readonly callsPerSecond: number
  /** CPU µs per call until all merges are done. */
  readonly apiMicros: number
  readonly clickhouseMicros: number
  readonly bareMicros?: number
  /** CPU of bare ClickHouse / CPU of Heddle and its ClickHouse: 1 would mean that Heddle costs nothing. */
  readonly ratioCpu?: number
  readonly ratioCpuRounds?: readonly number[]
  readonly ratioThroughput?: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly refused: number
  readonly insertsPerSecond: number
  readonly maxRssMib: number
  readonly stallP99Ms: number
  readonly stallMaxMs: number
}

/**
 * Measures ingest over HTTP beside bare ClickHouse, which gets the same number of calls in turns. The figure of record is
 * the CPU per call of all processes until all merges are done: throughput varies with whatever else the machine does.
 */
export async function benchIngest({ seconds, only, print }: BenchOptions): Promise<object> {
  const results: PartResult[] = []
  for (const [name, part] of selectParts(only)) {
    const result = await measureBeside(name, part, seconds)
    print(resultLine(result))
    results.push(result)
  }
  if (only.length > 0 && !only.includes('idle')) return { results }
  const idle = await measureIdle()
  print(`idle: API ${idle.apiCores} cores, ClickHouse ${idle.clickhouseCores}`)
  return { results, idle }
}

/** Each part has a server of its own, so that the tables of all parts begin empty. */
async function measureBeside(name: string, part: Part, seconds: number): Promise<PartResult> {
  const server = await startMeasuredServer()
  try {
    await warmUp(server, part)
    const bare = part.withBare ? await BareTable.create(server.clickhouse, part.bytes) : undefined
    const rounds: Measured[] = []
    const bareRounds: BareRound[] = []
    const insertsBefore = await countInserts(server)
    const roundCount = part.withBare ? ROUNDS : 1
    for (let round = 0; round < roundCount; round++) {
      const measured = await measurePart(server, part, seconds / roundCount)
      rounds.push(measured)
      if (bare !== undefined) bareRounds.push(await measureBare(server, bare, measured.calls))
    }
    const total = sum(rounds)
    const inserts = (await countInserts(server)) - insertsBefore
    const micros = microsPerCall(total)
    const { p50Ms, p99Ms, refused, maxRssMib, stallP99Ms, stallMaxMs } = total
    return {
      part: name,
      callsPerSecond: Math.round(total.calls / total.seconds),
      apiMicros: micros.api,
      clickhouseMicros: micros.clickhouse,
      ...(bare === undefined ? {} : compareWithBare(rounds, bareRounds)),
      p50Ms,
      p99Ms,
      refused,
      insertsPerSecond: rounded(inserts / total.seconds),
      maxRssMib,
      stallP99Ms,
      stallMaxMs,
    }
  } finally {
    await server.stop()
  }
}

interface BareRound {
  readonly calls: number
  readonly seconds: number
  readonly cpuSeconds: number
}

async function measureBare(server: MeasuredServer, bare: BareTable, calls: number): Promise<BareRound> {
  return server.whilePaused(async () => {
    const before = server.clickhouseSeconds()
    const startedAt = performance.now()
    const inserted = await bare.insert(calls)
    const seconds = (performance.now() - startedAt) / 1_000
    await waitForMerges(server)
    return { calls: inserted, seconds, cpuSeconds: server.clickhouseSeconds() - before }
  })
}

function compareWithBare(rounds: readonly Measured[], bareRounds: readonly BareRound[]) {
  const cpu = ({ apiSeconds, clickhouseSeconds, calls }: Measured): number =>
    (apiSeconds + clickhouseSeconds) / calls
  const bareCalls = total(bareRounds, 'calls')
  const bareCpu = total(bareRounds, 'cpuSeconds') / bareCalls
  const all = sum(rounds)
  return {
    bareMicros: rounded(bareCpu * 1e6),
    ratioCpu: rounded(bareCpu / cpu(all)),
    ratioCpuRounds: rounds.map((round, n) => {
      const bare = bareRounds[n]
      return bare === undefined ? 0 : rounded(bare.cpuSeconds / bare.calls / cpu(round))
    }),
    ratioThroughput: rounded(all.calls / all.seconds / (bareCalls / total(bareRounds, 'seconds'))),
  }
}

function total(rounds: readonly BareRound[], name: keyof BareRound): number {
  return rounds.reduce((sumSoFar, round) => sumSoFar + round[name], 0)
}

/** Number of inserts into `calls` since ClickHouse started. */
async function countInserts(server: MeasuredServer): Promise<number> {
  const newest = await clickhouseClient(server.clickhouse)(
    "SELECT max(max_block_number) FROM system.parts WHERE database = 'heddle' AND table = 'calls'",
  )
  return Number(newest)
}

/** What a server without any request uses. */
async function measureIdle(): Promise<{ apiCores: number; clickhouseCores: number }> {
  const server = await startMeasuredServer()
  try {
    await waitForMerges(server)
    const end = await server.startMeasuring()
    await new Promise((wait) => setTimeout(wait, IDLE_SECONDS * 1_000))
    const { apiSeconds, clickhouseSeconds, elapsedSeconds } = await end()
    const cores = (cpuSeconds: number): number => Math.round((cpuSeconds / elapsedSeconds) * 1_000) / 1_000
    return { apiCores: cores(apiSeconds), clickhouseCores: cores(clickhouseSeconds) }
  } finally {
    await server.stop()
  }
}

function resultLine(result: PartResult): string {
  const { bareMicros, ratioCpu, ratioCpuRounds = [], ratioThroughput } = result
  const beside =
    ratioCpu === undefined
      ? ''
      : `, bare ClickHouse ${bareMicros}: ratio ${ratioCpu} (rounds ${ratioCpuRounds.join(', ')}), throughput ${ratioThroughput}`
  return (
    `${result.part}: ${result.callsPerSecond} calls/s; CPU µs per call: API ${result.apiMicros}, ClickHouse ` +
    `${result.clickhouseMicros}${beside}; requests p50 ${result.p50Ms} ms, p99 ${result.p99Ms} ms, ${result.refused} ` +
    `refused; ${result.insertsPerSecond} inserts/s; ${result.maxRssMib} MiB, stalls p99 ≤ ${result.stallP99Ms} ms, max ≤ ` +
    `${result.stallMaxMs} ms`
  )
}
