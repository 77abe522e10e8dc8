import type { Readable } from 'node:stream'
import { parseError } from '@clickhouse/client'

/**
 * Reads the rows of a JSONEachRow response in groups as they arrive, and throws if the response is incomplete.
 * ClickHouse may fail after it has sent status 200 and then writes its error message among the rows: marked in some
 * versions, unmarked in others, in the middle of a row or after one. The reader of the official client ignores
 * everything after the last line end and ends normally, but a truncated list must never look complete.
 */
export async function* readRows<Row>(response: Readable): AsyncGenerator<Row[]> {
  let partial: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const rows: Row[] = []
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      const line =
        partial.length === 0 ? chunk.subarray(from, end) : concat(partial, chunk.subarray(from, end))
      partial = []
      from = end + 1
      if (line[0] !== OPEN_BRACE) throw await readFailure(concat([line], chunk.subarray(end)), response)
      rows.push(parseRow(line) as Row)
    }
    if (from < chunk.length) partial.push(chunk.subarray(from))
    if (rows.length > 0) yield rows
  }
  if (partial.length > 0) throw parseFailure(Buffer.concat(partial).toString())
}

/** The response of an insert is empty; any content is an error. */
export async function expectEmptyResponse(response: Readable): Promise<void> {
  for await (const chunk of response as AsyncIterable<Buffer>) throw await readFailure(chunk, response)
}

const LINE_END = 0x0a
const OPEN_BRACE = 0x7b
/** An error message of ClickHouse has a few hundred bytes; an unknown response need not be read completely. */
const FAILURE_BYTES = 16_384

/** Reads the error message that replaces rows; it may arrive in several chunks. */
async function readFailure(first: Buffer, response: Readable): Promise<Error> {
  const chunks = [first]
  let length = first.length
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > FAILURE_BYTES) break
  }
  return parseFailure(Buffer.concat(chunks).toString())
}

function parseRow(line: Buffer): unknown {
  const text = line.toString()
  try {
    return JSON.parse(text)
  } catch (error) {
    throw parseFailure(text, error)
  }
}

export function parseFailure(text: string, cause?: unknown): Error {
  const failure = parseError(text.slice(-FAILURE_BYTES))
  // Not an error of ClickHouse: the response was cut off, which counts as a broken connection.
  return 'type' in failure
    ? failure
    : Object.assign(new Error('the response was cut off', { cause }), BROKEN_CONNECTION)
}

const BROKEN_CONNECTION = { code: 'ECONNABORTED' }

function concat(partial: readonly Buffer[], end: Buffer): Buffer {
  return Buffer.concat([...partial, end])
}
