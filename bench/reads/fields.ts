import { clickhouseClient } from '../ingest/bare.ts'
import { waitForMerges } from '../ingest/measure.ts'
import type { BenchOptions } from '../options.ts'
import { type ResourceUsage, startMeasuredServer } from '../ingest/measured-server.ts'
import { END_USERS, fill, MODELS, RARE_MODEL, READS_PROJECT } from './fill.ts'
import { type Latencies, latencies, readOrFill } from './reads.ts'

/** Measures the newest 50 calls filtered by each named field, and the first 50 sorted by it. */

const WARM_UP = 2
const ROUNDS = 11
const COLUMNS = [
  'id',
  'trace_id',
  'parent_id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'exception',
]

type Condition = (round: number) => object

const field = (name: string): object => ({ $getField: name })
const equals =
  (name: string, value: (round: number) => unknown): Condition =>
  (round) => ({ $eq: [field(name), { $literal: value(round) }] })
const above =
  (name: string, value: (round: number) => number): Condition =>
  (round) => ({ $gt: [field(name), { $literal: value(round) }] })

/** Conditions with another value in each round, where there are several: a repeated list is faster. */
const FILTERS: readonly (readonly [string, Condition])[] = [
  ['cost > (one call in a thousand)', above('cost', (round) => 0.012 + round / 100_000)],
  ['input_tokens > (one in a hundred)', above('input_tokens', (round) => 1990 - round)],
  ['output_tokens > (one in a hundred)', above('output_tokens', (round) => 990 + (round % 5))],
  ['total_tokens > (none)', above('total_tokens', (round) => 5000 + round)],
  ['model = (one in four)', equals('model', (round) => MODELS[round % MODELS.length])],
  ['model = (one in a thousand)', equals('model', () => RARE_MODEL)],
  ['provider = (one in three)', equals('provider', (round) => ['openai', 'anthropic', 'google'][round % 3])],
  ['tags = (one in a thousand)', equals('tags', (round) => `tag-${round * 7}`)],
  [
    'end_user = (one in ten thousand)',
    equals('end_user', (round) => `end-user-${(round * 131) % END_USERS}`),
  ],
  ['session = (50 calls)', equals('session', (round) => `session-${round * 977}`)],
  ['environment = (one in a thousand)', equals('environment', () => 'staging')],
  ['time_to_first_token > (none)', above('time_to_first_token', (round) => 3000 + round)],
  ['error_type = (one in five thousand)', equals('error_type', () => 'TimeoutError')],
  ['error_type = (none)', equals('error_type', (round) => `Error${round}`)],
  ['reaction = 👍 (one in two hundred)', equals('reaction', () => '👍')],
  ['scores.helpful > (one in a thousand)', above('scores.helpful', (round) => 0.8 + round / 1000 + 0.0001)],
  ['status = error', equals('status', () => 'error')],
  ['latency > (one in a thousand)', above('latency', (round) => 5044 - round)],
  ['op = (one in twenty)', equals('op', (round) => `op_${round % 20}`)],
]

const SORTS = [
  'cost', 'input_tokens', 'output_tokens', 'total_tokens', 'model', 'provider', 'tags', 'end_user', 'session',
  'environment', 'time_to_first_token', 'error_type', 'reaction', 'scores.helpful', 'status', 'latency', 'op',
] // prettier-ignore

interface MeasuredField {
  readonly query: string
  readonly calls: number
  readonly heddle: Latencies
  /** CPU time of server and ClickHouse per request, which other programs on the machine change less. */
  readonly cpuMs: number
}

export async function benchFields({ calls, data, only, print }: BenchOptions): Promise<object> {
  const server = await startMeasuredServer(data)
  try {
    const execute = clickhouseClient(server.clickhouse)
    await readOrFill(data, calls, async () => {
      const untilMs = Date.now()
      await fill({ calls, others: 0, untilMs, execute, print })
      return untilMs
    })
    await waitForMerges(server)
    const newest = [{ field: 'started_at', direction: 'desc' }]
    const requests = [
      ...FILTERS.map(([name, condition]) => ({
        name,
        body: (round: number) => ({ query: { $expr: condition(round) }, sort_by: newest }),
      })),
      ...SORTS.map((name) => ({
        name: `sorted by ${name}`,
        body: () => ({ sort_by: [{ field: name, direction: 'desc' }] }),
      })),
    ].filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
    const results: MeasuredField[] = []
    for (const { name, body } of requests) {
      const times: number[] = []
      let found = 0
      let stopMeasuring: (() => Promise<ResourceUsage>) | undefined
      for (let round = 0; round < WARM_UP + ROUNDS; round++) {
        if (round === WARM_UP) stopMeasuring = await server.startMeasuring()
        const from = performance.now()
        const request = { project_id: READS_PROJECT, columns: COLUMNS, limit: 50, ...body(round) }
        const response = await fetch(`${server.url}/calls/stream_query`, {
          method: 'POST',
          headers: { authorization: server.authorization },
          body: JSON.stringify(request),
        })
        const text = await response.text()
        if (response.status !== 200) throw new Error(`${name}: ${response.status} ${text}`)
        if (round >= WARM_UP) times.push(performance.now() - from)
        found = text.split('\n').filter((line) => line !== '').length
      }
      const used = await stopMeasuring!()
      const cpuMs = Math.round(((used.apiSeconds + used.clickhouseSeconds) * 1000) / ROUNDS)
      const measured = { query: name, calls: found, heddle: latencies(times), cpuMs }
      const { p50Ms, p95Ms } = measured.heddle
      print(`${name}: ${found} calls, p50 ${p50Ms} ms, p95 ${p95Ms} ms, CPU ${cpuMs} ms`)
      results.push(measured)
    }
    return { calls, results }
  } finally {
    await server.stop()
  }
}
