import fc from 'fast-check'
import { formatTime, type Micros } from '../../src/core/time/time.ts'
import { anyObject, anySummary, anyValue, WORDS } from './json-arbitraries.ts'

/** Random calls, as the records that clients send of them. */

interface RandomEnd {
  /** Of a complete record, which says how the call started too. */
  readonly isComplete: boolean
  readonly ended_at: Micros
  readonly exception: string | null
  readonly output: string
  readonly summary: string
  readonly wb_run_step_end: number | null
}

export interface RandomCall {
  readonly id: string
  readonly trace_id: string
  readonly parent_id: string
  readonly thread_id: string
  readonly turn_id: string
  readonly op_name: string
  readonly display_name: string
  readonly wb_run_id: string
  readonly wb_run_step: number | null
  readonly started_at: Micros
  /** Without a time of its own a call began at the one inside its id. */
  readonly isTimed: boolean
  readonly attributes: string
  readonly inputs: string
  /** None for a call that still runs; of several the latest stands. At most one came in a complete record. */
  readonly ends: readonly RandomEnd[]
  /** New names, in the order they are given. '' takes the name away. */
  readonly names: readonly string[]
  readonly notes: readonly string[]
  readonly isDeleted: boolean
  /** Its records arrive after everybody else's, renames and deletions included. */
  readonly isLate: boolean
  /** How many times each of its records is sent. */
  readonly copies: number
}

const SECOND = 1_000_000n
const NOW = 1_700_000_000n * SECOND
const clock = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: NOW - SECOND, max: NOW + SECOND }) },
  { weight: 3, arbitrary: fc.constantFrom(NOW, NOW - 80_000n * SECOND) },
  { weight: 1, arbitrary: fc.constantFrom(0n, SECOND * 4_000_000_000n, NOW - 400n * 86_400n * SECOND) },
)

const text = fc.constantFrom(...WORDS.filter((word) => word.isWellFormed()))
const step = fc.constantFrom(null, 0, 1, 5, 300)

const someEnd: fc.Arbitrary<RandomEnd> = fc.record({
  isComplete: fc.boolean(),
  ended_at: clock,
  exception: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, text, fc.constant('Error: É')),
  output: anyValue,
  summary: anySummary,
  wb_run_step_end: step,
})

const OPS = [
  'predict',
  'weave:///a/b/op/predict:v1',
  'weave:///a/b/op/predict:v2',
  'Évaluer',
  'weave:///a/b/op/Évaluer:x',
]

const someCall = fc.record({
  idStyle: fc.constantFrom('plain', 'timed', 'timed', 'mistimed'),
  trace: fc.nat(5),
  parent: fc.nat(80),
  thread_id: fc.constantFrom('', 'th1', 'th2'),
  turn_id: fc.constantFrom('', 'u1'),
  op_name: fc.constantFrom(...OPS),
  display_name: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, text),
  wb_run_id: fc.constantFrom('', 'run1', 'acme/other/run1', 'acme/runs/run2', '5'),
  wb_run_step: step,
  started_at: clock,
  isTimed: fc.nat(4).map((n) => n > 0),
  attributes: anyObject,
  inputs: anyObject,
  ends: fc.uniqueArray(someEnd, { maxLength: 3, selector: (end) => end.ended_at }),
  names: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(text, { maxLength: 2 })),
  notes: fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    fc.array(
      text.filter((word) => word !== ''),
      { minLength: 1, maxLength: 2 },
    ),
  ),
  isDeleted: fc.nat(11).map((n) => n === 0),
  isLate: fc.nat(9).map((n) => n === 0),
  copies: fc.integer({ min: 1, max: 5 }),
})

const CALLS = 60

export const anyCalls: fc.Arbitrary<RandomCall[]> = fc
  .array(someCall, { minLength: CALLS, maxLength: CALLS })
  .map((drawn) => {
    const calls: RandomCall[] = []
    for (const [n, { idStyle, trace, parent, ...rest }] of drawn.entries()) {
      const trace_id = `t${trace}`
      const isTimed = rest.isTimed || idStyle === 'plain'
      const idTime = idStyle === 'mistimed' ? rest.started_at / 2n : rest.started_at
      const family = calls.filter((call) => call.trace_id === trace_id && !call.isLate)
      calls.push({
        ...rest,
        id: idStyle === 'plain' ? `call ${n}` : timedId(idTime, n),
        trace_id,
        // What arrives late has no family: a deletion takes along the descendants that are known.
        parent_id: rest.isLate || parent % 3 === 0 ? parentLess(parent) : (family[parent % 9]?.id ?? ''),
        isTimed,
        started_at: isTimed ? rest.started_at : (idTime / 1000n) * 1000n,
        ends: rest.ends.map((end, i) => ({
          ...end,
          isComplete: end.isComplete && !rest.ends.slice(0, i).some((other) => other.isComplete),
        })),
      })
    }
    return calls
  })

function parentLess(n: number): string {
  return n % 2 === 0 ? '' : n % 5 === 0 ? '5' : 'p1'
}

/** A UUIDv7 that was made at a time. */
function timedId(at: Micros, n: number): string {
  const hex = (at / 1000n).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${n.toString().padStart(12, '0')}`
}

/** A record as the batch of one of the two endpoints takes it. */
export interface SentRecord {
  readonly to: 'upsert' | 'complete'
  readonly text: string
}

export function recordsOf(project_id: string, call: RandomCall): SentRecord[] {
  const { id, trace_id, parent_id, thread_id, turn_id, op_name, display_name, wb_run_id, wb_run_step } = call
  const start = (inputs: string): string =>
    members(
      {
        project_id,
        id,
        trace_id,
        parent_id: parent_id === '' ? null : parent_id,
        thread_id: thread_id === '' ? null : thread_id,
        turn_id: turn_id === '' ? null : turn_id,
        op_name,
        display_name: display_name === '' ? null : display_name,
        wb_run_id: wb_run_id === '' ? null : wb_run_id,
        wb_run_step,
        started_at: call.isTimed ? formatTime(call.started_at) : null,
      },
      { inputs, attributes: call.attributes },
    )
  const records: SentRecord[] = call.ends.map((end) => {
    const { exception, output, summary, wb_run_step_end } = end
    const text = members(
      { exception, wb_run_step_end, ended_at: formatTime(end.ended_at) },
      { output, summary },
    )
    if (end.isComplete) return { to: 'complete', text: `{${start(call.inputs)},${text}}` }
    return { to: 'upsert', text: `{"mode":"end","req":{"end":{${members({ project_id, id }, {})},${text}}}}` }
  })
  // Where a complete record says how it began, a start record may have said so before it, but less of it.
  const isWhole = call.ends.some((end) => end.isComplete)
  if (!isWhole || call.copies % 2 === 0) {
    const inputs = isWhole ? '{"of": "the start"}' : call.inputs
    records.push({ to: 'upsert', text: `{"mode":"start","req":{"start":{${start(inputs)}}}}` })
  }
  return records
}

/** Members of an object without its braces; payloads are the very texts that are given. */
function members(plain: object, payloads: Readonly<Record<string, string>>): string {
  const rest = Object.entries(payloads).map(([key, json]) => `,"${key}":${json}`)
  return JSON.stringify(plain).slice(1, -1) + rest.join('')
}
