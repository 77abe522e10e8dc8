import { makeCall, type MadeCall, ID, PROJECT_ID, randomFrom } from './calls.ts'
import { Connection } from './connection.ts'
import { Ids, Template } from './templates.ts'

/** The load generator, a separate process: takes a `Load` as its argument, prints an `Outcome`. */
export interface Load {
  readonly kind: 'complete' | 'apart' | 'starts' | 'ladder'
  /** Calls per request. */
  readonly batch: number
  /** Mean size of a call. */
  readonly bytes: number
  readonly url: string
  readonly authorization: string
  readonly seconds: number
  readonly connections: number
  /** Open loop: requests start at this rate, whether or not earlier ones have finished; 0 = closed loop. */
  readonly callsPerSecond: number
  /** Default: the bench's own project. */
  readonly project_id?: string
}

export interface Outcome {
  readonly calls: number
  readonly requests: number
  readonly refused: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Per connection, so that no request body is overwritten while it is being sent. */
const TEMPLATES = 2

interface Step {
  readonly path: string
  readonly template: Template
  /** Whether the step sends new calls, or those of the previous step. */
  readonly calls: 'new' | 'same'
  /** Calls that are complete after this step. */
  readonly completes: number
}

/** The cycles of requests that one connection repeats. */
function buildCycles(load: Load, random: () => number): Step[][] {
  const { project_id = PROJECT_ID, bytes: bytesPerCall } = load
  const call = (bytes?: number): MadeCall =>
    makeCall(random, { project_id, bytesPerCall, ...(bytes === undefined ? {} : { bytes }) })
  const batch = (): MadeCall[] => Array.from({ length: load.batch }, () => call())
  const cycles = Array.from({ length: TEMPLATES })
  switch (load.kind) {
    case 'complete':
      return cycles.map(() => [complete(batch())])
    case 'apart':
      return cycles.map(() => {
        const calls = batch()
        const starts = calls.map(({ start }) => ({ mode: 'start', req: { start } }))
        const ends = calls.map(({ end }) => ({
          mode: 'end',
          req: { end: { project_id, id: ID, ...end } },
        }))
        const path = '/call/upsert_batch'
        return [
          { path, template: new Template(JSON.stringify({ batch: starts }), 2), calls: 'new', completes: 0 },
          {
            path,
            template: new Template(JSON.stringify({ batch: ends }), 1),
            calls: 'same',
            completes: load.batch,
          },
        ]
      })
    case 'starts':
      return cycles.map(() => [
        {
          path: '/call/start',
          template: new Template(JSON.stringify({ start: call().start }), 2),
          calls: 'new',
          completes: 1,
        },
      ])
    case 'ladder':
      // 1 KB, 4 KB … 32 MiB, each followed by two normal batches.
      return [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 32_000].flatMap((kib) => [
        [complete([call(kib * 1_024)])],
        [complete(batch())],
        [complete(batch())],
      ])
  }
}

function complete(calls: readonly MadeCall[]): Step {
  return {
    path: `/v2/${calls[0]?.start.project_id}/calls/complete`,
    template: new Template(
      JSON.stringify({ batch: calls.map(({ start, end }) => ({ ...start, ...end })) }),
      2,
    ),
    calls: 'new',
    completes: calls.length,
  }
}

async function run(load: Load): Promise<Outcome> {
  const url = new URL(load.url)
  const clients = await Promise.all(
    Array.from({ length: load.connections }, async (_, n) => ({
      connection: await Connection.open(url, load.authorization),
      cycles: buildCycles(load, randomFrom(n + 1)),
      // Different from the ids of the previous run.
      ids: new Ids((Date.now() % 8_192) * 2_048 + n),
    })),
  )
  const times: number[] = []
  let calls = 0
  let refused = 0
  const started = performance.now()
  const until = started + load.seconds * 1_000
  const due = schedule(load, started)
  await Promise.all(
    clients.map(async ({ connection, cycles, ids }, n) => {
      let next = 0
      for (let cycle = n; performance.now() < until; cycle++) {
        let first = next
        for (const step of cycles[cycle % cycles.length] ?? []) {
          if (step.calls === 'new') {
            first = next
            next += step.template.calls
          }
          const body = step.template.fill(ids, first)
          const at = await due()
          const status = await connection.post(step.path, body)
          times.push(performance.now() - at)
          if (status === 200) calls += step.completes
          else {
            refused++
            // Back off, as an SDK would.
            await new Promise((wait) => setTimeout(wait, 100))
          }
        }
      }
      connection.close()
    }),
  )
  times.sort((a, b) => a - b)
  return {
    calls,
    requests: times.length,
    refused,
    seconds: (performance.now() - started) / 1_000,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  }
}

/** Waits until the next request is due and returns its scheduled time. */
function schedule(load: Load, started: number): () => Promise<number> {
  if (load.callsPerSecond === 0) return async () => performance.now()
  const everyMs = (load.batch / load.callsPerSecond) * 1_000
  let n = 0
  return async () => {
    const at = started + n++ * everyMs
    const wait = at - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    return at
  }
}

function percentile(sorted: readonly number[], share: number): number {
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10
}

console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}') as Load)))
