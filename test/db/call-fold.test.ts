import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import type { CallFacts } from '../../src/core/calls/call-facts.ts'
import { formatTime } from '../../src/core/time/time.ts'
import { callColumns, countCalls, streamCalls } from '../../src/store/calls/read.ts'
import { deleted, RecordEncoder, renamed } from '../../src/store/calls/record-encoder.ts'
import { CallWriter } from '../../src/store/calls/writer.ts'
import { useServer } from '../harness.ts'

/**
 * Whatever order, number and company the records of calls arrive in, at either of two nodes, readers see the fold
 * of the distinct records. 20 groups of 50 scenarios: 1,000 runs.
 */
const server = useServer()

const BASE = 1_790_000_000_000_000n
const SECOND = 1_000_000n

interface Record {
  readonly call: number
  readonly kind: 'start' | 'end' | 'complete' | 'update' | 'delete'
  /** Tells records of a kind apart; later ones have later times. */
  readonly n: number
}

interface Scenario {
  /** In the order they are sent; each batch goes to one node, batches of a round at the same time. */
  readonly rounds: readonly (readonly { readonly node: 0 | 1; readonly records: readonly Record[] }[])[]
  readonly idStyle: 'plain' | 'time'
}

const KINDS = ['start', 'start', 'start', 'end', 'end', 'complete', 'update', 'delete'] as const

const record = (calls: number): fc.Arbitrary<Record> =>
  fc.record({ call: fc.nat({ max: calls - 1 }), kind: fc.constantFrom(...KINDS), n: fc.nat({ max: 2 }) })

const scenario: fc.Arbitrary<Scenario> = fc
  .oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 4 }) },
    { weight: 1, arbitrary: fc.integer({ min: 5, max: 50 }) },
  )
  .chain((calls) =>
    fc.record({
      idStyle: fc.constantFrom('plain', 'time'),
      rounds: fc.array(
        fc.array(
          fc.record({
            node: fc.constantFrom(0, 1),
            records: fc.array(record(calls), { minLength: 1, maxLength: 12 }),
          }),
          { minLength: 1, maxLength: 2 },
        ),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  )

function idOf(style: Scenario['idStyle'], call: number): string {
  return style === 'plain' ? `call ${call}` : `0190aaaa-0000-7000-8000-${call.toString().padStart(12, '0')}`
}

/** A complete record may say another start than the start record did; starts of one call are alike. */
const startedAt = (r: Record): bigint =>
  BASE + BigInt(r.call) * SECOND + (r.kind === 'complete' ? BigInt(r.n) * 7n : 0n)
const endedAt = (r: Record): bigint =>
  BASE + 100n * SECOND + BigInt(r.n * 2 + (r.kind === 'complete' ? 1 : 0))
const inputsOf = (r: Record): string =>
  `{"call":${r.call},"by":"${r.kind === 'complete' ? `c${r.n}` : 'start'}"}`
const outputOf = (r: Record): string => `"${r.kind} ${r.n}"`
const nameOf = (r: Record): string => (r.n === 0 ? '' : `name ${r.n}`)

function factsOf(project_id: string, style: Scenario['idStyle'], r: Record): CallFacts {
  const reader = new RecordEncoder({ wb_user_id: 'u', now: BASE, newId: () => 'never' })
  const id = idOf(style, r.call)
  const start = {
    project_id,
    id,
    op_name: 'op',
    trace_id: 't',
    display_name: 'given',
    started_at: formatTime(startedAt(r)),
    inputs: RawJson.fromText(inputsOf(r)),
  }
  const end = { ended_at: formatTime(endedAt(r)), output: RawJson.fromText(outputOf(r)) }
  switch (r.kind) {
    case 'start':
      return reader.start(start).facts
    case 'end':
      return reader.end({ project_id, id, ...end })
    case 'complete':
      return reader.complete({ ...start, ...end })
    case 'update':
      return renamed(project_id, id, nameOf(r), BASE + BigInt(r.n))
    case 'delete':
      return deleted(project_id, id, BASE + BigInt(r.n))
  }
}

/** What readers must see: written from the rules, not from the code. */
function fold(style: Scenario['idStyle'], records: readonly Record[]): Map<string, object> {
  const seen = new Map<string, object>()
  for (const call of new Set(records.map((r) => r.call))) {
    const mine = records.filter((r) => r.call === call)
    const latest = (...kinds: Record['kind'][]) =>
      mine.filter((r) => kinds.includes(r.kind)).toSorted((a, b) => Number(endedAt(b) - endedAt(a)))[0]
    const start = latest('complete') ?? latest('start')
    const end = latest('end', 'complete')
    const update = mine.filter((r) => r.kind === 'update').toSorted((a, b) => b.n - a.n)[0]
    if (start === undefined || mine.some((r) => r.kind === 'delete')) continue
    seen.set(idOf(style, call), {
      started_at: formatTime(startedAt(start)),
      inputs: inputsOf(start),
      ended_at: end === undefined ? null : formatTime(endedAt(end)),
      output: end === undefined ? '' : outputOf(end),
      display_name: update === undefined ? 'given' : nameOf(update),
    })
  }
  return seen
}

let projects = 0

async function run(writers: readonly CallWriter[], { rounds, idStyle }: Scenario): Promise<void> {
  const project_id = `fold/${++projects}`
  for (const round of rounds) {
    await Promise.all(
      round.map(async ({ node, records }) => {
        await writers[node]?.write(records.map((r) => factsOf(project_id, idStyle, r)))
      }),
    )
  }
  const { db } = server.heddle.deps
  const seen = new Map<string, object>()
  for await (const row of streamCalls(db, {
    project_id,
    conditions: [],
    order: [],
    columns: callColumns(null),
    page: { limit: undefined, offset: undefined },
  })) {
    expect(seen.has(row.id), `${row.id} is shown twice`).toBe(false)
    const { started_at, inputs, ended_at, output, display_name } = row
    seen.set(row.id, { started_at, inputs, ended_at, output, display_name })
  }
  const expected = fold(
    idStyle,
    rounds.flat().flatMap((batch) => batch.records),
  )
  expect(Object.fromEntries(seen), JSON.stringify({ project_id, rounds })).toEqual(
    Object.fromEntries(expected),
  )
  expect(await countCalls(db, project_id, [], undefined)).toBe(expected.size)
}

/** The failing scenario alone: a group of fifty fills screens. */
async function report(details: fc.RunDetails<[Scenario[]]>): Promise<void> {
  if (details.failed) throw new Error(`seed ${details.seed}`, { cause: details.errorInstance })
}

test(
  'records of calls in any order, number and company read back as their fold',
  { timeout: 600_000 },
  async () => {
    const { db } = server.heddle.deps
    const writers = [new CallWriter(db), new CallWriter(db)]
    await fc.assert(
      fc.asyncProperty(fc.array(scenario, { minLength: 50, maxLength: 50 }), async (scenarios) => {
        await Promise.all(scenarios.map((each) => run(writers, each)))
      }),
      {
        numRuns: Number(process.env['HEDDLE_PROPERTY_RUNS'] ?? 1000) / 50,
        endOnFailure: true,
        asyncReporter: report,
      },
    )
  },
)
