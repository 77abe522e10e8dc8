import fc from 'fast-check'
import { formatTime, type Micros } from '../../src/core/time/time.ts'
import { anyObject, anySummary, anyValue, WORDS } from './json-arbitraries.ts'
import { fieldAttributes, fieldException, fieldSummary } from './random-fields.ts'

/** Random calls, as the records that clients send. */

interface RandomEnd {
  /** Whether the end is part of a complete record, which also contains the start. */
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
  /** A call without a start time started at the time inside its id. */
  readonly isTimed: boolean
  readonly attributes: string
  readonly inputs: string
  /** Empty for a running call; the last one stored wins. At most one is part of a complete record. */
  readonly ends: readonly RandomEnd[]
  /** Renames in their order. '' removes the name. */
  readonly names: readonly string[]
  readonly notes: readonly string[]
  readonly isDeleted: boolean
  /** Its records arrive after those of all other calls, including renames and deletions. */
  readonly isLate: boolean
  /** How many times each record is sent. */
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
  exception: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    text,
    fc.constant('Error: É'),
    fieldException,
  ),
  output: anyValue,
  summary: fc.oneof(anySummary, fieldSummary),
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
  attributes: fc.oneof(anyObject, fieldAttributes),
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
  .map((randomCalls) => {
    const calls: RandomCall[] = []
    for (const [n, { idStyle, trace, parent, ...rest }] of randomCalls.entries()) {
      const trace_id = `t${trace}`
      const isTimed = rest.isTimed || idStyle === 'plain'
      const idTime = idStyle === 'mistimed' ? rest.started_at / 2n : rest.started_at
      const traceCalls = calls.filter((call) => call.trace_id === trace_id && !call.isLate)
      calls.push({
        ...rest,
        id: idStyle === 'plain' ? `call ${n}` : timedId(idTime, n),
        trace_id,
        // A late call has no parent in the set: a deletion deletes only the descendants that are known.
        parent_id:
          rest.isLate || parent % 3 === 0 ? outsideParent(parent) : (traceCalls[parent % 9]?.id ?? ''),
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

function outsideParent(n: number): string {
  return n % 2 === 0 ? '' : n % 5 === 0 ? '5' : 'p1'
}

/** A UUIDv7 with the given time. */
function timedId(at: Micros, n: number): string {
  const hex = (at / 1000n).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${n.toString().padStart(12, '0')}`
}

/** A record for the batch of one of the two endpoints. */
export interface SentRecord {
  readonly to: 'upsert' | 'complete'
  readonly text: string
  readonly id: string
  /** What the record states: the inputs of a start, an end, or both. */
  readonly inputs?: string
  readonly end?: RandomEnd
}

export function callRecords(project_id: string, call: RandomCall): SentRecord[] {
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
    if (end.isComplete) {
      return { to: 'complete', text: `{${start(call.inputs)},${text}}`, id, inputs: call.inputs, end }
    }
    const endText = `{"mode":"end","req":{"end":{${members({ project_id, id }, {})},${text}}}}`
    return { to: 'upsert', text: endText, id, end }
  })
  // Beside a complete record there may be a start record with other inputs.
  const hasComplete = call.ends.some((end) => end.isComplete)
  if (!hasComplete || call.copies % 2 === 0) {
    const inputs = hasComplete ? '{"of": "the start"}' : call.inputs
    records.push({ to: 'upsert', text: `{"mode":"start","req":{"start":{${start(inputs)}}}}`, id, inputs })
  }
  return records
}

/** Members of an object without its braces; payloads are inserted as the given texts. */
function members(plain: object, payloads: Readonly<Record<string, string>>): string {
  const rest = Object.entries(payloads).map(([key, json]) => `,"${key}":${json}`)
  return JSON.stringify(plain).slice(1, -1) + rest.join('')
}
