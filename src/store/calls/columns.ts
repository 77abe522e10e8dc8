import { RawJson } from '../../contract/raw-json.ts'
import { refsIn } from '../../core/json/refs.ts'
import { queryFormOf } from '../../core/json/query-form.ts'
import type { Micros } from '../../core/time/time.ts'
import { RowWriter } from '../database/row-binary.ts'

/**
 * A call's row, in the order it is written: key, start, end, name, versions. A fact's body is exactly its columns
 * in RowBinary, so a row is put together by concatenating bodies and nothing is ever decoded on the way in.
 */
export const CALL_COLUMNS = [
  'project_id',
  'id',
  // start
  'started_at',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'op_name',
  'wb_user_id',
  'wb_run_id',
  'wb_run_step',
  'attributes',
  'inputs',
  'input_refs',
  'otel_dump',
  'attributes_query_form',
  'inputs_query_form',
  // end
  'ended_at',
  'exception',
  'output',
  'summary',
  'output_refs',
  'wb_run_step_end',
  'output_query_form',
  'summary_query_form',
  // name
  'display_name',
  // versions
  'start_version',
  'end_version',
  'name_version',
  'version',
  'is_deleted',
  'origin',
  // what filters read instead of the payloads
  'leaves',
  // what sums read instead of the summary
  'usage',
  'usage_kept',
] as const

export interface StartColumns {
  readonly started_at: Micros
  readonly trace_id: string
  readonly parent_id: string
  readonly thread_id: string
  readonly turn_id: string
  readonly op_name: string
  readonly wb_user_id: string
  readonly wb_run_id: string
  readonly wb_run_step: number | null
  readonly attributes: RawJson
  readonly inputs: RawJson
  readonly otel_dump: Buffer
}

export interface EndColumns {
  readonly ended_at: Micros
  readonly exception: string | null
  readonly output: RawJson
  readonly summary: RawJson
  readonly wb_run_step_end: number | null
}

const EMPTY = Buffer.alloc(0)
const NOTHING = RawJson.fromBytes(EMPTY, true)

export function writeStart(writer: RowWriter, start: StartColumns): void {
  writer
    .i64(start.started_at)
    .string(start.trace_id)
    .string(start.parent_id)
    .string(start.thread_id)
    .string(start.turn_id)
    .string(start.op_name)
    .string(start.wb_user_id)
    .string(start.wb_run_id)
    .nullableI64(start.wb_run_step === null ? null : BigInt(start.wb_run_step))
    .bytes(start.attributes.bytes)
    .bytes(start.inputs.bytes)
    .strings(refsIn(start.inputs.bytes))
    .bytes(start.otel_dump)
    .bytes(queryFormOf(start.attributes) ?? EMPTY)
    .bytes(queryFormOf(start.inputs) ?? EMPTY)
}

/** The first thing in it. */
export function startTimeIn(body: Buffer): Micros {
  return body.readBigInt64LE(0)
}

export function encodeStart(writer: RowWriter, start: StartColumns): Buffer {
  writeStart(writer, start)
  return writer.take()
}

export function writeEnd(writer: RowWriter, end: EndColumns): void {
  writer
    .nullableI64(end.ended_at)
    .nullableString(end.exception)
    .bytes(end.output.bytes)
    .bytes(end.summary.bytes)
    .strings(refsIn(end.output.bytes))
    .nullableI64(end.wb_run_step_end === null ? null : BigInt(end.wb_run_step_end))
    .bytes(queryFormOf(end.output) ?? EMPTY)
    .bytes(queryFormOf(end.summary) ?? EMPTY)
}

/** Behind the byte that says that there is one. */
export function endTimeIn(body: Buffer): Micros {
  return body.readBigInt64LE(1)
}

export function encodeEnd(writer: RowWriter, end: EndColumns): Buffer {
  writeEnd(writer, end)
  return writer.take()
}

export function encodeName(display_name: string): Buffer {
  return new RowWriter(display_name.length * 3 + 10).string(display_name).take()
}

/** The columns of a start for a row that only says "deleted". */
export function encodeNoStart(started_at: Micros): Buffer {
  return encodeStart(new RowWriter(), {
    started_at,
    trace_id: '',
    parent_id: '',
    thread_id: '',
    turn_id: '',
    op_name: '',
    wb_user_id: '',
    wb_run_id: '',
    wb_run_step: null,
    attributes: NOTHING,
    inputs: NOTHING,
    otel_dump: EMPTY,
  })
}

/** The columns of an end for a call that still runs. */
export const NO_END: Buffer = new RowWriter()
  .nullableI64(null)
  .nullableString(null)
  .bytes(EMPTY)
  .bytes(EMPTY)
  .strings([])
  .nullableI64(null)
  .bytes(EMPTY)
  .bytes(EMPTY)
  .take()

export const NO_NAME: Buffer = encodeName('')
