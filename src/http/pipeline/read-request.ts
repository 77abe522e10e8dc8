import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LargeWork, unlessLarge } from '../../core/concurrency/large-work.ts'
import { PartialBody } from '../body.ts'
import { decodeBody } from '../encoding.ts'
import { eventLoopYielder } from '../event-loop-yield.ts'
import { eventQuery } from '../event-stream.ts'
import { nameIgnoredFields } from '../ignored-fields.ts'
import { RequestParser } from '../request-parser.ts'
import type { Endpoint, PipelineOptions } from './endpoint.ts'

const EMPTY = Buffer.alloc(0)

/** After reading a larger body, other events are served before the request is executed. */
const MAX_BYTES_PER_TURN = 32 * 1024

/**
 * Step 4: decodes, parses and validates the request. Fastify has read the body with body.ts. Forwards requests that turn
 * out to be large.
 */
export function readRequest({ operation }: Endpoint, { largeRequests }: PipelineOptions) {
  const parser = new RequestParser(operation)
  const maxItems = largeRequests?.maxItems
  const isEventStream = operation.responseFormat === 'events'

  const read = async (request: FastifyRequest, reply: FastifyReply, sent: Buffer): Promise<void> => {
    const { headers, requestContext: context } = request
    const body = await decodeBody(sent, {
      encoding: headers['content-encoding'],
      caller: context.caller.user_id,
      limitBytes: context.body?.limitBytes ?? 0,
      lease: context.body?.lease,
      maxBufferedBytes: context.body?.maxBufferedBytes,
    })
    context.bodyBytes = body.length
    await eventLoopYielder.acquire(body.length)
    const { input, ignoredFields } = await parser.parse({
      body,
      headers,
      params: request.params as Record<string, string>,
      query: isEventStream ? eventQuery(request) : (request.query as Record<string, unknown>),
      maxItems,
    })
    context.input = input
    if (ignoredFields.length > 0) nameIgnoredFields(context, reply, ignoredFields)
    // Executing it takes as long as reading it.
    if (body.length > MAX_BYTES_PER_TURN) await setImmediate()
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const sent = (request.body as Buffer | PartialBody | undefined) ?? EMPTY
    const readHere = async (): Promise<undefined> => {
      if (sent instanceof PartialBody) throw new LargeWork('the body')
      await read(request, reply, sent)
      request.requestContext.sentBody = sent
    }
    if (largeRequests === undefined) return readHere()
    return unlessLarge<FastifyReply | undefined>(readHere, () => largeRequests.forward(request, reply, sent))
  }
}
