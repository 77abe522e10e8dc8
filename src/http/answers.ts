import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { writeJson } from '../core/json/write.ts'

/** What a handler answered, onto the wire, as the operation's kind says. */
export async function answer(
  operation: Operation,
  result: unknown,
  reply: FastifyReply,
): Promise<FastifyReply> {
  switch (operation.answer) {
    case 'json':
      return reply.type('application/json').send(writeJson(result))
    case 'bytes':
      return reply.type('application/octet-stream').send(result)
    case 'jsonl':
      return reply.type('application/jsonl').send(await lines(result as AsyncIterable<unknown>))
  }
}

/** Bytes handed to the socket at once: big enough to be cheap, small enough to begin early. */
const CHUNK_CHARACTERS = 64 * 1024

/**
 * One document a line, as they come. The first one is awaited here: a query that fails at once is then answered
 * with its status; one that fails later cuts the connection, so that a short list never looks complete.
 */
async function lines(documents: AsyncIterable<unknown>): Promise<Readable> {
  const iterator = documents[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* text(): AsyncGenerator<string> {
    let pending = ''
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) {
        pending += `${writeJson(next.value)}\n`
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
