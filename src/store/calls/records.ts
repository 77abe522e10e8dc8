import { createHash } from 'node:crypto'
import type { CallComplete, CallEnd, CallStart } from '../../contract/calls.ts'
import { unprocessable } from '../../contract/problem.ts'
import { RawJson } from '../../contract/raw-json.ts'
import {
  type CallFacts,
  completeVersion,
  type EndFact,
  endVersion,
  type Fact,
  madeStartVersion,
  nameVersion,
  type StartFact,
  startVersion,
} from '../../core/call-facts.ts'
import { timeOfId } from '../../core/ids.ts'
import { clampTime, type Micros, parseTime } from '../../core/time.ts'
import { RowWriter } from '../row-binary.ts'
import { encodeEnd, encodeName, encodeStart } from './columns.ts'

/** Records of the wire into facts, ready to be written. */

/** What the server adds to a record. */
export interface Receipt {
  readonly wb_user_id: string
  readonly now: Micros
  readonly newId: () => string
}

const EMPTY_OBJECT = RawJson.fromBytes(Buffer.from('{}'), true)
const NULL = RawJson.fromBytes(Buffer.from('null'), true)
const NOTHING = Buffer.alloc(0)

export interface StartedCall {
  readonly facts: CallFacts & { readonly start: StartFact }
  readonly trace_id: string
}

/** Bodies of many calls share a few large buffers: one allocation a call costs more than the copy. */
export class RecordReader {
  readonly #receipt: Receipt
  readonly #writer: RowWriter

  constructor(receipt: Receipt, capacityBytes = 16_384) {
    this.#receipt = receipt
    this.#writer = new RowWriter(capacityBytes)
  }

  start(record: CallStart): StartedCall {
    const id = textOr(record.id, this.#receipt.newId)
    const trace_id = textOr(record.trace_id, () => traceIdFor(record.project_id, id))
    const given = readTime(record.started_at, ['start', 'started_at'])
    const started_at = given ?? timeOfId(id) ?? this.#receipt.now
    const isMade = given === undefined && timeOfId(id) === undefined
    const body = this.#startBody(record, trace_id, started_at)
    const version = isMade ? madeStartVersion(started_at) : startVersion(body)
    const start: StartFact = { version, body, started_at }
    return { trace_id, facts: { project_id: record.project_id, id, start, name: nameAtStart(record) } }
  }

  end(record: CallEnd): CallFacts & { readonly end: EndFact } {
    const ended_at = readTime(record.ended_at, ['end', 'ended_at']) ?? this.#receipt.now
    const body = this.#endBody(record, ended_at)
    const end: EndFact = { version: endVersion(ended_at, body), body, ended_at }
    return { project_id: record.project_id, id: record.id, end }
  }

  complete(record: CallComplete): CallFacts {
    const trace_id = textOr(record.trace_id, () => traceIdFor(record.project_id, record.id))
    const given = readTime(record.started_at, ['started_at'])
    const started_at = given ?? timeOfId(record.id) ?? this.#receipt.now
    const ended_at = readTime(record.ended_at, ['ended_at']) ?? this.#receipt.now
    const startBody = this.#startBody(record, trace_id, started_at)
    const endBody = this.#endBody(record, ended_at)
    const version = completeVersion(ended_at, startBody, endBody)
    return {
      project_id: record.project_id,
      id: record.id,
      start: { version, body: startBody, started_at },
      end: { version, body: endBody, ended_at },
      name: nameAtStart(record),
    }
  }

  #startBody(record: CallStart, trace_id: string, started_at: Micros): Buffer {
    return encodeStart(this.#writer, {
      started_at,
      trace_id,
      parent_id: record.parent_id ?? '',
      thread_id: record.thread_id ?? '',
      turn_id: record.turn_id ?? '',
      op_name: record.op_name,
      // Never the body's: who wrote a call is what the credentials say.
      wb_user_id: this.#receipt.wb_user_id,
      wb_run_id: record.wb_run_id ?? '',
      wb_run_step: record.wb_run_step ?? null,
      attributes: record.attributes ?? EMPTY_OBJECT,
      inputs: record.inputs ?? EMPTY_OBJECT,
      otel_dump: bytesUnlessNull(record.otel_dump) ?? NOTHING,
    })
  }

  #endBody(record: CallEnd | CallComplete, ended_at: Micros): Buffer {
    return encodeEnd(this.#writer, {
      ended_at,
      exception: record.exception ?? null,
      output: record.output ?? NULL,
      summary: record.summary ?? EMPTY_OBJECT,
      wb_run_step_end: record.wb_run_step_end ?? null,
    })
  }
}

/** A rename, at the time the server took it; an empty name removes the one there is. */
export function renamed(project_id: string, id: string, display_name: string, at: Micros): CallFacts {
  const body = encodeName(display_name)
  return { project_id, id, name: { version: nameVersion(at, body), body } }
}

export function deleted(project_id: string, id: string, at: Micros): CallFacts {
  return { project_id, id, deletion: { version: at < 0n ? 0n : at, body: NOTHING } }
}

function nameAtStart(record: CallStart): Fact | undefined {
  if (record.display_name === undefined || record.display_name === null || record.display_name === '') {
    return undefined
  }
  const body = encodeName(record.display_name)
  return { version: nameVersion(0n, body), body }
}

function textOr(text: string | null | undefined, make: () => string): string {
  return text === undefined || text === null || text === '' ? make() : text
}

function bytesUnlessNull(raw: RawJson | null | undefined): Buffer | undefined {
  return raw === undefined || raw === null || raw.isNull ? undefined : raw.bytes
}

/** From the id alone, so that a start sent again without a trace id lands in the same trace. */
function traceIdFor(project_id: string, id: string): string {
  const time = timeOfId(id) === undefined ? '000000000000' : id.slice(0, 13).replace('-', '')
  const hash = createHash('sha256').update(`${project_id}\n${id}`).digest('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

/** Numbers are unix seconds, or milliseconds when they could not be seconds, as Python's readers take them. */
function readTime(value: string | number | null | undefined, loc: readonly string[]): Micros | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number') {
    const seconds = Math.abs(value) > 2e10 ? value / 1000 : value
    return clampTime(BigInt(Math.round(seconds * 1e6)))
  }
  const micros = parseTime(value)
  if (micros === undefined) throw unprocessable(['body', ...loc], 'must be an ISO 8601 date and time')
  return micros
}
