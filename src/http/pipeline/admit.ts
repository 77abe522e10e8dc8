import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import { PartialBody, rejectIfTooLarge } from '../body.ts'
import { otlpContentType } from '../otlp-request.ts'
import { PUBLIC_BODY_LIMIT_BYTES, QUERY_BODY_LIMIT_BYTES } from '../limits.ts'
import type { Endpoint, PipelineOptions } from './endpoint.ts'
import { bodyPoolOf } from '../ingest-bodies.ts'

/** Step 3: checks the quota of bytes and the memory budget before any of the body is read; forwards large requests. */
export function admitBody({ operation }: Endpoint, options: PipelineOptions) {
  const { quotas, largeRequests } = options
  const limitBytes = bodyLimit(operation, options.bodyLimitBytes)
  const maxBufferedBytes = largeRequests?.maxBodyBytes(operation)
  // Bodies of public operations are not larger than the headers of a request, which are not counted either.
  const isCounted = operation.access !== 'public'
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { headers, requestContext: context } = request
    const { caller, memoryLease } = context
    const { 'content-length': length } = headers
    if (length !== undefined) context.contentLength = Number(length)
    const { contentLength } = context
    if (operation.body === 'otlp') otlpContentType(headers)
    // JSON is accepted with any Content-Type: clients send it with a wrong one, a malformed one, or none.
    else if (operation.body !== 'multipart') delete headers['content-type']
    rejectIfTooLarge(contentLength, limitBytes)
    if (operation.calls !== undefined) await quotas.admitBytes(caller, contentLength ?? 0)
    if (operation.body === 'none' && length === undefined) return undefined
    if (largeRequests !== undefined && (contentLength ?? 0) > (maxBufferedBytes ?? 0))
      return largeRequests.forward(request, reply, new PartialBody(NO_BYTES))
    if (isCounted) await memoryLease.open(caller.user_id)
    const lease = isCounted ? memoryLease : undefined
    context.body = { contentLength, limitBytes, lease, maxBufferedBytes, pool: bodyPoolOf(operation) }
    return undefined
  }
}

const NO_BYTES = Buffer.alloc(0)

/** Only writes contain payloads. */
function bodyLimit({ access }: Operation, maxBytes: number): number {
  if (access === 'write') return maxBytes
  return Math.min(maxBytes, access === 'public' ? PUBLIC_BODY_LIMIT_BYTES : QUERY_BODY_LIMIT_BYTES)
}

/** The part of step 3 that needs the validated request: the quotas of calls, for requests that store some. */
export function admitCalls({ operation }: Endpoint, { quotas }: PipelineOptions) {
  const { calls } = operation
  if (calls === undefined) return []
  const hook = async ({ requestContext: context }: FastifyRequest): Promise<void> => {
    const { caller, input, bodyBytes, contentLength = 0 } = context
    quotas.admit(caller, { project_ids: calls(input), bytes: bodyBytes, countedBytes: contentLength })
  }
  return [hook]
}
