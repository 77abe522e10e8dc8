import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { StreamedBytes } from '../contract/operation.ts'
import { streamInRequest } from '../core/concurrency/request-scope.ts'

/**
 * Sends a response body as a stream. Waits for the first chunk before sending headers, so an immediate failure gets its
 * own status. A later failure closes the connection, so a partial body never looks complete.
 */
export async function sendStream(
  { headers, bytes }: StreamedBytes,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Fastify would read the whole stream to answer HEAD, for example a whole export.
  if (reply.request.method === 'HEAD') return reply.headers(headers).send('')
  const iterator = streamInRequest(bytes)[Symbol.asyncIterator]()
  const first = await iterator.next()
  reply.request.requestContext.resultLimit?.onResponseStarted()
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  const stream = Readable.from(all(), { objectMode: false })
  reply.request.requestContext.onClose(() => stream.destroy())
  return reply.headers(headers).send(stream)
}
