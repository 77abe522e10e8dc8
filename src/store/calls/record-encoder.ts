import { createHash } from 'node:crypto'
import type { CallComplete, CallEnd, CallStart } from '../../contract/calls/calls.ts'
import { unprocessable } from '../../contract/api-error.ts'
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
} from '../../core/calls/call-facts.ts'
import { timeOfId } from '../../core/time/ids.ts'
import { clampTime, type Micros, parseTime } from '../../core/time/time.ts'
import { RowWriter } from '../database/row-binary.ts'
import { encodeName, endTimeIn, NO_END, startTimeIn, writeEnd, writeStart } from './columns.ts'
import { writeRestOfRow } from './rows.ts'

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

/** A batch of 100 calls of 3.4 KB fits. */
const ROWS_BYTES = 512 * 1024

/** Rows that were written one after the other. As long as there come more, they may move. */
class Rows {
  readonly writer: RowWriter

  constructor(capacityBytes: number) {
    this.writer = new RowWriter(capacityBytes)
  }

  get bytes(): Buffer {
    return this.writer.since(0)
  }
}

/**
 * A call whose facts stand in its row, and are cut out of it only if someone asks. Nearly nobody does, and what lives
 * until its insert is acknowledged is what the collector has to move.
 */
class CompleteCall implements CallFacts {
  readonly project_id: string
  readonly id: string
  readonly name: Fact | undefined
  readonly isComplete = true
  readonly #rows: Rows
  readonly #from: number
  readonly #start: number
  readonly #middle: number
  readonly #end: number
  readonly #to: number

  constructor(
    project_id: string,
    id: string,
    name: Fact | undefined,
    rows: Rows,
    [from, start, middle, end, to]: readonly [number, number, number, number, number],
  ) {
    this.project_id = project_id
    this.id = id
    this.name = name
    this.#rows = rows
    this.#from = from
    this.#start = start
    this.#middle = middle
    this.#end = end
    this.#to = to
  }

  get row(): Buffer {
    return this.#rows.bytes.subarray(this.#from, this.#to)
  }

  get rowBytes(): number {
    return this.#to - this.#from
  }

  get start(): StartFact {
    return { version: this.#version(), body: this.#startBody(), started_at: startTimeIn(this.#startBody()) }
  }

  get end(): EndFact {
    return { version: this.#version(), body: this.#endBody(), ended_at: endTimeIn(this.#endBody()) }
  }

  #version(): bigint {
    const endBody = this.#endBody()
    return completeVersion(endTimeIn(endBody), this.#startBody(), endBody)
  }

  #startBody(): Buffer {
    return this.#rows.bytes.subarray(this.#start, this.#middle)
  }

  #endBody(): Buffer {
    return this.#rows.bytes.subarray(this.#middle, this.#end)
  }
}

/** Nothing waits between the beginning of a record and its end. */
const shared = new RowWriter(256 * 1024)

/** Bodies of many calls share a few large buffers: one allocation a call costs more than the copy. */
export class RecordEncoder {
  readonly #receipt: Receipt
  readonly #capacityBytes: number | undefined
  /** For starts and ends; what came whole has its own. */
  #parts: RowWriter | undefined
  #rows: Rows | undefined

  /** `capacityBytes` of its own for a batch; single records share. */
  constructor(receipt: Receipt, capacityBytes?: number) {
    this.#receipt = receipt
    this.#capacityBytes = capacityBytes
  }

  get #writer(): RowWriter {
    if (this.#parts === undefined) {
      this.#parts = this.#capacityBytes === undefined ? shared : new RowWriter(this.#capacityBytes)
      // Whatever a record left that was refused half-way.
      this.#parts.take()
    }
    return this.#parts
  }

  start(record: CallStart): StartedCall {
    const id = textOr(record.id, this.#receipt.newId)
    const trace_id = textOr(record.trace_id, () => traceIdFor(record.project_id, id))
    const given = readTime(record.started_at, ['start', 'started_at'])
    const started_at = given ?? timeOfId(id) ?? this.#receipt.now
    const isMade = given === undefined && timeOfId(id) === undefined
    const from = beginRow(this.#writer, record.project_id, id)
    this.#writeStart(this.#writer, record, trace_id, started_at)
    const to = this.#writer.length
    const body = this.#writer.since(from)
    const version = isMade ? madeStartVersion(started_at) : startVersion(body)
    const start: StartFact = { version, body, started_at }
    const facts = { project_id: record.project_id, id, start, name: nameAtStart(record) }
    const row = this.#endRow(facts)
    return { trace_id, facts: { ...facts, start: { ...start, body: row.subarray(from, to) }, row } }
  }

  end(record: CallEnd): CallFacts & { readonly end: EndFact } {
    const ended_at = readTime(record.ended_at, ['end', 'ended_at']) ?? this.#receipt.now
    this.#writeEnd(this.#writer, record, ended_at)
    const body = this.#writer.take()
    const end: EndFact = { version: endVersion(ended_at, body), body, ended_at }
    return { project_id: record.project_id, id: record.id, end }
  }

  complete(record: CallComplete): CallFacts {
    const { project_id, id } = record
    const trace_id = textOr(record.trace_id, () => traceIdFor(project_id, id))
    const given = readTime(record.started_at, ['started_at'])
    const started_at = given ?? timeOfId(id) ?? this.#receipt.now
    const ended_at = readTime(record.ended_at, ['ended_at']) ?? this.#receipt.now
    const rows = this.#nextRows()
    const { writer } = rows
    const from = writer.length
    const start = beginRow(writer, project_id, id)
    this.#writeStart(writer, record, trace_id, started_at)
    const middle = writer.length
    this.#writeEnd(writer, record, ended_at)
    const end = writer.length
    const written = writer.since(start)
    const startBody = written.subarray(0, middle - start)
    const endBody = written.subarray(middle - start)
    const version = completeVersion(ended_at, startBody, endBody)
    const name = nameAtStart(record)
    const startFact: StartFact = { version, body: startBody, started_at }
    const endFact: EndFact = { version, body: endBody, ended_at }
    writeRestOfRow(writer, { project_id, id, start: startFact, end: endFact, name }, startFact, 0n)
    return new CompleteCall(project_id, id, name, rows, [from, start, middle, end, writer.length])
  }

  /** Where the next row goes. Not all of a batch into one: growing it would copy what is done. */
  #nextRows(): Rows {
    if (this.#rows === undefined || this.#rows.writer.length > ROWS_BYTES)
      this.#rows = new Rows(this.#capacityBytes ?? 0)
    return this.#rows
  }

  #endRow(facts: CallFacts & { readonly start: StartFact }): Buffer {
    if (facts.end === undefined) this.#writer.raw(NO_END)
    writeRestOfRow(this.#writer, facts, facts.start, 0n)
    return this.#writer.take()
  }

  #writeStart(writer: RowWriter, record: CallStart, trace_id: string, started_at: Micros): void {
    writeStart(writer, {
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

  #writeEnd(writer: RowWriter, record: CallEnd | CallComplete, ended_at: Micros): void {
    writeEnd(writer, {
      ended_at,
      exception: record.exception ?? null,
      output: record.output ?? NULL,
      summary: record.summary ?? EMPTY_OBJECT,
      wb_run_step_end: record.wb_run_step_end ?? null,
    })
  }
}

/** A row is written whole, so that most are never copied again; returns where the columns of its start begin. */
function beginRow(writer: RowWriter, project_id: string, id: string): number {
  return writer.string(project_id).string(id).length
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
