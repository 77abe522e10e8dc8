import { ApiError } from '../contract/api-error.ts'

/** The documents of a JSON-lines answer, as they arrive. Leaving the loop early ends the request. */
export async function* readLines(response: Response, read: (line: Buffer) => unknown): AsyncGenerator {
  if (response.body === null) return
  // Pieces of the line that has not ended yet: joined once, however many chunks a large document takes.
  let pending: Buffer[] = []
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const buf = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      let start = 0
      for (let end = buf.indexOf(0x0a); end !== -1; end = buf.indexOf(0x0a, start)) {
        const rest = buf.subarray(start, end)
        const line = pending.length === 0 ? rest : Buffer.concat([...pending, rest])
        pending = []
        start = end + 1
        if (line.length > 0) yield read(line)
      }
      if (start < buf.length) pending.push(buf.subarray(start))
    }
  } catch (error) {
    if (error instanceof TypeError)
      throw new ApiError('unavailable', 'the answer was cut off', { cause: error })
    throw error
  }
  if (pending.length > 0) yield read(Buffer.concat(pending))
}
