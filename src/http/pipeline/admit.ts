import type { FastifyRequest } from 'fastify'
import { reserveBody } from '../body.ts'
import type { Endpoint, PipelineOptions } from './endpoint.ts'

/** Step 3: checks the quota of bytes and reserves memory for the body, before any of it is read. */
export function admitBody({ operation }: Endpoint, { quotas, bodyLimitBytes }: PipelineOptions) {
  return async ({ headers, requestContext: context }: FastifyRequest): Promise<void> => {
    const { caller, memoryLease } = context
    const { 'content-length': length } = headers
    if (length !== undefined) context.contentLength = Number(length)
    // JSON is accepted with any Content-Type: clients send it with a wrong one, a malformed one, or none.
    if (operation.body !== 'multipart') delete headers['content-type']
    if (operation.calls !== undefined) await quotas.admitBytes(caller, context.contentLength ?? 0)
    if (operation.body !== 'none' || length !== undefined)
      await reserveBody(context.contentLength, bodyLimitBytes, memoryLease, caller.key_id ?? caller.user_id)
  }
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
