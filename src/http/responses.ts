import type { FastifyReply } from 'fastify'
import type { Operation, StreamedBytes } from '../contract/operation.ts'
import { Grouped, inChunks } from '../core/concurrency/grouped.ts'
import { onOneLine } from '../core/json/one-line.ts'
import { writeJson } from '../core/json/write.ts'
import { sendStream } from './byte-stream.ts'

/** What a handler answered, onto the wire, as the operation's kind says. */
export async function answer(
  operation: Operation,
  result: unknown,
  reply: FastifyReply,
): Promise<FastifyReply> {
  switch (operation.responseFormat) {
    case 'events':
      throw new Error('streams of events are sent by event-stream.ts')
    case 'json':
      return reply.type('application/json').send(writeJson(result))
    case 'bytes':
      return reply.type('application/octet-stream').send(result)
    case 'stream':
      return sendStream(result as StreamedBytes, reply)
    case 'jsonl':
      return sendStream(
        {
          headers: { 'content-type': 'application/jsonl' },
          bytes: inChunks(Grouped.from(result as AsyncIterable<unknown>), lineOf),
        },
        reply,
      )
  }
}

/** JSON may hold these as they are, and readers that go line by line (older Python SDKs) take them for line ends. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g

/** One document a line. */
function lineOf(document: unknown): string {
  const json = onOneLine(writeJson(document)).replace(
    OTHER_LINE_ENDS,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${json}\n`
}
