import type { RawJson } from '../contract/raw-json.ts'
import type { Micros } from '../core/time/time.ts'

/** What a span or a log record becomes. */

/** A call made from a span; the fields are those of a `calls/complete` record without project and user. */
export interface MappedCall {
  readonly id: string
  readonly trace_id: string
  /** Empty for a root. */
  readonly parent_id: string
  readonly thread_id: string
  readonly turn_id: string
  readonly op_name: string
  readonly display_name: string
  readonly wb_run_id: string
  readonly started_at: Micros
  readonly attributes: RawJson
  readonly inputs: RawJson
  /** The complete span, with resource and scope. */
  readonly otel_dump: RawJson
  /** Undefined while the call is running. */
  readonly end:
    | {
        readonly ended_at: Micros
        readonly exception: string | null
        readonly output: RawJson
        readonly summary: RawJson
      }
    | undefined
}

/** Prompts and responses that arrive in log records, apart from their span. */
export interface MappedContent {
  readonly call_id: string
  /** Orders the contents of one call. */
  readonly timeNanos: bigint
  /** An object of members for `inputs`, such as `{"messages": […]}`; lists of messages are appended to each other. */
  readonly inputs: RawJson | undefined
  /** Likewise for `output`. */
  readonly output: RawJson | undefined
}

/** A judgement that becomes feedback. */
export interface MappedFeedback {
  /** The call it is about, or a thread. */
  readonly call_id: string
  readonly feedback_type: string
  readonly payload: RawJson
  /** The same for the same judgement, so that a repeated export changes nothing. */
  readonly key: string
}

export interface MappedSpan {
  readonly call: MappedCall
  readonly feedback: readonly MappedFeedback[]
}

export interface MappedLog {
  /** Why nothing of the record is stored; undefined if something is. */
  readonly ignored?: string
  /** Of a coding agent. */
  readonly call?: MappedCall
  readonly contents: readonly MappedContent[]
  readonly feedback: readonly MappedFeedback[]
}

/** Where a field of a call came from, for `explain`. */
export interface FieldSource {
  /** Such as `inputs.messages` or `summary.usage`. */
  readonly field: string
  /** The file in `dialects/`, such as `openinference`. */
  readonly dialect: string
  /** Its name for people, such as `OpenInference`. */
  readonly dialect_title: string
  /** Keys of attributes or names of events that it was read from. */
  readonly from: readonly string[]
}
