import { RowReader } from '../database/row-binary.ts'
import { END_COLUMNS, START_COLUMNS } from './call-columns.ts'
import { isNormalizedForm, jsonDocument } from './column-codecs.ts'

/** The JSON payloads of a call, read from the bodies of its facts for extraction (extracted-fields.ts, extracted-usage.ts). */
export interface CallPayloads {
  readonly attributes: Payload
  readonly inputs: Payload
  /** Undefined while the call runs. */
  readonly output: Payload | undefined
  readonly summary: Payload | undefined
}

interface Payload {
  readonly document: Buffer
  /** Whether ClickHouse's JSON functions read another, normalized form of the document. */
  readonly isNormalized: boolean
}

export function readCallPayloads(start: Buffer, end: Buffer | undefined): CallPayloads {
  const [attributes, inputs] = readStart(start)
  const [output, summary] = end === undefined ? [] : readEnd(end)
  return { attributes: attributes!, inputs: inputs!, output, summary }
}

const readStart = payloadsReader(START_COLUMNS)
const readEnd = payloadsReader(END_COLUMNS)

/** Reads the documents of a body in their order and skips the other columns, as resolved once from the table. */
function payloadsReader(
  columns: Readonly<Record<string, { readonly skip: (reader: RowReader) => unknown }>>,
): (body: Buffer) => Payload[] {
  const codecs = Object.values(columns)
  const documents = Object.keys(columns).filter((name) => columns[name] === jsonDocument)
  const skips = codecs.map(({ skip }) => skip)
  const isDocument = codecs.map((codec) => codec === jsonDocument)
  /** The position of the document whose normalized form the column is; -1 for other columns. */
  const normalizedDocument = codecs.map((codec) =>
    isNormalizedForm(codec) ? documents.indexOf(codec.source) : -1,
  )
  const count = codecs.length
  return (body) => {
    const reader = new RowReader(body)
    const payloads: { document: Buffer; isNormalized: boolean }[] = []
    for (let i = 0; i < count; i++) {
      const position = normalizedDocument[i]!
      if (isDocument[i]) payloads.push({ document: reader.bytes(), isNormalized: false })
      else if (position >= 0) payloads[position]!.isNormalized = reader.skipString() > 0
      else skips[i]!(reader)
    }
    return payloads
  }
}
