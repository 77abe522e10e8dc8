import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { waitForMerges } from '../ingest/measure.ts'
import type { BenchOptions } from '../options.ts'
import type { Outcome } from '../ingest/load.ts'
import { type MeasuredServer, rounded, startMeasuredServer } from '../ingest/measured-server.ts'
import type { LoadKind, OtlpLoad } from './load.ts'
import { storeOnce, writeRecords } from './records.ts'
import { DIALECTS, type SpanDialect } from './spans.ts'

/**
 * Compares the ingest of spans with `calls/complete` for the same rows, in one run: CPU of the server and of ClickHouse
 * for each stored call. All kinds of requests take turns, because other work on the machine changes over time.
 */

/**
 * A batch of 40 is read by the main thread in every format; from 53 on, the larger body of `calls/complete` goes to the
 * thread for large requests, and from 130 on all do (src/http/large-requests.ts).
 */
const BATCHES = [40, 100, 512]
const KINDS: readonly LoadKind[] = ['complete', 'protobuf', 'json', 'grpc']
const QUARTER_BATCH = 512
const ROUNDS = 3
const CONNECTIONS: Readonly<Record<number, number>> = { 40: 24, 100: 16, 512: 6 }

interface Measured {
  calls: number
  seconds: number
  refused: number
  apiSeconds: number
  clickhouseSeconds: number
}

export async function benchOtlp({ seconds, only, print }: BenchOptions): Promise<object> {
  const server = await startMeasuredServer()
  const directory = await mkdtemp(join(tmpdir(), 'heddle-bench-otlp-'))
  try {
    const results: object[] = []
    const dialect = DIALECTS.find((name) => only.includes(name)) ?? 'genai'
    const records = join(directory, 'records')
    const spans = Math.max(...BATCHES.map((batch) => batch * connectionsFor(batch)))
    await storeOnce(server, spans, dialect)
    await writeFile(records, await writeRecords(server, spans))
    const run = { server, dialect, records, seconds, print }
    for (const batch of BATCHES)
      if (wants(only, String(batch))) results.push({ batch, ...(await compare(run, batch)) })
    if (wants(only, 'quarter')) results.push({ quarter: await measureQuarter(run) })
    return { dialect, results }
  } finally {
    await rm(directory, { recursive: true, force: true })
    await server.stop()
  }
}

/** Parts are sizes of batches and `quarter`; without any, all are wanted. A dialect may be named besides. */
function wants(only: readonly string[], part: string): boolean {
  const parts = only.filter((name) => !(DIALECTS as readonly string[]).includes(name))
  return parts.length === 0 || parts.includes(part)
}

interface Run {
  readonly server: MeasuredServer
  readonly dialect: SpanDialect
  readonly records: string
  readonly seconds: number
  readonly print: (line: string) => void
}

async function compare(run: Run, batch: number): Promise<object> {
  const sums = new Map<LoadKind, Measured>()
  // The first of a new size warms the code up and is not counted.
  for (const kind of KINDS) await measure({ ...run, seconds: run.seconds / 3 }, kind, batch, 0)
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of KINDS) {
      const part = await measure({ ...run, seconds: run.seconds / ROUNDS }, kind, batch, 0)
      sums.set(kind, add(sums.get(kind), part))
    }
  }
  const base = sums.get('complete')
  if (base === undefined) throw new Error('calls/complete was not measured')
  const report: Record<string, object> = {}
  for (const [kind, sum] of sums) {
    const result = {
      callsPerSecond: Math.round(sum.calls / sum.seconds),
      apiMicros: perCall(sum, 'apiSeconds'),
      clickhouseMicros: perCall(sum, 'clickhouseSeconds'),
      apiRatio: rounded(perCall(sum, 'apiSeconds') / perCall(base, 'apiSeconds')),
      totalRatio: rounded(totalOf(sum) / totalOf(base)),
      refused: sum.refused,
    }
    report[kind] = result
    run.print(
      `${run.dialect}, ${batch} per request, ${kind}: ${result.callsPerSecond} calls/s; CPU per call: server ` +
        `${result.apiMicros} µs (${result.apiRatio} of calls/complete), ClickHouse ${result.clickhouseMicros} µs, ` +
        `together ${result.totalRatio} of calls/complete; ${result.refused} refused`,
    )
  }
  return report
}

/** How long exports take at a quarter of the highest rate. */
async function measureQuarter(run: Run): Promise<object> {
  const highest = await measure(run, 'protobuf', QUARTER_BATCH, 0)
  const spansPerSecond = highest.calls / highest.seconds / 4
  const { p50Ms, p99Ms, requests, refused } = await measure(run, 'protobuf', QUARTER_BATCH, spansPerSecond)
  run.print(
    `${run.dialect}, exports of ${QUARTER_BATCH} spans at ${Math.round(spansPerSecond)} spans/s: ` +
      `p50 ${p50Ms} ms, p99 ${p99Ms} ms of ${requests} requests, ${refused} refused`,
  )
  return { spansPerSecond, p50Ms, p99Ms, requests, refused }
}

/** Starting the load generator is not measured. */
async function measure(
  { server, dialect, records, seconds }: Run,
  kind: LoadKind,
  batch: number,
  spansPerSecond: number,
): Promise<Measured & Outcome> {
  const { url, grpcUrl = '', authorization } = server
  const connections = connectionsFor(batch)
  const load: OtlpLoad = {
    kind,
    dialect,
    url,
    grpcUrl,
    authorization,
    seconds,
    connections,
    batch,
    spansPerSecond,
    records,
  }
  const program = fileURLToPath(new URL('load.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(load)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  await waitForMerges(server)
  const end = await server.startMeasuring()
  child.stdin.end('begin\n')
  const { value } = await lines.next()
  if (value === undefined) throw new Error('the load generator ended early')
  return { ...(JSON.parse(value) as Outcome), ...(await end()) }
}

function connectionsFor(batch: number): number {
  return CONNECTIONS[batch] ?? 8
}

function add(sum: Measured | undefined, part: Measured): Measured {
  return {
    calls: (sum?.calls ?? 0) + part.calls,
    seconds: (sum?.seconds ?? 0) + part.seconds,
    refused: (sum?.refused ?? 0) + part.refused,
    apiSeconds: (sum?.apiSeconds ?? 0) + part.apiSeconds,
    clickhouseSeconds: (sum?.clickhouseSeconds ?? 0) + part.clickhouseSeconds,
  }
}

function perCall(sum: Measured, name: 'apiSeconds' | 'clickhouseSeconds'): number {
  return Math.round((sum[name] / sum.calls) * 1e6)
}

function totalOf(sum: Measured): number {
  return (sum.apiSeconds + sum.clickhouseSeconds) / sum.calls
}
