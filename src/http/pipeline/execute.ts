import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/api-error.ts'
import { MAX_RESPONSE_BYTES } from '../../contract/limits.ts'
import { unlessLarge } from '../../core/concurrency/large-work.ts'
import { ResultLimit } from '../../core/concurrency/result-limit.ts'
import { inRequest } from '../../core/concurrency/request-scope.ts'
import { acceptedPartial, notFoundInPartial } from '../partial-response.ts'
import type { RequestContext } from '../request-context.ts'
import { watchAccess } from '../watch-access.ts'
import { reauthorize } from './authorize.ts'
import type { Endpoint, PipelineOptions } from './endpoint.ts'
import { ingestBodies, isIngest } from '../ingest-bodies.ts'
import { respond } from './respond.ts'

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Step 6: runs the handler of the operation. */
export function execute(endpoint: Endpoint, options: PipelineOptions): RouteHandler {
  const { operation, handler } = endpoint
  const { largeRequests } = options
  const recheck = reauthorize(endpoint, options)
  const send = respond(operation, recheck, options)
  /** Executes a request here, or again by the thread if it turns out to be large. */
  const executeHere = (
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<unknown>,
  ): Promise<unknown> => {
    if (largeRequests === undefined) return work()
    return unlessLarge(work, () => {
      const context = request.requestContext
      context.releaseSlot()
      return largeRequests.forward(request, reply, context.sentBody)
    })
  }
  if (isIngest(operation))
    return (request, reply) =>
      executeHere(request, reply, async () => {
        const context = request.requestContext
        const result = await handler(takeInput(context), context.caller)
        if (context.sentBody !== undefined) ingestBodies.release(context.sentBody)
        return send(result, request, reply)
      })
  if (operation.access !== 'read' || operation.responseFormat === 'events')
    return (request, reply) =>
      executeHere(request, reply, async () => {
        const context = request.requestContext
        const run = () => handler(context.input, context.caller)
        // The live feed is shared; other writes may read much, as a deletion by query does.
        const isScoped = operation.responseFormat !== 'events'
        return send(await (isScoped ? inRequest(context.writeScope, run) : run()), request, reply)
      })
  const isExport = operation.responseFormat === 'stream'
  const isLong = operation.responseFormat === 'jsonl' || isExport
  return async (request, reply) => {
    const context = request.requestContext
    // A stream that waits for a slow client notices nothing but a closed connection.
    if (isLong)
      watchAccess(
        context,
        () => recheck(request),
        () => reply.raw.destroy(),
      )
    if (largeRequests !== undefined && isExport)
      return largeRequests.forward(request, reply, context.sentBody)
    const limited = !isLong ? responseLimit() : undefined
    context.resultLimit = largeRequests?.resultLimit() ?? limited
    context.partial = acceptedPartial(operation, request.headers)
    const work = async () => send(await handler(context.input, context.caller), request, reply)
    return executeHere(request, reply, () => executeRead(request, reply, work))
  }
}

/** The records are not kept while they are stored: the garbage collector would have to move thousands of parsed ones. */
function takeInput(context: RequestContext): unknown {
  const { input } = context
  context.input = undefined
  return input
}

/** A JSON document is built in memory. */
function responseLimit(): ResultLimit {
  return new ResultLimit({
    maxBytes: MAX_RESPONSE_BYTES,
    maxRowBytes: MAX_RESPONSE_BYTES,
    isMainThread: false,
    exceeded: () =>
      new ApiError(
        'unprocessable',
        `the response is larger than ${MAX_RESPONSE_BYTES} bytes; set a limit, request fewer columns or ids, or stream it`,
      ),
  })
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
    if (!context.isAborted) throw notFoundInPartial(error, context)
    // The client has disconnected, so there is nobody to send an error to.
    return reply.hijack()
  }
}
