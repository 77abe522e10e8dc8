import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { StreamedBytes } from '../contract/operation.ts'
import { streamInRequest } from '../core/concurrency/request-scope.ts'

/**
 * Bytes as they are made. The first of them are awaited here: what fails at once is answered with its status; what
 * fails later cuts the connection, so that a part never looks like the whole.
 */
export async function sendStream(
  { headers, bytes }: StreamedBytes,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // A stream would be read to its end to answer HEAD; nobody wants a whole export for its headers.
  if (reply.request.method === 'HEAD') return reply.headers(headers).send('')
  const iterator = streamInRequest(bytes)[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return reply.headers(headers).send(Readable.from(all(), { objectMode: false }))
}
