import type { Micros } from '../../../core/time/time.ts'
import { RowWriter } from '../../database/row-binary.ts'
import {
  bytes,
  dateTime,
  fieldMap,
  jsonDocument,
  normalizedOf,
  nullableBigint,
  nullableDateTime,
  nullableFloat,
  nullableInteger,
  nullableText,
  optionalText,
  plainText,
  refsOf,
  text,
  texts,
  uint128,
  uint32,
  uint8,
  usageByModel,
} from './column-codecs.ts'
import {
  columnsLength,
  columnsWriter,
  type ColumnValues,
  emptyValues,
  type JsonValues,
  valueNames,
} from './generated-codecs.ts'

/**
 * The columns of `calls`, by the fact that they belong to, in the order of a row. The body of a fact is exactly its
 * columns in RowBinary, so a row is assembled by concatenating bodies. Column lists, encoders, decoders and query fields
 * are generated from these tables.
 */
export const KEY_COLUMNS = {
  project_id: text,
  id: text,
} as const

export const START_COLUMNS = {
  started_at: dateTime,
  trace_id: text,
  parent_id: optionalText,
  thread_id: optionalText,
  turn_id: optionalText,
  op_name: text,
  wb_user_id: optionalText,
  wb_run_id: optionalText,
  wb_run_step: nullableInteger,
  attributes: jsonDocument,
  inputs: jsonDocument,
  input_refs: refsOf('inputs'),
  otel_dump: bytes,
  attributes_normalized: normalizedOf('attributes'),
  inputs_normalized: normalizedOf('inputs'),
} as const

/** `ended_at` is NULL while the call runs. */
export const END_COLUMNS = {
  ended_at: nullableDateTime,
  exception: nullableText,
  output: jsonDocument,
  summary: jsonDocument,
  output_refs: refsOf('output'),
  wb_run_step_end: nullableInteger,
  output_normalized: normalizedOf('output'),
  summary_normalized: normalizedOf('summary'),
} as const

export const NAME_COLUMNS = {
  display_name: optionalText,
} as const

/** Which record each fact came from; `version` orders the rows of one call (core/calls/fact-versions.ts). */
export const VERSION_COLUMNS = {
  start_version: uint128,
  end_version: uint128,
  name_version: uint128,
  version: uint128,
  is_deleted: uint8,
  start_hash: uint32,
} as const

/**
 * Filters read `json_fields` instead of the payloads, aggregates read `usage` instead of the summary. The others are the
 * named fields that are computed from documents (named-fields.ts).
 */
const EXTRACTED_COLUMNS = {
  json_fields: fieldMap,
  usage: usageByModel,
  usage_extracted: uint8,
  field_model: texts,
  field_provider: plainText,
  field_input_tokens: nullableBigint,
  field_output_tokens: nullableBigint,
  field_total_tokens: nullableBigint,
  field_time_to_first_token: nullableFloat,
  field_tags: texts,
  field_end_user: plainText,
  field_session: plainText,
  field_environment: plainText,
  field_error_type: plainText,
} as const

export type ExtractedValues = ColumnValues<typeof EXTRACTED_COLUMNS>

/** Belongs to the start, but not to its content: an identical record of another sender is a resend. */
export const SENDER_COLUMNS = { sent_by: optionalText } as const

/** All columns, in the order of a row. */
export const CALL_COLUMNS: readonly string[] = [
  KEY_COLUMNS,
  START_COLUMNS,
  END_COLUMNS,
  NAME_COLUMNS,
  VERSION_COLUMNS,
  EXTRACTED_COLUMNS,
  SENDER_COLUMNS,
].flatMap((columns) => Object.keys(columns))

/** A row of JSONEachRow with the values of all facts. */
export type CallRow = JsonValues<typeof KEY_COLUMNS> &
  JsonValues<typeof START_COLUMNS> &
  JsonValues<typeof END_COLUMNS> &
  JsonValues<typeof NAME_COLUMNS> &
  JsonValues<typeof SENDER_COLUMNS>

/** The columns of `CallRow`: what records contain, without what is derived from it. */
export const VALUE_COLUMNS: readonly (keyof CallRow)[] = [
  ...valueNames(KEY_COLUMNS),
  ...valueNames(START_COLUMNS),
  ...valueNames(END_COLUMNS),
  ...valueNames(NAME_COLUMNS),
  ...valueNames(SENDER_COLUMNS),
]

export type StartValues = ColumnValues<typeof START_COLUMNS>
export type EndValues = ColumnValues<typeof END_COLUMNS>

export const writeKey = columnsWriter(KEY_COLUMNS)
export const writeStart = columnsWriter(START_COLUMNS)
export const writeEnd = columnsWriter(END_COLUMNS)
export const writeVersions = columnsWriter(VERSION_COLUMNS)
export const writeExtracted = columnsWriter(EXTRACTED_COLUMNS)
export const writeSender = columnsWriter(SENDER_COLUMNS)

export function encodeStart(writer: RowWriter, start: StartValues): Buffer {
  writeStart(writer, start)
  return writer.take()
}

export function encodeEnd(writer: RowWriter, end: EndValues): Buffer {
  writeEnd(writer, end)
  return writer.take()
}

export function encodeName(display_name: string): Buffer {
  return new RowWriter(display_name.length * 3 + 10).string(display_name).take()
}

/** The number of bytes of the time at the beginning of a start, and of an end. */
export const START_TIME_BYTES = 8
export const END_TIME_BYTES = 9

/** `started_at` is the first column of a start. */
export function startTimeIn(body: Buffer): Micros {
  return body.readBigInt64LE(0)
}

/** `ended_at` is the first column of an end, after the byte for "not null". */
export function endTimeIn(body: Buffer): Micros {
  return body.readBigInt64LE(1)
}

/** A start with the display name given at it, as one body for call_parts. */
export function encodeNamedStart(start: Buffer, name: Buffer | undefined): Buffer {
  return name === undefined ? start : Buffer.concat([start, name])
}

export function splitNamedStart(bytes: Buffer): { body: Buffer; name: Buffer | undefined } {
  const length = columnsLength(START_COLUMNS, bytes)
  return {
    body: bytes.subarray(0, length),
    name: length === bytes.length ? undefined : bytes.subarray(length),
  }
}

/** The texts between `started_at` and `wb_user_id`. */
const TEXTS_BEFORE_USER = Object.keys(START_COLUMNS).indexOf('wb_user_id') - 1

/** Where `wb_user_id` is in a start. Without a reader, because every record needs it. */
export function userPosition(body: Buffer): { from: number; to: number } {
  let from = START_TIME_BYTES
  for (let i = 0; i < TEXTS_BEFORE_USER; i++) from = skipText(body, from)
  return { from, to: skipText(body, from) }
}

/** The offset after a text, which begins with its length in LEB128. */
function skipText(bytes: Buffer, from: number): number {
  let length = 0
  let at = from
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!
    length |= (byte & 0x7f) << shift
    if (byte < 0x80) return at + length
  }
}

const NO_START = emptyValues(START_COLUMNS)

/** The start of a tombstone. */
export function encodeNoStart(started_at: Micros): Buffer {
  return encodeStart(new RowWriter(), { ...NO_START, started_at })
}

/** The end of a call that still runs. */
export const NO_END: Buffer = encodeEnd(new RowWriter(), emptyValues(END_COLUMNS))

export const NO_NAME: Buffer = encodeName('')
