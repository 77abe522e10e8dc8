import type { FastifyRequest } from 'fastify'
import { decodeBody } from '../encoding.ts'
import { EventLoopYielder } from '../event-loop-yield.ts'
import { eventQuery } from '../event-stream.ts'
import { RequestParser } from '../request-parser.ts'
import type { Endpoint, PipelineOptions } from './endpoint.ts'

/** One for the process: it has one event loop. */
const yielder = new EventLoopYielder()

const EMPTY = Buffer.alloc(0)

/** Step 4: decodes, parses and validates the request. Fastify has read the body with body.ts. */
export function readRequest({ operation }: Endpoint, { bodyLimitBytes }: PipelineOptions) {
  const parser = new RequestParser(operation)
  const isEventStream = operation.responseFormat === 'events'
  return async (request: FastifyRequest): Promise<void> => {
    const { headers, requestContext: context } = request
    const sent = (request.body as Buffer | undefined) ?? EMPTY
    const body = await decodeBody(sent, headers['content-encoding'], bodyLimitBytes, context.memoryLease)
    context.bodyBytes = body.length
    await yielder.acquire(body.length)
    context.input = await parser.parse({
      body,
      contentType: headers['content-type'] ?? '',
      params: request.params as Record<string, string>,
      query: isEventStream ? eventQuery(request) : (request.query as Record<string, unknown>),
    })
  }
}
