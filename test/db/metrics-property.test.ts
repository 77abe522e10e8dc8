import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Metric } from '../../src/contract/metrics/metrics.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { entries, items } from '../../src/core/json/navigate.ts'
import type { PriceRow } from '../../src/core/costs/prices.ts'
import { useServer } from '../harness.ts'
import { inParallel } from '../operations.ts'
import {
  interpret,
  type PlainCall,
  type PlainGroup,
  type PlainRequest,
  rounded,
} from '../metrics-interpreter.ts'

/**
 * Property test: the metrics of the server equal those of the reference implementation. The calls were sent twice,
 * started and ended in separate records in either order, are running, were deleted, or were stored by a release that did
 * not extract fields. `HEDDLE_PROPERTY_RUNS=5000` runs more requests, `HEDDLE_PROPERTY_SEED` other ones.
 */
const server = useServer()
const RUNS = Number(process.env['HEDDLE_PROPERTY_RUNS'] ?? 200)
const SEED = Number(process.env['HEDDLE_PROPERTY_SEED'] ?? 20_261_115)
const PROJECTS = ['acme/metrics-new', 'acme/metrics-mixed'] as const

const FEBRUARY = Date.UTC(2026, 1, 1)
const DAY = 86_400_000
const PRICE_CHANGE = FEBRUARY + 36 * 3_600_000

const count = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 5000 }) },
  fc.constantFrom(0, 1.7, -3, '12', null, 4_294_967_296, 1e12, true),
)
const details = fc.record({ cached_tokens: count, cache_write_tokens: count }, { requiredKeys: [] })
const entry = fc.record(
  {
    prompt_tokens: count,
    input_tokens: count,
    completion_tokens: count,
    output_tokens: count,
    total_tokens: count,
    cache_read_input_tokens: count,
    prompt_tokens_details: details,
    input_tokens_details: fc.oneof(details, fc.constant(null)),
  },
  { requiredKeys: [] },
)
const usage = fc.dictionary(
  fc.constantFrom('m', 'n', 'unpriced', 'a.b', ''),
  fc.oneof({ weight: 9, arbitrary: entry }, count),
  {
    maxKeys: 3,
  },
)
const attribute = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('prod', 'dev', '', 'ünï', 5, true, null) },
  fc.constantFrom([1, 2], { a: 1 }, 'x'.repeat(300)),
)
const lifecycle = fc.constantFrom('once', 'twice', 'apart', 'backwards', 'running', 'deleted', 'ended again')

const randomCall = fc.record({
  op_name: fc.constantFrom('plain', 'weave:///acme/x/op/answer:abc', 'weave:///acme/x/op/answer:def'),
  isChild: fc.boolean(),
  startedMs: fc.integer({ min: FEBRUARY - DAY, max: FEBRUARY + 4 * DAY }),
  tookMs: fc.integer({ min: -5, max: 2000 }),
  exception: fc.option(fc.constant('ValueError: no'), { nil: undefined }),
  attributes: fc.record({ env: attribute, 'a.b': attribute }, { requiredKeys: [] }),
  summary: fc.record(
    {
      usage: fc.oneof({ weight: 9, arbitrary: usage }, count),
      status_counts: fc.record({ error: fc.nat(2) }),
    },
    { requiredKeys: [] },
  ),
  fate: lifecycle,
})

type GeneratedCall = ReturnType<typeof generateCalls>[number]

function generateCalls(seed: number) {
  const [calls = []] = fc.sample(fc.array(randomCall, { minLength: 150, maxLength: 150 }), {
    numRuns: 1,
    seed,
  })
  return calls.map((call, i) => ({ ...call, id: `call-${i}` }))
}

/** The records of each call in the order they are sent; every step is one request for all calls. */
const STEPS: Readonly<Record<GeneratedCall['fate'], readonly Step[]>> = {
  once: ['complete'],
  twice: ['complete', 'complete'],
  apart: ['start', 'end'],
  backwards: ['end', 'start'],
  // The later of two ends wins.
  'ended again': ['start', 'earlier end', 'end'],
  running: ['start'],
  deleted: ['complete', 'delete'],
}

type Step = 'complete' | 'start' | 'end' | 'earlier end' | 'delete'

async function store(project_id: string, calls: readonly GeneratedCall[]): Promise<void> {
  for (let n = 0; n < 3; n++) {
    const callsAt = (step: Step) => calls.filter((call) => STEPS[call.fate][n] === step)
    const complete = callsAt('complete').map((call) => ({
      ...startRecord(project_id, call),
      ...endRecord(project_id, call),
    }))
    if (complete.length > 0) await server.post(`/v2/${project_id}/calls/complete`, { batch: complete })
    const batch = [
      ...callsAt('start').map((call) => ({ mode: 'start', req: { start: startRecord(project_id, call) } })),
      ...callsAt('end').map((call) => ({ mode: 'end', req: { end: endRecord(project_id, call) } })),
      ...callsAt('earlier end').map((call) => ({ mode: 'end', req: { end: earlierEnd(project_id, call) } })),
    ]
    if (batch.length > 0) await server.post('/call/upsert_batch', { batch })
    const call_ids = callsAt('delete').map((call) => call.id)
    if (call_ids.length > 0) await server.post('/calls/delete', { project_id, call_ids })
  }
}

function startRecord(project_id: string, call: GeneratedCall) {
  const { id, op_name, attributes } = call
  const started_at = new Date(call.startedMs).toISOString()
  const parent_id = call.isChild ? 'a-parent' : undefined
  return { project_id, id, trace_id: 't', op_name, parent_id, started_at, attributes, inputs: {} }
}

function endRecord(project_id: string, { id, exception, summary, startedMs, tookMs }: GeneratedCall) {
  return { project_id, id, ended_at: new Date(startedMs + tookMs).toISOString(), exception, summary }
}

function earlierEnd(project_id: string, call: GeneratedCall) {
  const ended_at = new Date(call.startedMs - 10_000).toISOString()
  return { ...endRecord(project_id, call), ended_at, summary: { usage: { m: { prompt_tokens: 1e6 } } } }
}

function visibleCall(call: GeneratedCall): PlainCall[] {
  const { id, op_name, attributes, summary, exception, startedMs, tookMs } = call
  const parent_id = call.isChild ? 'a-parent' : undefined
  const start = { id, op_name, parent_id, startedMs, attributes }
  if (call.fate === 'deleted') return []
  if (call.fate === 'running') return [{ ...start, endedMs: undefined, exception: undefined, summary: {} }]
  return [{ ...start, endedMs: startedMs + tookMs, exception, summary }]
}

const visibleCalls = new Map<string, PlainCall[]>()

const PRICES = { prompt_token_cost: 0.1, completion_token_cost: 0.0000003, cache_read_input_token_cost: 0.07 }

beforeAll(async () => {
  for (const [n, project_id] of PROJECTS.entries()) {
    for (const effective_date of [new Date(0).toISOString(), new Date(PRICE_CHANGE).toISOString()]) {
      const isLate = effective_date === new Date(PRICE_CHANGE).toISOString()
      const costs = { m: { ...PRICES, prompt_token_cost: isLate ? 0.3 : 0.1, effective_date } }
      await server.post('/cost/create', { project_id, costs: isLate ? costs : { ...costs, 'a.b': costs.m } })
    }
    const calls = generateCalls(SEED + n)
    await store(project_id, calls)
    visibleCalls.set(project_id, calls.flatMap(visibleCall))
  }
  // Makes these rows look like rows stored by releases without these columns.
  await server.heddle.deps.db.ddl(
    `ALTER TABLE calls UPDATE usage = [], usage_extracted = 0, json_fields = map() WHERE project_id = '${PROJECTS[1]}' AND cityHash64(id) % 3 = 0 SETTINGS mutations_sync = 2`,
  )
}, 240_000)

function priceOf(model: string, ms: number): PriceRow | undefined {
  if (model !== 'm' && model !== 'a.b') return undefined
  const isLate = model === 'm' && ms >= PRICE_CHANGE
  return {
    ...(Object.fromEntries(Object.entries(PRICES).map(([k, v]) => [k, v.toFixed(7)])) as object),
    prompt_token_cost: isLate ? '0.3' : '0.1',
    cache_creation_input_token_cost: '0',
  } as PriceRow
}

const SUM_METRICS: Metric[] = [
  'count',
  'errors',
  'running',
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cost',
]
const anyRequest = fc.record({
  project_id: fc.constantFrom(...PROJECTS),
  startMs: fc.integer({ min: -24, max: 40 }).map((hours) => FEBRUARY + hours * 3_600_000),
  hours: fc.integer({ min: 1, max: 120 }),
  bucket: fc.constantFrom('hour' as const, 'day' as const, 'none' as const),
  zone: fc.constantFrom(['UTC', 0] as const, ['America/New_York', -5 * 3_600_000] as const),
  rootsOnly: fc.boolean(),
  group_by: fc.uniqueArray(fc.constantFrom('op', 'model', 'status', 'day', 'attributes.env'), {
    maxLength: 3,
  }),
  measures: fc.uniqueArray(
    fc.constantFrom<Metric[]>(
      ...SUM_METRICS,
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
      'avg_latency_ms',
      'p50_latency_ms',
      'p95_latency_ms',
      'p99_latency_ms',
    ),
    { minLength: 1, maxLength: 5 },
  ),
  top: fc.integer({ min: 1, max: 12 }),
  rank_by: fc.constantFrom(...SUM_METRICS),
})

interface MetricsText {
  readonly timestamps: readonly string[]
  readonly groups: readonly PlainGroup[]
  readonly other: PlainGroup | 'null'
}

/** Numbers and nulls stay text: parsing would lose the last digits of costs. */
function numbersAsText(raw: RawJson): unknown {
  switch (raw.text[0]) {
    case '{':
      return Object.fromEntries(entries(raw).map(([key, value]) => [key, numbersAsText(value)]))
    case '[':
      return items(raw).map(numbersAsText)
    case '"':
      return JSON.parse(raw.text)
    default:
      return raw.text
  }
}

function normalize(group: PlainGroup): PlainGroup {
  const normalizeEntry = ([name, value]: [string, string]): [string, string] => [
    name,
    name.endsWith('latency_ms') && value !== 'null' ? rounded(Number(value)) : value,
  ]
  return {
    key: Object.fromEntries(
      Object.entries(group.key).map(([name, value]) => [name, value === null ? 'null' : value]),
    ),
    totals: Object.fromEntries(Object.entries(group.totals).map(normalizeEntry)),
    series: Object.fromEntries(
      Object.entries(group.series).map(([name, values]) => [
        name,
        values.map((value) => normalizeEntry([name, value])[1]),
      ]),
    ),
    unpriced: group.unpriced,
  }
}

test('metrics equal those of the reference implementation', { timeout: 1_200_000 }, async () => {
  const requests = fc.sample(anyRequest, { numRuns: RUNS, seed: SEED })
  const differences: string[] = []
  await inParallel(3, requests, async ({ project_id, zone: [timezone, offsetMs], hours, ...rest }) => {
    const request: PlainRequest = { ...rest, endMs: rest.startMs + hours * 3_600_000, offsetMs, priceOf }
    const body = {
      start: new Date(request.startMs).toISOString(),
      end: new Date(request.endMs).toISOString(),
      timezone,
      filter: { trace_roots_only: request.rootsOnly },
      bucket: request.bucket,
      group_by: request.group_by,
      measures: request.measures,
      top: request.top,
      rank_by: request.rank_by,
    }
    const response = await server.send(`/api/v1/projects/${project_id}/metrics`, body)
    const plain = interpret(visibleCalls.get(project_id)!, request)
    const expected = {
      groups: plain.groups.map(normalize),
      other: plain.other === null ? null : normalize(plain.other),
    }
    const parsed =
      response.status === 200 ? (numbersAsText(RawJson.fromText(response.text)) as MetricsText) : undefined
    const found =
      parsed === undefined
        ? response.text
        : {
            groups: parsed.groups.map(normalize),
            other: parsed.other === 'null' ? null : normalize(parsed.other),
          }
    const times = parsed?.timestamps.map((time) => Date.parse(time))
    const isEqual =
      JSON.stringify(found) === JSON.stringify(expected) &&
      JSON.stringify(times) === JSON.stringify(plain.timestamps)
    if (!isEqual)
      differences.push(
        `${project_id} ${JSON.stringify(body)}\n${JSON.stringify(found)}\n${JSON.stringify(expected)}`,
      )
  })
  expect(differences.slice(0, 2).join('\n\n')).toBe('')
})
