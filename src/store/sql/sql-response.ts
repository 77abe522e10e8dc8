import type { Readable } from 'node:stream'
import { failureOf } from '../database/response-rows.ts'

/** Lines of the engine's answer in JSONCompactEachRowWithNamesAndTypes, each checked to be whole; see answer-rows.ts. */
export async function* answerLines(answer: Readable): AsyncGenerator<string> {
  let begun: Buffer[] = []
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      const line = Buffer.concat([...begun, chunk.subarray(from, end)]).toString()
      begun = []
      if (!isRow(line)) throw await failureIn([line, chunk.subarray(end).toString()], answer)
      from = end + 1
      yield line
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  if (begun.length > 0) throw failureOf(Buffer.concat(begun).toString())
}

const LINE_END = 0x0a

/** Not by its brackets alone: an error that begins in the middle of a row may end in one. */
function isRow(line: string): boolean {
  if (!line.startsWith('[')) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

async function failureIn(pieces: string[], answer: Readable): Promise<Error> {
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    pieces.push(chunk.toString())
    if (pieces.length > 64) break
  }
  return failureOf(pieces.join(''))
}
