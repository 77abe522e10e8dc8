import { RowReader } from '../../database/row-binary.ts'
import { END_COLUMNS, START_COLUMNS } from './call-columns.ts'
import { isNormalizedForm, jsonDocument, nullableText } from './column-codecs.ts'

/** The JSON payloads of a call, read from the bodies of its facts for extraction (column-extractor.ts). */
export interface CallPayloads {
  readonly attributes: Payload
  readonly inputs: Payload
  /** Undefined while the call runs. */
  readonly output: Payload | undefined
  readonly summary: Payload | undefined
  readonly thread_id: string
  readonly op_name: string
  /** Undefined if the call did not fail. */
  readonly exception: Buffer | undefined
}

interface Payload {
  readonly document: Buffer
  /** Whether ClickHouse's JSON functions read another, normalized form of the document. */
  readonly isNormalized: boolean
}

export function readCallPayloads(start: Buffer, end: Buffer | undefined): CallPayloads {
  const [[attributes, inputs], [thread_id, op_name]] = readStart(start)
  const [[output, summary], [exception]] = end === undefined ? NO_END : readEnd(end)
  return {
    attributes: attributes!,
    inputs: inputs!,
    output,
    summary,
    thread_id: thread_id!.toString(),
    op_name: op_name!.toString(),
    exception,
  }
}

const NO_END: Columns = [[], []]
const readStart = payloadsReader(START_COLUMNS, ['thread_id', 'op_name'])
const readEnd = payloadsReader(END_COLUMNS, ['exception'])

/** The documents of a body in their order, and the requested texts; undefined for a text that is null. */
type Columns = readonly [readonly Payload[], readonly (Buffer | undefined)[]]

/** Reads documents and texts of a body and skips the other columns, as resolved once from the table. */
function payloadsReader(
  columns: Readonly<Record<string, { readonly skip: (reader: RowReader) => unknown }>>,
  texts: readonly string[],
): (body: Buffer) => Columns {
  const codecs = Object.values(columns)
  const documents = Object.keys(columns).filter((name) => columns[name] === jsonDocument)
  const skips = codecs.map(({ skip }) => skip)
  const isDocument = codecs.map((codec) => codec === jsonDocument)
  /** The position of the document whose normalized form the column is; -1 for other columns. */
  const normalizedDocument = codecs.map((codec) =>
    isNormalizedForm(codec) ? documents.indexOf(codec.source) : -1,
  )
  const isText = Object.keys(columns).map((name) => texts.includes(name))
  const isNullable = codecs.map((codec) => codec === nullableText)
  const count = codecs.length
  return (body) => {
    const reader = new RowReader(body)
    const payloads: { document: Buffer; isNormalized: boolean }[] = []
    const found: (Buffer | undefined)[] = []
    for (let i = 0; i < count; i++) {
      const position = normalizedDocument[i]!
      if (isDocument[i]) payloads.push({ document: reader.bytes(), isNormalized: false })
      else if (isText[i]) found.push(isNullable[i] ? reader.nullableBytes() : reader.bytes())
      else if (position >= 0) payloads[position]!.isNormalized = reader.skipString() > 0
      else skips[i]!(reader)
    }
    return [payloads, found]
  }
}
