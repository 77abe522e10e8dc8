import type { Readable } from 'node:stream'
import { parseFailure } from '../database/response-rows.ts'

/**
 * Reads the lines of a response in JSONCompactEachRowWithNamesAndTypes and throws if it is incomplete;
 * database/response-rows.ts explains why.
 */
export async function* readLines(response: Readable): AsyncGenerator<string> {
  let partial: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      const line = Buffer.concat([...partial, chunk.subarray(from, end)]).toString()
      partial = []
      if (!isRow(line)) throw await readFailure([line, chunk.subarray(end).toString()], response)
      from = end + 1
      yield line
    }
    if (from < chunk.length) partial.push(chunk.subarray(from))
  }
  if (partial.length > 0) throw parseFailure(Buffer.concat(partial).toString())
}

const LINE_END = 0x0a

/** Parses the line: brackets alone do not suffice, since an error message inside a row may end with one. */
function isRow(line: string): boolean {
  if (!line.startsWith('[')) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

async function readFailure(chunks: string[], response: Readable): Promise<Error> {
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.toString())
    if (chunks.length > 64) break
  }
  return parseFailure(chunks.join(''))
}
