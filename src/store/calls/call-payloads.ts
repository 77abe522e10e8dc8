import { END_COLUMNS, START_COLUMNS } from './call-columns.ts'
import { columnsReader } from './fact-columns.ts'

/** The JSON payloads of a call, read from the bodies of its facts for extraction (extracted-fields.ts, extracted-usage.ts). */
export interface CallPayloads {
  readonly attributes: Payload
  readonly inputs: Payload
  /** Undefined while the call runs. */
  readonly output: Payload | undefined
  readonly summary: Payload | undefined
}

export interface Payload {
  readonly document: Buffer
  /** Whether ClickHouse's JSON functions read another, normalized form of the document. */
  readonly isNormalized: boolean
}

const readStart = columnsReader(START_COLUMNS, [
  'attributes',
  'inputs',
  'attributes_normalized',
  'inputs_normalized',
])

const readEnd = columnsReader(END_COLUMNS, ['output', 'summary', 'output_normalized', 'summary_normalized'])

export function readCallPayloads(start: Buffer, end: Buffer | undefined): CallPayloads {
  const [attributes, inputs, attributesNormalized, inputsNormalized] = readStart(start)
  const [output, summary, outputNormalized, summaryNormalized] = end === undefined ? [] : readEnd(end)
  return {
    attributes: payload(attributes!, attributesNormalized!),
    inputs: payload(inputs!, inputsNormalized!),
    output: output && payload(output, outputNormalized!),
    summary: summary && payload(summary, summaryNormalized!),
  }
}

function payload(document: Buffer, normalized: Buffer): Payload {
  return { document, isNormalized: normalized.length > 0 }
}
