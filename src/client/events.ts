import { readEventData } from './event-data.ts'
import { readLines } from './lines.ts'

/** Streams the documents of server-sent events. Breaking out of the loop cancels the request. */
export async function* readEvents(response: Response, read: (json: Buffer) => unknown): AsyncGenerator {
  const lines = readLines(response, (bytes) => bytes.toString('utf8')) as AsyncIterable<string>
  for await (const data of readEventData(lines)) yield read(Buffer.from(data))
}
