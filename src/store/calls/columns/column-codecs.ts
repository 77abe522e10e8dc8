import { RawJson } from '../../../contract/raw-json.ts'
import type { UsageEntry } from '../../../core/costs/usage.ts'
import { normalizedPayload } from '../../../core/json/normalized-json.ts'
import { findRefs } from '../../../core/json/refs.ts'
import { type Micros, parseTime } from '../../../core/time/time.ts'
import type { RowReader, RowWriter } from '../../database/row-binary.ts'
import type { ColumnField } from '../../query/field.ts'

/** Codecs of columns: how values are written in RowBinary, skipped in it, read back from JSON, and queried. */
export interface Codec<Value> {
  readonly write: (writer: RowWriter, value: Value) => void
}

/** A codec of values that come with a record. `Json` is the value in a row of JSONEachRow. */
export interface ValueCodec<Value, Json> extends Codec<Value> {
  readonly skip: (reader: RowReader) => void
  /** The value in rows without the fact. */
  readonly empty: Value
  readonly parse: (json: Json) => Value
  /** How queries see the column; undefined for documents, whose fields are queried by path. */
  readonly field: FieldType | undefined
}

/** A codec of values that are computed from the document in the column `source`. */
export interface DerivedCodec<Value> extends Codec<Value> {
  readonly skip: (reader: RowReader) => void
  readonly source: string
  readonly derive: (document: RawJson) => Value
  readonly field: FieldType | undefined
}

export type FieldType = Pick<ColumnField, 'type' | 'unset'>

const NO_BYTES = Buffer.alloc(0)

const skipString = (reader: RowReader): unknown => reader.skipString()

export const dateTime: ValueCodec<Micros, string> = {
  write: (writer, value) => writer.i64(value),
  skip: (reader) => reader.skip(8),
  empty: 0n,
  parse: parseMicros,
  field: { type: 'time', unset: 'never' },
}

export const nullableDateTime: ValueCodec<Micros | null, string | null> = {
  write: (writer, value) => writer.nullableI64(value),
  skip: (reader) => reader.skipNullableI64(),
  empty: null,
  parse: (json) => (json === null ? null : parseMicros(json)),
  field: { type: 'time', unset: 'null' },
}

export const text: ValueCodec<string, string> = {
  write: (writer, value) => writer.string(value),
  skip: skipString,
  empty: '',
  parse: (json) => json,
  field: { type: 'text', unset: 'never' },
}

/** '' means "not set". */
export const optionalText: ValueCodec<string, string> = { ...text, field: { type: 'text', unset: 'empty' } }

export const nullableText: ValueCodec<string | null, string | null> = {
  write: (writer, value) => writer.nullableString(value),
  skip: (reader) => reader.skipNullableString(),
  empty: null,
  parse: (json) => json,
  field: { type: 'text', unset: 'null' },
}

export const nullableInteger: ValueCodec<number | null, string | null> = {
  write: (writer, value) => writer.nullableI64(value === null ? null : BigInt(value)),
  skip: (reader) => reader.skipNullableI64(),
  empty: null,
  parse: (json) => (json === null ? null : Number(json)),
  field: { type: 'int', unset: 'null' },
}

export const jsonDocument: ValueCodec<RawJson, string> = {
  write: (writer, value) => writer.bytes(value.bytes),
  skip: skipString,
  empty: RawJson.fromBytes(NO_BYTES, true),
  parse: (json) => RawJson.fromText(json),
  field: undefined,
}

export const bytes: ValueCodec<Buffer, string> = {
  write: (writer, value) => writer.bytes(value),
  skip: skipString,
  empty: NO_BYTES,
  parse: (json) => Buffer.from(json),
  field: { type: 'text', unset: 'empty' },
}

export function refsOf(source: string): DerivedCodec<readonly string[]> {
  return {
    write: (writer, value) => writer.strings(value),
    skip: (reader) => reader.skipStrings(),
    source,
    derive: (document) => findRefs(document.bytes),
    field: { type: 'array', unset: 'empty' },
  }
}

function normalize(document: RawJson): Buffer {
  return normalizedPayload(document) ?? NO_BYTES
}

/** Whether the column holds the normalized form of another one. */
export function isNormalizedForm(codec: object): codec is DerivedCodec<Buffer> {
  return 'derive' in codec && codec.derive === normalize
}

/** The document in a form that ClickHouse's JSON functions can read; empty if they can read it as sent. */
export function normalizedOf(source: string): DerivedCodec<Buffer> {
  return { write: bytes.write, skip: skipString, source, derive: normalize, field: undefined }
}

export const uint8: Codec<number> = { write: (writer, value) => writer.u8(value) }

export const uint32: Codec<number> = { write: (writer, value) => writer.u32(value) }

export const uint128: Codec<bigint> = { write: (writer, value) => writer.u128(value) }

export const plainText: Codec<string> = { write: (writer, value) => writer.string(value) }

export const texts: Codec<readonly string[]> = { write: (writer, value) => writer.strings(value) }

export const nullableBigint: Codec<bigint | null> = { write: (writer, value) => writer.nullableI64(value) }

export const nullableFloat: Codec<number | null> = { write: (writer, value) => writer.nullableF64(value) }

/** Encoded by field-encoder.ts. */
export const fieldMap: Codec<Buffer> = { write: (writer, value) => writer.raw(value) }

export const usageByModel: Codec<readonly UsageEntry[]> = {
  write: (writer, entries) => {
    writer.varint(entries.length)
    for (const { model, tokens, hasTotal, reported } of entries) {
      writer.string(model).u32(Number(tokens.prompt)).u32(Number(tokens.completion))
      if (hasTotal) writer.u8(0).u32(Number(tokens.total))
      else writer.u8(1)
      writer.u32(Number(tokens.cacheRead)).u32(Number(tokens.cacheCreation)).u32(Number(tokens.plainPrompt))
      if (reported === undefined) writer.u8(1)
      else writer.u8(0).i256(reported.digits)
    }
  },
}

function parseMicros(time: string): Micros {
  const parsed = parseTime(time)
  if (parsed === undefined) throw new Error(`ClickHouse returned an unreadable time: ${time}`)
  return parsed
}
