import { cutOffError } from './cut-off.ts'

/** Streams the documents of a JSON-lines response. Breaking out of the loop cancels the request. */
export async function* readLines(response: Response, read: (line: Buffer) => unknown): AsyncGenerator {
  if (response.body === null) return
  // Chunks of the unfinished line. They are joined once, however many chunks a large document takes.
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
    if (error instanceof TypeError) throw cutOffError(error)
    throw error
  }
  if (pending.length > 0) yield read(Buffer.concat(pending))
}
