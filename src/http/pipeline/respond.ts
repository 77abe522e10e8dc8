import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import type { ResponseOf } from '../../contract/operations.ts'
import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import { sendEvents, type StreamEvent } from '../event-stream.ts'
import { SENDERS } from '../responses.ts'
import { setSessionCookie } from '../session-cookie.ts'
import type { PipelineOptions } from './endpoint.ts'

type Send = (
  result: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>

/** Step 7: sends the result in the operation's response format. */
export function respond(
  operation: Operation,
  recheck: (request: FastifyRequest) => Promise<void>,
  { largeRequests, cookiePath }: Pick<PipelineOptions, 'largeRequests' | 'cookiePath'>,
): Send {
  if (operation.responseFormat === 'events')
    return (result, request, reply) => {
      request.requestContext.isEventStream = true
      return sendEvents(request, reply, result as BatchedStream<StreamEvent>, () => recheck(request))
    }
  const { session } = operation
  const sendResult = SENDERS[operation.responseFormat]
  return (result, request, reply) => {
    if (session === 'create')
      request.requestContext.signedIn = (result as ResponseOf<'session_create'>).username
    if (session === 'create' || session === 'delete')
      setSessionCookie(session, request.requestContext.caller, request, reply, cookiePath)
    return sendResult(result, reply, largeRequests)
  }
}
