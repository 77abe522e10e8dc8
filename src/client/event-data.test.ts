import { expect, test } from 'vitest'
import { readTextLines } from './browser/lines.ts'
import { readEventData } from './event-data.ts'
import { readEvents } from './events.ts'

const STREAM =
  'event: ready\nid: 1.0.0.0\ndata: {"kind":"ready","cursor":"1.0.0.0"}\n\n' +
  ': heartbeat\nid: 2.0.0.0\n\n' +
  'event: end\nid: 3.0.0.0\ndata: {"kind":"end","name":"é: 😀"}\n\n'

const EVENTS = [
  { kind: 'ready', cursor: '1.0.0.0' },
  { kind: 'heartbeat', cursor: '2.0.0.0' },
  { kind: 'end', name: 'é: 😀' },
]

/** A response whose body arrives in chunks of this many bytes. */
function chunked(size: number): Response {
  const bytes = Buffer.from(STREAM)
  return new Response(
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
        controller.close()
      },
    }),
  )
}

test.each([1, 2, 3, 7, 1_000])(
  'Node and browsers read the same events, in chunks of %i bytes',
  async (size) => {
    const inNode: unknown[] = []
    const read = (json: Buffer): unknown => JSON.parse(json.toString('utf8'))
    for await (const event of readEvents(chunked(size), read)) inNode.push(event)
    const inBrowser: unknown[] = []
    for await (const data of readEventData(readTextLines(chunked(size)))) inBrowser.push(JSON.parse(data))
    expect(inNode).toEqual(EVENTS)
    expect(inBrowser).toEqual(EVENTS)
  },
)
