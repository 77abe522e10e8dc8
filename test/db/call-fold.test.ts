import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import type { CallFacts } from '../../src/core/calls/call-facts.ts'
import { formatTime } from '../../src/core/time/time.ts'
import { callColumns, countCalls, streamCalls } from '../../src/store/calls/read.ts'
import { deletionFacts, RecordEncoder, renameFacts } from '../../src/store/calls/record-encoder.ts'
import { CallWriter } from '../../src/store/calls/writer.ts'
import { useServer } from '../harness.ts'

/**
 * Property test: readers see the fold of the distinct records of a call, in whatever order, number and batches the
 * records arrive, at either of two nodes. 20 groups of 50 scenarios: 1,000 runs.
 */
const server = useServer()

const BASE = 1_790_000_000_000_000n
const SECOND = 1_000_000n

interface Record {
  readonly call: number
  readonly kind: 'start' | 'end' | 'complete' | 'update' | 'delete'
  /** Distinguishes records of a kind; higher numbers have later times. */
  readonly n: number
}

interface Scenario {
  /** Rounds in the order they are sent. Each batch goes to one node; the batches of a round are concurrent. */
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

function callId(style: Scenario['idStyle'], call: number): string {
  return style === 'plain' ? `call ${call}` : `0190aaaa-0000-7000-8000-${call.toString().padStart(12, '0')}`
}

/** A complete record may have another start time than the start record; all start records of a call are equal. */
const startedAt = (r: Record): bigint =>
  BASE + BigInt(r.call) * SECOND + (r.kind === 'complete' ? BigInt(r.n) * 7n : 0n)
const endedAt = (r: Record): bigint =>
  BASE + 100n * SECOND + BigInt(r.n * 2 + (r.kind === 'complete' ? 1 : 0))
const recordInputs = (r: Record): string =>
  `{"call":${r.call},"by":"${r.kind === 'complete' ? `c${r.n}` : 'start'}"}`
const recordOutput = (r: Record): string => `"${r.kind} ${r.n}"`
const displayName = (r: Record): string => (r.n === 0 ? '' : `name ${r.n}`)

function encodeFacts(project_id: string, style: Scenario['idStyle'], r: Record): CallFacts {
  const encoder = new RecordEncoder({ wb_user_id: 'u', now: BASE, newId: () => 'never' })
  const id = callId(style, r.call)
  const start = {
    project_id,
    id,
    op_name: 'op',
    trace_id: 't',
    display_name: 'given',
    started_at: formatTime(startedAt(r)),
    inputs: RawJson.fromText(recordInputs(r)),
  }
  const end = { ended_at: formatTime(endedAt(r)), output: RawJson.fromText(recordOutput(r)) }
  switch (r.kind) {
    case 'start':
      return encoder.start(start).facts
    case 'end':
      return encoder.end({ project_id, id, ...end })
    case 'complete':
      return encoder.complete({ ...start, ...end })
    case 'update':
      return renameFacts(project_id, id, displayName(r), BASE + BigInt(r.n))
    case 'delete':
      return deletionFacts(project_id, id, BASE + BigInt(r.n))
  }
}

/** What readers must see: implemented from the rules, not from the code. */
function fold(style: Scenario['idStyle'], records: readonly Record[]): Map<string, object> {
  const seen = new Map<string, object>()
  for (const call of new Set(records.map((r) => r.call))) {
    const own = records.filter((r) => r.call === call)
    const latest = (...kinds: Record['kind'][]) =>
      own.filter((r) => kinds.includes(r.kind)).toSorted((a, b) => Number(endedAt(b) - endedAt(a)))[0]
    const start = latest('complete') ?? latest('start')
    const end = latest('end', 'complete')
    const update = own.filter((r) => r.kind === 'update').toSorted((a, b) => b.n - a.n)[0]
    if (start === undefined || own.some((r) => r.kind === 'delete')) continue
    seen.set(callId(style, call), {
      started_at: formatTime(startedAt(start)),
      inputs: recordInputs(start),
      ended_at: end === undefined ? null : formatTime(endedAt(end)),
      output: end === undefined ? '' : recordOutput(end),
      display_name: update === undefined ? 'given' : displayName(update),
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
        await writers[node]?.write(records.map((r) => encodeFacts(project_id, idStyle, r)))
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
    expect(seen.has(row.id), `${row.id} is listed twice`).toBe(false)
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

/** Prints only the failing scenario: a group of fifty would fill several screens. */
async function report(details: fc.RunDetails<[Scenario[]]>): Promise<void> {
  if (details.failed) throw new Error(`seed ${details.seed}`, { cause: details.errorInstance })
}

test(
  'records of a call in any order, number and batching read back as their fold',
  { timeout: 600_000 },
  async () => {
    const { db } = server.heddle.deps
    const writers = [new CallWriter(db), new CallWriter(db)]
    await fc.assert(
      fc.asyncProperty(fc.array(scenario, { minLength: 50, maxLength: 50 }), async (scenarios) => {
        await Promise.all(scenarios.map((each) => run(writers, each)))
      }),
      {
        numRuns: Math.max(20, Number(process.env['HEDDLE_PROPERTY_RUNS'] ?? 0) / 50),
        endOnFailure: true,
        asyncReporter: report,
      },
    )
  },
)
