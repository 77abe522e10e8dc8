import type { RawJson } from '../../contract/raw-json.ts'
import { RowReader, type RowWriter } from '../database/row-binary.ts'

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

type Values = Readonly<Record<string, unknown>>

/** Writes the columns in their order. One closure per column: no lookup of names or types per row. */
export function columnsWriter<C extends Columns>(
  columns: C,
): (writer: RowWriter, values: ColumnValues<C>) => void {
  const writers = Object.entries<AnyCodec | AnyDerivedCodec>(columns).map(([name, codec]) => {
    const write = codec.write as (writer: RowWriter, value: unknown) => void
    if (!('derive' in codec)) return (writer: RowWriter, values: Values) => write(writer, values[name])
    const { source, derive } = codec
    return (writer: RowWriter, values: Values) => write(writer, derive(values[source] as RawJson))
  })
  return (writer, values) => {
    for (const write of writers) write(writer, values)
  }
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

/** Reads some text columns of a body, in the order of the body, and skips the others. */
export function columnsReader<C extends FactColumns>(
  columns: C,
  names: readonly (keyof C & string)[],
): (body: Buffer) => Buffer[] {
  const all = Object.keys(columns)
  const positions = names.map((name) => all.indexOf(name))
  if (positions.some((position, i) => position <= (positions[i - 1] ?? -1)))
    throw new Error('columns must be read in the order of the body')
  const skips = all
    .slice(0, (positions.at(-1) ?? -1) + 1)
    .map((name) => (names.includes(name) ? undefined : columns[name]!.skip))
  return (body) => {
    const reader = new RowReader(body)
    const values: Buffer[] = []
    for (const skip of skips) {
      if (skip === undefined) values.push(reader.bytes())
      else skip(reader)
    }
    return values
  }
}
