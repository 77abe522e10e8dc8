import { createHash } from 'node:crypto'
import type { CallComplete, CallEnd, CallStart } from '../../../contract/calls/calls.ts'
import { unprocessable } from '../../../contract/api-error.ts'
import { TIME_ERROR } from '../../../contract/fields.ts'
import { RawJson } from '../../../contract/raw-json.ts'
import { type CallContent, encodeContent } from '../../../core/calls/call-contents.ts'
import type { CallFacts, EndFact, StartFact } from '../../../core/calls/call-facts.ts'
import { factVersion, LOWEST_STAMP, recordContent } from '../../../core/calls/fact-versions.ts'
import type { RecordClock } from '../../../core/calls/record-clock.ts'
import type { KeyRedactor } from '../../../core/json/key-redactor.ts'
import { uuidv7Time } from '../../../core/time/ids.ts'
import { clampTime, type Micros, parseStorableTime, unixToStorableTime } from '../../../core/time/time.ts'
import type { RowWriter } from '../../database/row-binary.ts'
import {
  encodeName,
  END_TIME_BYTES,
  NO_END,
  START_TIME_BYTES,
  userPosition,
  writeEnd,
  writeKey,
  writeStart,
} from '../columns/call-columns.ts'
import { writeRowTail } from './call-rows.ts'
import { CompleteCall } from './complete-call.ts'
import type { CallPayloads } from '../columns/call-payloads.ts'
import { type RowBlock, rowArena } from './row-arena.ts'
import type { WriteContext } from './write-context.ts'

/** Encodes the records of a request into facts and rows in RowBinary. */

/** What the server adds to a record. */
export interface RecordContext extends WriteContext {
  /** The caller. */
  readonly sent_by: string
  readonly now: Micros
  readonly newId: () => string
  /** Replaces values of payloads before they are encoded. */
  readonly redactor?: KeyRedactor | undefined
}

/** A time of a request, or one that the server has read already. */
type Time = string | number | Micros | null | undefined

export type StartRecord = Omit<CallStart, 'started_at'> & { readonly started_at?: Time }
export type EndRecord = Omit<CallEnd, 'ended_at'> & { readonly ended_at?: Time }
export type CompleteRecord = Omit<CallComplete, 'started_at' | 'ended_at'> & {
  readonly started_at?: Time
  readonly ended_at?: Time
}

type Payloads<Name extends string> = { readonly [name in Name]?: RawJson | null | undefined }

/** Payloads with values that may be redacted; the SDKs make the summary. */
const START_PAYLOADS = ['attributes', 'inputs', 'otel_dump'] as const
const END_PAYLOADS = ['output'] as const
const COMPLETE_PAYLOADS = [...START_PAYLOADS, ...END_PAYLOADS] as const

const EMPTY_OBJECT = RawJson.fromBytes(Buffer.from('{}'), true)
const NULL = RawJson.fromBytes(Buffer.from('null'), true)
const NO_BYTES = Buffer.alloc(0)

export interface StartedCall {
  readonly facts: CallFacts & { readonly start: StartFact }
  readonly trace_id: string
}

/** Encodes the records of a request. Their bytes stand in blocks that all requests share (row-arena.ts). */
export class RecordEncoder {
  readonly #context: RecordContext
  readonly #blocks = new Set<RowBlock>()

  constructor(context: RecordContext) {
    this.#context = context
  }

  /** Gives the memory of the encoded records back. Only after they were stored: nothing may read them afterwards. */
  release(): void {
    for (const block of this.#blocks) rowArena.release(block)
    this.#blocks.clear()
  }

  /** A provisional start loses to every other start of its call, whatever the order in which they arrive. */
  start(sent: StartRecord, { isProvisional = false } = {}): StartedCall {
    const record = this.#redacted(sent, START_PAYLOADS)
    const id = textOr(record.id, this.#context.newId)
    const trace_id = textOr(record.trace_id, () => traceIdFor(record.project_id, id))
    const given = readTime(record.started_at, ['start', 'started_at'])
    const started_at = given ?? uuidv7Time(id) ?? this.#context.now
    const isGenerated = given === undefined && uuidv7Time(id) === undefined
    const { writer } = this.#blockFor(startBytes(record))
    const from = writer.length
    writeKey(writer, { project_id: record.project_id, id })
    const bodyFrom = writer.length
    this.#writeStart(writer, record, trace_id, started_at)
    // Stays valid: writing more may move the block to new memory, but does not change the old.
    const body = writer.since(bodyFrom)
    const name = nameAtStart(record)
    const content = this.#startContent(record, body, name, isGenerated)
    const version = factVersion(isProvisional ? LOWEST_STAMP : this.#context.clock.next(), content)
    const { sent_by } = this.#context
    const start: StartFact = { version, body, started_at, name, sent_by }
    const facts = { project_id: record.project_id, id, start }
    writer.raw(NO_END)
    writeRowTail(writer, this.#context.columns, facts, start, 0n)
    return { trace_id, facts: { ...facts, row: writer.since(from) } }
  }

  end(sent: EndRecord): CallFacts & { readonly end: EndFact } {
    const record = this.#redacted(sent, END_PAYLOADS)
    const given = readTime(record.ended_at, ['end', 'ended_at'])
    const ended_at = given ?? this.#context.now
    const { writer } = this.#blockFor(endBytes(record))
    const from = writer.length
    this.#writeEnd(writer, record, ended_at)
    const body = writer.since(from)
    const content = recordContent(body, undefined, given === undefined ? END_TIME_BYTES : undefined)
    const end: EndFact = { version: factVersion(this.#context.clock.next(), content), body, ended_at }
    return { project_id: record.project_id, id: record.id, end }
  }

  complete(sent: CompleteRecord): CallFacts {
    const record = this.#redacted(sent, COMPLETE_PAYLOADS)
    const { project_id, id } = record
    const trace_id = textOr(record.trace_id, () => traceIdFor(project_id, id))
    const givenStart = readTime(record.started_at, ['started_at']) ?? uuidv7Time(id)
    const givenEnd = readTime(record.ended_at, ['ended_at'])
    const started_at = givenStart ?? this.#context.now
    const ended_at = givenEnd ?? this.#context.now
    const block = this.#blockFor(startBytes(record) + endBytes(record))
    const { writer } = block
    const from = writer.length
    writeKey(writer, { project_id, id })
    const start = writer.length
    this.#writeStart(writer, record, trace_id, started_at)
    const middle = writer.length
    this.#writeEnd(writer, record, ended_at)
    const end = writer.length
    const written = writer.since(start)
    const startBody = written.subarray(0, middle - start)
    const endBody = written.subarray(middle - start)
    const name = nameAtStart(record)
    const stamp = this.#context.clock.next()
    const startContent = this.#startContent(record, startBody, name, givenStart === undefined)
    const endContent = recordContent(endBody, undefined, givenEnd === undefined ? END_TIME_BYTES : undefined)
    const startFact: StartFact = {
      version: factVersion(stamp, startContent),
      body: startBody,
      started_at,
      name,
      sent_by: this.#context.sent_by,
    }
    const endFact: EndFact = { version: factVersion(stamp, endContent), body: endBody, ended_at }
    const facts = { project_id, id, start: startFact, end: endFact }
    // Not a row: the fast path cannot tell a resend, which generates another time.
    if (givenEnd === undefined) return facts
    writeRowTail(writer, this.#context.columns, facts, startFact, 0n, payloadsOf(record))
    return new CompleteCall(project_id, id, name, startFact.sent_by, block, [
      from,
      start,
      middle,
      end,
      writer.length,
    ])
  }

  /** A user that the server filled in is not part of the content: a resend by another user must change nothing. */
  #startContent(
    record: StartRecord,
    body: Buffer,
    name: Buffer | undefined,
    hasGeneratedTime: boolean,
  ): number {
    const isGeneratedUser = textOr(record.wb_user_id, () => '') === ''
    const time = hasGeneratedTime ? START_TIME_BYTES : undefined
    return recordContent(body, name, time, isGeneratedUser ? userPosition(body) : undefined)
  }

  #redacted<Name extends string, Sent extends Payloads<Name>>(sent: Sent, names: readonly Name[]): Sent {
    const { redactor } = this.#context
    if (redactor === undefined) return sent
    const payloads: Payloads<string> = sent
    const redacted = names.flatMap((name) => {
      const payload = payloads[name]
      return payload instanceof RawJson
        ? [[name, redactor.redact(payload, name === 'otel_dump' ? 'attributes' : undefined)]]
        : []
    })
    return { ...sent, ...Object.fromEntries(redacted) }
  }

  #blockFor(bytes: number): RowBlock {
    const block = rowArena.blockFor(bytes)
    if (!this.#blocks.has(block)) {
      this.#blocks.add(block)
      block.users++
    }
    return block
  }

  #writeStart(writer: RowWriter, record: StartRecord, trace_id: string, started_at: Micros): void {
    writeStart(writer, {
      started_at,
      trace_id,
      parent_id: record.parent_id ?? '',
      thread_id: record.thread_id ?? '',
      turn_id: record.turn_id ?? '',
      op_name: record.op_name,
      wb_user_id: textOr(record.wb_user_id, () => this.#context.sent_by),
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

/** The columns besides payloads, and the extracted ones of most calls. */
const OTHER_BYTES = 4_096

/** About the bytes of the columns, as small values of payloads are stored twice. */
function startBytes({ attributes, inputs, otel_dump }: StartRecord): number {
  return OTHER_BYTES + 1.5 * (sizeOf(attributes) + sizeOf(inputs)) + sizeOf(otel_dump)
}

function endBytes({ output, summary }: EndRecord | CompleteRecord): number {
  return OTHER_BYTES + 1.5 * (sizeOf(output) + sizeOf(summary))
}

function sizeOf(payload: RawJson | null | undefined): number {
  return payload?.size ?? 0
}

/** The payloads of a record if none of them has a normalized form; otherwise they are read from the encoded columns. */
function payloadsOf(record: CompleteRecord): CallPayloads | undefined {
  const { op_name, thread_id, exception } = record
  const attributes = record.attributes ?? EMPTY_OBJECT
  const inputs = record.inputs ?? EMPTY_OBJECT
  const output = record.output ?? NULL
  const summary = record.summary ?? EMPTY_OBJECT
  if (!(attributes.isNormalized && inputs.isNormalized && output.isNormalized && summary.isNormalized))
    return undefined
  return {
    attributes: { document: attributes.bytes, isNormalized: false },
    inputs: { document: inputs.bytes, isNormalized: false },
    output: { document: output.bytes, isNormalized: false },
    summary: { document: summary.bytes, isNormalized: false },
    thread_id: thread_id ?? '',
    op_name,
    exception: exception === undefined || exception === null ? undefined : Buffer.from(exception),
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
