import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Operation, StreamedBytes } from '../contract/operation.ts'
import { onOneLine } from '../core/json/one-line.ts'
import { writeJson } from '../core/json/write.ts'
import { streamInRequest } from '../core/request-scope.ts'
import { sendStream } from './byte-stream.ts'

/** What a handler answered, onto the wire, as the operation's kind says. */
export async function answer(
  operation: Operation,
  result: unknown,
  reply: FastifyReply,
): Promise<FastifyReply> {
  switch (operation.answer) {
    case 'events':
      throw new Error('streams of events are sent by event-stream.ts')
    case 'json':
      return reply.type('application/json').send(writeJson(result))
    case 'bytes':
      return reply.type('application/octet-stream').send(result)
    case 'stream':
      return sendStream(result as StreamedBytes, reply)
    case 'jsonl':
      return reply.type('application/jsonl').send(await lines(result as AsyncIterable<unknown>))
  }
}

/** Bytes handed to the socket at once: big enough to be cheap, small enough to begin early. */
const CHUNK_CHARACTERS = 64 * 1024

/** JSON may hold these as they are, and readers that go line by line (older Python SDKs) take them for line ends. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g

function oneLine(json: string): string {
  return onOneLine(json).replace(
    OTHER_LINE_ENDS,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * One document a line, as they come. The first one is awaited here: a query that fails at once is then answered
 * with its status; one that fails later cuts the connection, so that a short list never looks complete.
 */
async function lines(documents: AsyncIterable<unknown>): Promise<Readable> {
  const iterator = streamInRequest(documents)[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* text(): AsyncGenerator<string> {
    let pending = ''
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) {
        pending += `${oneLine(writeJson(next.value))}\n`
        if (pending.length < CHUNK_CHARACTERS) continue
        yield pending
        pending = ''
      }
      if (pending !== '') yield pending
    } finally {
      await iterator.return?.()
    }
  }
  return Readable.from(text(), { objectMode: false })
}
