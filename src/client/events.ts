import { readLines } from './lines.ts'

/**
 * The documents of a stream of events, as they arrive; each is one line of data. A heartbeat is a comment and an id.
 * Leaving the loop early ends the request.
 */
export async function* readEvents(response: Response, read: (json: Buffer) => unknown): AsyncGenerator {
  let isBeat = false
  for await (const line of readLines(response, (bytes) => bytes.toString('utf8')) as AsyncIterable<string>) {
    const colon = line.indexOf(': ')
    const field = line.slice(0, colon)
    const value = line.slice(colon + 2)
    if (field === 'data') yield read(Buffer.from(value))
    else if (field === 'id' && isBeat) yield { kind: 'heartbeat', cursor: value }
    isBeat = field === ''
  }
}
