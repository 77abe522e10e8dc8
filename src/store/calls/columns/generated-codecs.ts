import { RawJson } from '../../../contract/raw-json.ts'
import { RowReader, RowWriter } from '../../database/row-binary.ts'

/** Encoders and decoders that are generated from a table of columns, once at load: encoding is the hot path of ingest. */

/** A codec of column-codecs.ts, whatever the type of its values. */
interface AnyCodec {
  readonly write: (writer: RowWriter, value: never) => void
}

interface AnyValueCodec extends AnyCodec {
  readonly skip: (reader: RowReader) => void
  readonly empty: unknown
  readonly parse: (json: never) => unknown
}

interface AnyDerivedCodec extends AnyCodec {
  readonly skip: (reader: RowReader) => void
  readonly source: string
  readonly derive: (document: RawJson) => unknown
}

type Columns = Readonly<Record<string, AnyCodec>>

/** The columns of a fact, in the order of its body. */
type FactColumns = Readonly<Record<string, AnyValueCodec | AnyDerivedCodec>>

/** The columns whose values come with a record, without the derived ones. */
export type ValueName<C> = {
  [Name in keyof C]: C[Name] extends { readonly derive: unknown } ? never : Name
}[keyof C] &
  string

/** The values that make up the columns. */
export type ColumnValues<C> = {
  readonly [Name in ValueName<C>]: C[Name] extends {
    readonly write: (writer: RowWriter, value: infer Value) => void
  }
    ? Value
    : never
}

/** The same as a row of JSONEachRow. */
export type JsonValues<C> = {
  readonly [Name in ValueName<C>]: C[Name] extends { readonly parse: (json: infer Json) => unknown }
    ? Json
    : never
}

/** Writes the columns in their order. The codecs are resolved once, so a row needs only a loop over parallel arrays. */
export function columnsWriter<C extends Columns>(
  columns: C,
): (writer: RowWriter, values: ColumnValues<C>) => void {
  const codecs = Object.entries<AnyCodec | AnyDerivedCodec>(columns)
  const sources = codecs.map(([name, codec]) => ('derive' in codec ? codec.source : name))
  const derives = codecs.map(([, codec]) => ('derive' in codec ? codec.derive : undefined))
  const writes = codecs.map(([, codec]) => codec.write as (writer: RowWriter, value: unknown) => void)
  const count = codecs.length
  return (writer, values: Readonly<Record<string, unknown>>) => {
    for (let i = 0; i < count; i++) {
      const value = values[sources[i]!]
      const derive = derives[i]
      writes[i]!(writer, derive === undefined ? value : derive(value as RawJson))
    }
  }
}

/** The length of the columns at the beginning of a buffer. */
export function columnsLength(columns: FactColumns, bytes: Buffer): number {
  const reader = new RowReader(bytes)
  for (const { skip } of Object.values(columns)) skip(reader)
  return reader.offset
}

/** The columns with another document, and what is derived from it. */
export function withDocument<C extends FactColumns>(
  columns: C,
  bytes: Buffer,
  name: ValueName<C>,
  document: Buffer,
): Buffer {
  return withValues(columns, bytes, { [name]: RawJson.fromBytes(document) })
}

/** The columns with other values, and what is derived from them. */
export function withValues(
  columns: FactColumns,
  bytes: Buffer,
  values: Readonly<Record<string, unknown>>,
): Buffer {
  const reader = new RowReader(bytes)
  const writer = new RowWriter(bytes.length)
  for (const [column, codec] of Object.entries<AnyValueCodec | AnyDerivedCodec>(columns)) {
    const from = reader.offset
    codec.skip(reader)
    const write = codec.write as (writer: RowWriter, value: unknown) => void
    if (Object.hasOwn(values, column)) write(writer, values[column])
    else if ('derive' in codec && Object.hasOwn(values, codec.source))
      write(writer, codec.derive(values[codec.source] as RawJson))
    else writer.raw(bytes.subarray(from, reader.offset))
  }
  return writer.take()
}

/** The values of rows without the fact. */
export function emptyValues<C extends FactColumns>(columns: C): ColumnValues<C> {
  return mapValues(columns, (codec) => codec.empty)
}

/** Reads the values back from a row of JSONEachRow. */
export function parseValues<C extends FactColumns>(
  columns: C,
  row: Readonly<Record<ValueName<C>, unknown>>,
): ColumnValues<C> {
  return mapValues(columns, (codec, name) => codec.parse(row[name as ValueName<C>] as never))
}

function mapValues<C extends FactColumns>(
  columns: C,
  map: (codec: AnyValueCodec, name: string) => unknown,
): ColumnValues<C> {
  const entries = valueNames(columns).map((name) => [name, map(columns[name] as AnyValueCodec, name)])
  return Object.fromEntries(entries) as ColumnValues<C>
}

export function valueNames<C extends Columns>(columns: C): ValueName<C>[] {
  return Object.keys(columns).filter((name) => !('derive' in columns[name]!)) as ValueName<C>[]
}
