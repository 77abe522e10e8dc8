import type { FastifyReply, FastifyRequest } from 'fastify'
import { inRequest } from '../../core/concurrency/request-scope.ts'
import { watchAccess } from '../watch-access.ts'
import { reauthorize } from './authorize.ts'
import type { Endpoint, PipelineOptions } from './endpoint.ts'
import { respond } from './respond.ts'

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Step 6: runs the handler of the operation. */
export function execute(endpoint: Endpoint, options: PipelineOptions): RouteHandler {
  const { operation, handler } = endpoint
  const recheck = reauthorize(endpoint, options)
  const send = respond(operation, recheck)
  if (operation.access !== 'read' || operation.responseFormat === 'events')
    return async (request, reply) => {
      const { input, caller } = request.requestContext
      return send(await handler(input, caller), request, reply)
    }
  const isLong = operation.responseFormat === 'jsonl' || operation.responseFormat === 'stream'
  return (request, reply) => {
    const context = request.requestContext
    // A stream that waits for a slow client notices nothing but a closed connection.
    if (isLong)
      watchAccess(
        context,
        () => recheck(request),
        () => reply.raw.destroy(),
      )
    return executeRead(request, reply, async () =>
      send(await handler(context.input, context.caller), request, reply),
    )
  }
}

/**
 * Runs a read in the scope of its request: its statements share one concurrency slot, and ClickHouse cancels them when
 * the client disconnects or loses access.
 */
async function executeRead(
  { requestContext: context }: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await inRequest(context, work)
  } catch (error) {
    if (!context.isAborted) throw error
    // The client has disconnected, so there is nobody to send an error to.
    return reply.hijack()
  }
}
