import { createHash } from 'node:crypto'
import { RawJson } from '../../contract/raw-json.ts'
import { callId } from '../call-id.ts'
import { asNumber, type Json, toJson } from '../json.ts'
import type { MappedContent, MappedLog } from '../mapped.ts'
import { mapSpan } from '../map-span.ts'
import type { AttributeValue, LogRecord, Span } from '../model.ts'
import { writeTexts } from '../write.ts'

/**
 * A log record of a coding agent. What happened is in its attributes, and it has no span, so the ids of its call are made
 * from those of the agent: the same record is the same call, whenever and however often it arrives.
 */
export class AgentRecord {
  readonly #record: LogRecord
  /** Of the event, without the prefix of the agent. */
  readonly event: string

  constructor(record: LogRecord, event: string) {
    this.#record = record
    this.event = event
  }

  /** False for a record that was logged within a span, which says the same. */
  get isAlone(): boolean {
    return this.#record.spanId === ''
  }

  /** The first of these attributes that is a text with content. */
  text(...keys: readonly string[]): string {
    for (const key of keys) {
      const value = this.#record.attributes.get(key)
      if (typeof value === 'string' && value !== '') return value
    }
    return ''
  }

  value(key: string): AttributeValue | undefined {
    return this.#record.attributes.get(key)
  }

  /** The call of the span that the record was logged in. */
  get spanCall(): string {
    return callId(this.#record.traceId, this.#record.spanId)
  }

  /** Distinguishes records without an id of their own. */
  get fingerprint(): string {
    const { timeNanos, attributes } = this.#record
    return writeTexts([`${timeNanos}`, ...[...attributes].map(([key, value]) => [key, toJson(value)])])
  }

  /** A call that ended when the record was logged. */
  call({ name, ids, error }: AgentCall): MappedLog {
    const { resource, scope, attributes, timeNanos } = this.#record
    const span: Span = {
      resource,
      scope,
      ...ids,
      traceState: '',
      flags: 0,
      name,
      kind: 1,
      startNanos: timeNanos - this.#durationNanos(),
      endNanos: timeNanos,
      attributes,
      events: [],
      links: [],
      statusCode: error === undefined ? 0 : STATUS_ERROR,
      statusMessage: error ?? '',
      droppedAttributes: 0,
      droppedEvents: 0,
      droppedLinks: 0,
    }
    return { ...mapSpan(span), contents: [] }
  }

  /** Output of calls that other records or spans describe. */
  output(call_ids: readonly string[], output: { readonly [name: string]: Json }): MappedLog {
    const { timeNanos } = this.#record
    const contents = call_ids.map((call_id): MappedContent => {
      return { call_id, timeNanos, inputs: undefined, output: RawJson.fromText(writeTexts(output)) }
    })
    return { contents, feedback: [] }
  }

  #durationNanos(): bigint {
    const ms = asNumber(this.#record.attributes.get('duration_ms')) ?? 0
    const nanos = BigInt(Math.round(Math.min(Math.max(ms, 0), MAX_DURATION_MS) * 1e6))
    return nanos < this.#record.timeNanos ? nanos : 0n
  }
}

interface AgentCall {
  /** The name of the span that the agent would send. */
  readonly name: string
  readonly ids: AgentIds
  readonly error?: string | undefined
}

export interface AgentIds {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
}

const STATUS_ERROR = 2
const MAX_DURATION_MS = 30 * 24 * 3_600_000

/** The ids of a trace and its calls, made from what the agent calls them. */
export class AgentTrace {
  readonly #traceId: string
  readonly #rootId: string

  /** `hasRoot`: a record of its own starts the trace. */
  constructor(parts: readonly string[], hasRoot: boolean) {
    this.#traceId = hashed(parts, 32)
    this.#rootId = hasRoot ? hashed([...parts, 'root'], 16) : ''
  }

  get root(): AgentIds {
    return { traceId: this.#traceId, spanId: this.#rootId, parentSpanId: '' }
  }

  child(...parts: readonly string[]): AgentIds {
    return {
      traceId: this.#traceId,
      spanId: hashed([this.#traceId, ...parts], 16),
      parentSpanId: this.#rootId,
    }
  }
}

function hashed(parts: readonly string[], digits: number): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, digits)
}

export function callIdOf({ traceId, spanId }: AgentIds): string {
  return callId(traceId, spanId)
}

export function notKept(reason: string): MappedLog {
  return { contents: [], feedback: [], ignored: reason }
}

export function assistantMessage(content: string): Json {
  return { role: 'assistant', parts: [{ type: 'text', content }] }
}
