import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clickhouseClient } from '../ingest/bare.ts'
import { generate, waitForMerges } from '../ingest/measure.ts'
import type { BenchOptions } from '../options.ts'
import { rounded, startMeasuredServer, type MeasuredServer } from '../ingest/measured-server.ts'
import { fill, READS_PROJECT } from './fill.ts'
import { type BenchQuery, benchQueries } from './queries.ts'

const WARM_UP = 3
const ROUNDS = 15
/** Time for the load to reach its rate. */
const RAMP_UP_MS = 5_000

export interface Latencies {
  readonly p50Ms: number
  readonly p95Ms: number
}

interface Measured {
  readonly query: string
  readonly heddle: Latencies
  readonly firstByte: Latencies | undefined
  readonly bare: Latencies
  readonly ratio: number
  readonly cpu: CpuPerRequest
  /** CPU of Heddle's processes / of ClickHouse for the bare SQL. */
  readonly ratioCpu: number
  readonly bytes: number
}

/** In milliseconds. */
interface CpuPerRequest {
  readonly api: number
  readonly clickhouse: number
  readonly bare: number
}

/** Measures every read over HTTP and as bare SQL, alternating, on a project beside as many calls of other projects. */
export async function benchReads({ calls, arriving, data, only, print }: BenchOptions): Promise<object> {
  const server = await startMeasuredServer(data)
  try {
    const execute = clickhouseClient(server.clickhouse)
    const untilMs = await readOrFill(data, calls, () => {
      const now = Date.now()
      return fill({ calls, others: Math.max(calls, 1_000_000), untilMs: now, execute, print }).then(() => now)
    })
    await waitForMerges(server)
    const queries = benchQueries(calls, untilMs).filter(
      ({ name }) => only.length === 0 || only.some((part) => name.includes(part)),
    )
    const measureAll = async (): Promise<Measured[]> => {
      const measured: Measured[] = []
      for (const query of queries) {
        const result = await measure(query, server, execute)
        print(resultLine(result))
        measured.push(result)
      }
      return measured
    }
    const results = await measureAll()
    if (arriving === 0) return { calls, results }
    print(`under a load of ${arriving} calls/s:`)
    return { calls, results, ...(await measureUnderLoad(server, arriving, measureAll)) }
  } finally {
    await server.stop()
  }
}

/** Returns the start time of the newest call; fills the database unless the kept directory is filled already. */
export async function readOrFill(
  data: string | undefined,
  calls: number,
  fillNow: () => Promise<number>,
): Promise<number> {
  if (data === undefined) return fillNow()
  const file = join(data, `filled-${calls}`)
  const known = await readFile(file, 'utf8').catch(() => undefined)
  if (known !== undefined) return Number(known)
  const untilMs = await fillNow()
  await writeFile(file, String(untilMs))
  return untilMs
}

/** Measures while calls are ingested into the same project. */
async function measureUnderLoad<Result>(
  { url, authorization, clickhouse }: MeasuredServer,
  callsPerSecond: number,
  measureAll: () => Promise<Result>,
): Promise<{ arriving: number; whileArriving: Result }> {
  const stored = async (): Promise<number> =>
    Number(
      await clickhouseClient(clickhouse)(`SELECT count() FROM calls WHERE project_id = '${READS_PROJECT}'`),
    )
  const loadAbort = new AbortController()
  const load = generate(
    {
      kind: 'complete',
      batch: 100,
      bytes: 3_400,
      url,
      authorization,
      seconds: 3_600,
      connections: 20,
      callsPerSecond,
      project_id: READS_PROJECT,
    },
    loadAbort.signal,
  )
  await new Promise((wait) => setTimeout(wait, RAMP_UP_MS))
  const before = { calls: await stored(), at: performance.now() }
  try {
    const result = await measureAll()
    const seconds = (performance.now() - before.at) / 1_000
    return { arriving: Math.round(((await stored()) - before.calls) / seconds), whileArriving: result }
  } finally {
    loadAbort.abort()
    await load
  }
}

async function measure(
  query: BenchQuery,
  server: MeasuredServer,
  execute: (statement: string) => Promise<string>,
): Promise<Measured> {
  const heddle: number[] = []
  const first: number[] = []
  const bare: number[] = []
  const cpu = { api: 0, clickhouse: 0, bare: 0 }
  let bytes = 0
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const before = { api: server.apiSeconds(), clickhouse: server.clickhouseSeconds() }
    const sent = await send(query, server, round)
    const between = { api: server.apiSeconds(), clickhouse: server.clickhouseSeconds() }
    // Without the polling of the API process.
    const bareTook = await server.whilePaused(async () => {
      const startedAt = performance.now()
      await execute(`${query.bare(round)} FORMAT JSONEachRow`)
      return performance.now() - startedAt
    })
    if (round < WARM_UP) continue
    cpu.api += between.api - before.api
    cpu.clickhouse += between.clickhouse - before.clickhouse
    cpu.bare += server.clickhouseSeconds() - between.clickhouse
    heddle.push(sent.tookMs)
    bare.push(bareTook)
    if (sent.firstByteMs !== undefined) first.push(sent.firstByteMs)
    bytes = sent.bytes
  }
  const times = latencies(heddle)
  const bareTimes = latencies(bare)
  const perRequest = (seconds: number): number => rounded((seconds * 1_000) / ROUNDS)
  return {
    query: query.name,
    heddle: times,
    firstByte: query.isStream === true ? latencies(first) : undefined,
    bare: bareTimes,
    ratio: rounded(times.p50Ms / bareTimes.p50Ms),
    cpu: { api: perRequest(cpu.api), clickhouse: perRequest(cpu.clickhouse), bare: perRequest(cpu.bare) },
    ratioCpu: rounded((cpu.api + cpu.clickhouse) / cpu.bare),
    bytes,
  }
}

async function send(
  query: BenchQuery,
  { url, authorization }: MeasuredServer,
  round: number,
): Promise<{ tookMs: number; firstByteMs: number | undefined; bytes: number }> {
  const startedAt = performance.now()
  const response = await fetch(url + query.path, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify(query.body(round)),
  })
  let firstByteMs: number | undefined
  let bytes = 0
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    firstByteMs ??= performance.now() - startedAt
    bytes += chunk.length
  }
  if (response.status !== 200) throw new Error(`${query.name}: ${response.status}`)
  return { tookMs: performance.now() - startedAt, firstByteMs, bytes }
}

export function latencies(values: readonly number[]): Latencies {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (fraction: number): number =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0)
  return { p50Ms: at(0.5), p95Ms: at(0.95) }
}

function resultLine({ query, heddle, bare, firstByte, ratio, cpu, ratioCpu, bytes }: Measured): string {
  const firstByteText = firstByte === undefined ? '' : `, first byte ${firstByte.p50Ms}`
  return `${query}: p50 ${heddle.p50Ms} ms${firstByteText}, p95 ${heddle.p95Ms}; bare ${bare.p50Ms}, p95 ${bare.p95Ms}; ratio ${ratio}; CPU ${cpu.api} + ${cpu.clickhouse} ms, bare ${cpu.bare}; CPU ratio ${ratioCpu}; ${bytes} bytes`
}
