import { createHash } from 'node:crypto'
import type { CallComplete, CallEnd, CallStart } from '../../contract/calls/calls.ts'
import { unprocessable } from '../../contract/api-error.ts'
import { TIME_ERROR } from '../../contract/fields.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { type CallContent, encodeContent } from '../../core/calls/call-contents.ts'
import type { CallFacts, EndFact, StartFact } from '../../core/calls/call-facts.ts'
import { factVersion, LOWEST_STAMP, recordContent } from '../../core/calls/fact-versions.ts'
import type { RecordClock } from '../../core/calls/record-clock.ts'
import { uuidv7Time } from '../../core/time/ids.ts'
import { clampTime, type Micros, parseStorableTime, unixToStorableTime } from '../../core/time/time.ts'
import { RowWriter } from '../database/row-binary.ts'
import {
  encodeName,
  END_TIME_BYTES,
  NO_END,
  START_TIME_BYTES,
  writeEnd,
  writeKey,
  writeStart,
} from './call-columns.ts'
import { writeRowTail } from './call-rows.ts'
import { CompleteCall, RowBuffer } from './complete-call.ts'

/** Encodes the records of a request into facts and rows in RowBinary. */

/** What the server adds to a record. */
export interface RecordContext {
  readonly wb_user_id: string
  readonly now: Micros
  readonly newId: () => string
  /** Orders the records by the time of their arrival. */
  readonly clock: RecordClock
}

/** A time of a request, or one that the server has read already. */
type Time = string | number | Micros | null | undefined

export type StartRecord = Omit<CallStart, 'started_at'> & { readonly started_at?: Time }
export type EndRecord = Omit<CallEnd, 'ended_at'> & { readonly ended_at?: Time }
export type CompleteRecord = Omit<CallComplete, 'started_at' | 'ended_at'> & {
  readonly started_at?: Time
  readonly ended_at?: Time
}

const EMPTY_OBJECT = RawJson.fromBytes(Buffer.from('{}'), true)
const NULL = RawJson.fromBytes(Buffer.from('null'), true)
const NO_BYTES = Buffer.alloc(0)

export interface StartedCall {
  readonly facts: CallFacts & { readonly start: StartFact }
  readonly trace_id: string
}

/** Fits a batch of 100 calls of 3.4 KB. */
const ROW_BUFFER_BYTES = 512 * 1024

/** Shared by all requests: a record is encoded synchronously, from its first byte to its last. */
const sharedWriter = new RowWriter(256 * 1024)

/** Encodes records. Many calls share a few large buffers, because one allocation per call costs more than the copy. */
export class RecordEncoder {
  readonly #context: RecordContext
  readonly #capacityBytes: number | undefined
  /** For start and end records; complete records use `#rows`. */
  #factWriter: RowWriter | undefined
  #rows: RowBuffer | undefined

  /** With `capacityBytes` the encoder has its own buffer, for a batch; single records use the shared one. */
  constructor(context: RecordContext, capacityBytes?: number) {
    this.#context = context
    this.#capacityBytes = capacityBytes
  }

  get #writer(): RowWriter {
    if (this.#factWriter === undefined) {
      this.#factWriter = this.#capacityBytes === undefined ? sharedWriter : new RowWriter(this.#capacityBytes)
      // Drops what a rejected record left behind.
      this.#factWriter.take()
    }
    return this.#factWriter
  }

  /** A provisional start loses to every other start of its call, whatever the order in which they arrive. */
  start(record: StartRecord, { isProvisional = false } = {}): StartedCall {
    const id = textOr(record.id, this.#context.newId)
    const trace_id = textOr(record.trace_id, () => traceIdFor(record.project_id, id))
    const given = readTime(record.started_at, ['start', 'started_at'])
    const started_at = given ?? uuidv7Time(id) ?? this.#context.now
    const isGenerated = given === undefined && uuidv7Time(id) === undefined
    const from = startRow(this.#writer, record.project_id, id)
    this.#writeStart(this.#writer, record, trace_id, started_at)
    const to = this.#writer.length
    const body = this.#writer.since(from)
    const name = nameAtStart(record)
    const content = recordContent(body, name, isGenerated ? START_TIME_BYTES : undefined)
    const version = factVersion(isProvisional ? LOWEST_STAMP : this.#context.clock.next(), content)
    const start: StartFact = { version, body, started_at, name }
    const facts = { project_id: record.project_id, id, start }
    const row = this.#finishRow(facts)
    return { trace_id, facts: { ...facts, start: { ...start, body: row.subarray(from, to) }, row } }
  }

  end(record: EndRecord): CallFacts & { readonly end: EndFact } {
    const given = readTime(record.ended_at, ['end', 'ended_at'])
    const ended_at = given ?? this.#context.now
    this.#writeEnd(this.#writer, record, ended_at)
    const body = this.#writer.take()
    const content = recordContent(body, undefined, given === undefined ? END_TIME_BYTES : undefined)
    const end: EndFact = { version: factVersion(this.#context.clock.next(), content), body, ended_at }
    return { project_id: record.project_id, id: record.id, end }
  }

  complete(record: CompleteRecord): CallFacts {
    const { project_id, id } = record
    const trace_id = textOr(record.trace_id, () => traceIdFor(project_id, id))
    const givenStart = readTime(record.started_at, ['started_at']) ?? uuidv7Time(id)
    const givenEnd = readTime(record.ended_at, ['ended_at'])
    const started_at = givenStart ?? this.#context.now
    const ended_at = givenEnd ?? this.#context.now
    const rows = this.#nextRows()
    const { writer } = rows
    const from = writer.length
    const start = startRow(writer, project_id, id)
    this.#writeStart(writer, record, trace_id, started_at)
    const middle = writer.length
    this.#writeEnd(writer, record, ended_at)
    const end = writer.length
    const written = writer.since(start)
    const startBody = written.subarray(0, middle - start)
    const endBody = written.subarray(middle - start)
    const name = nameAtStart(record)
    const stamp = this.#context.clock.next()
    const startContent = recordContent(
      startBody,
      name,
      givenStart === undefined ? START_TIME_BYTES : undefined,
    )
    const endContent = recordContent(endBody, undefined, givenEnd === undefined ? END_TIME_BYTES : undefined)
    const startFact: StartFact = {
      version: factVersion(stamp, startContent),
      body: startBody,
      started_at,
      name,
    }
    const endFact: EndFact = { version: factVersion(stamp, endContent), body: endBody, ended_at }
    // Not a row: the fast path cannot tell a resend, which generates another time.
    if (givenEnd === undefined) return copyFacts({ project_id, id, start: startFact, end: endFact })
    writeRowTail(writer, { project_id, id, start: startFact, end: endFact }, startFact, 0n)
    return new CompleteCall(project_id, id, name, rows, [from, start, middle, end, writer.length])
  }

  /** The buffer for the next row. A large batch uses several buffers, because growing one copies its content. */
  #nextRows(): RowBuffer {
    if (this.#rows === undefined || this.#rows.writer.length > ROW_BUFFER_BYTES)
      this.#rows = new RowBuffer(this.#capacityBytes ?? 0)
    return this.#rows
  }

  #finishRow(facts: CallFacts & { readonly start: StartFact }): Buffer {
    if (facts.end === undefined) this.#writer.raw(NO_END)
    writeRowTail(this.#writer, facts, facts.start, 0n)
    return this.#writer.take()
  }

  #writeStart(writer: RowWriter, record: StartRecord, trace_id: string, started_at: Micros): void {
    writeStart(writer, {
      started_at,
      trace_id,
      parent_id: record.parent_id ?? '',
      thread_id: record.thread_id ?? '',
      turn_id: record.turn_id ?? '',
      op_name: record.op_name,
      // From the credentials, never from the body.
      wb_user_id: this.#context.wb_user_id,
      wb_run_id: record.wb_run_id ?? '',
      wb_run_step: record.wb_run_step ?? null,
      attributes: record.attributes ?? EMPTY_OBJECT,
      inputs: record.inputs ?? EMPTY_OBJECT,
      otel_dump: bytesUnlessNull(record.otel_dump) ?? NO_BYTES,
    })
  }

  #writeEnd(writer: RowWriter, record: EndRecord | CompleteRecord, ended_at: Micros): void {
    writeEnd(writer, {
      ended_at,
      exception: record.exception ?? null,
      output: record.output ?? NULL,
      summary: record.summary ?? EMPTY_OBJECT,
      wb_run_step_end: record.wb_run_step_end ?? null,
    })
  }
}

/** Starts a row; returns the offset of the columns of its start. Rows are encoded in place, so that most are never copied. */
function startRow(writer: RowWriter, project_id: string, id: string): number {
  writeKey(writer, { project_id, id })
  return writer.length
}

/** The facts with their own memory; the writer may move the bytes of bodies. */
function copyFacts({
  start,
  end,
  ...key
}: CallFacts & { readonly start: StartFact; readonly end: EndFact }): CallFacts {
  return {
    ...key,
    start: { ...start, body: Buffer.from(start.body) },
    end: { ...end, body: Buffer.from(end.body) },
  }
}

/** A rename; an empty name removes the display name. */
export function renameFacts(
  project_id: string,
  id: string,
  display_name: string,
  clock: RecordClock,
): CallFacts {
  const body = encodeName(display_name)
  const content = recordContent(body, undefined, undefined)
  return { project_id, id, rename: { version: factVersion(clock.next(), content), body } }
}

export function deletionFacts(project_id: string, id: string, clock: RecordClock): CallFacts {
  return { project_id, id, deletion: { version: factVersion(clock.next(), 0), body: NO_BYTES } }
}

/** Inputs or outputs that arrive apart from the records of their call. */
export function contentFacts(
  project_id: string,
  id: string,
  content: CallContent,
  clock: RecordClock,
): CallFacts {
  const body = encodeContent(content)
  const version = factVersion(clock.next(), recordContent(body, undefined, undefined))
  return { project_id, id, contents: [{ version, body }] }
}

function nameAtStart(record: StartRecord): Buffer | undefined {
  if (record.display_name === undefined || record.display_name === null || record.display_name === '') {
    return undefined
  }
  return encodeName(record.display_name)
}

function textOr(text: string | null | undefined, make: () => string): string {
  return text === undefined || text === null || text === '' ? make() : text
}

function bytesUnlessNull(raw: RawJson | null | undefined): Buffer | undefined {
  return raw === undefined || raw === null || raw.isNull ? undefined : raw.bytes
}

/** Derived from the id, so that a start that is resent without a trace id gets the same trace. */
function traceIdFor(project_id: string, id: string): string {
  const time = uuidv7Time(id) === undefined ? '000000000000' : id.slice(0, 13).replace('-', '')
  const hash = createHash('sha256').update(`${project_id}\n${id}`).digest('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

function readTime(value: Time, loc: readonly string[]): Micros | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'bigint') return clampTime(value)
  const micros = typeof value === 'number' ? unixToStorableTime(value) : parseStorableTime(value)
  if (micros === undefined) throw unprocessable(loc, TIME_ERROR)
  return micros
}
