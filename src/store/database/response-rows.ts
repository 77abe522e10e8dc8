import type { Readable } from 'node:stream'
import { parseError } from '@clickhouse/client'

/**
 * The rows of an answer in JSONEachRow, in groups as they arrive; throws unless the answer is whole. The engine may
 * fail after it has said 200, and then writes its error where rows were: of some versions marked, of others not, in
 * the middle of a row or after one. The client's own reader takes what it finds after the last line end for nothing
 * and ends as if all was well; a list that lacks its end must never look complete.
 */
export async function* answerRows<Row>(answer: Readable): AsyncGenerator<Row[]> {
  let begun: Buffer[] = []
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const rows: Row[] = []
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      const line = begun.length === 0 ? chunk.subarray(from, end) : joined(begun, chunk.subarray(from, end))
      begun = []
      from = end + 1
      if (line[0] !== OPEN_BRACE) throw await failureIn(joined([line], chunk.subarray(end)), answer)
      rows.push(parseRow(line) as Row)
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
    if (rows.length > 0) yield rows
  }
  if (begun.length > 0) throw failureOf(Buffer.concat(begun).toString())
}

/** An insert answers nothing; whatever it does say is a failure. */
export async function expectNothing(answer: Readable): Promise<void> {
  for await (const chunk of answer as AsyncIterable<Buffer>) throw await failureIn(chunk, answer)
}

const LINE_END = 0x0a
const OPEN_BRACE = 0x7b
/** An error of the engine is a few hundred bytes; a strange answer need not be read whole. */
const FAILURE_BYTES = 16_384

/** What went wrong, from the text where rows should have been; it may come in several pieces. */
async function failureIn(first: Buffer, answer: Readable): Promise<Error> {
  const pieces = [first]
  let length = first.length
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    pieces.push(chunk)
    length += chunk.length
    if (length > FAILURE_BYTES) break
  }
  return failureOf(Buffer.concat(pieces).toString())
}

function parseRow(line: Buffer): unknown {
  const text = line.toString()
  try {
    return JSON.parse(text)
  } catch (error) {
    throw failureOf(text, error)
  }
}

export function failureOf(text: string, cause?: unknown): Error {
  const failure = parseError(text.slice(-FAILURE_BYTES))
  // Not an error of the engine's: the answer broke off, as a connection would.
  return 'type' in failure ? failure : Object.assign(new Error('the answer broke off', { cause }), BROKEN)
}

const BROKEN = { code: 'ECONNABORTED' }

function joined(begun: readonly Buffer[], end: Buffer): Buffer {
  return Buffer.concat([...begun, end])
}
