import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import type { Operation } from '../contract/operation.ts'
import { ACCEPT_PARTIAL_HEADER, PARTIAL_HEADER, partialShards } from '../contract/partial.ts'
import { PartialResult } from '../core/concurrency/partial-result.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Responses without some shards of a cluster. A client that does not know the mark would take such a response for complete,
 * so it gets one only if it asks for it by a header, and 503 otherwise.
 */

/** Exports and the live feed are always complete. */
export function acceptedPartial(
  { access, responseFormat }: Operation,
  headers: IncomingHttpHeaders,
): PartialResult | undefined {
  const isAccepted = headers[ACCEPT_PARTIAL_HEADER] === 'true'
  return isAccepted && access === 'read' && responseFormat !== 'stream' && responseFormat !== 'events'
    ? new PartialResult()
    : undefined
}

/** Called when the response begins. */
export function markPartial({ partial }: RequestContext, reply: FastifyReply): void {
  if (partial === undefined) return
  partial.seal()
  if (partial.shards.length > 0 && reply.statusCode < 400)
    reply.header(PARTIAL_HEADER, partial.shards.join(', '))
}

/** Adds the mark to a JSON object; other documents are marked by the header only. */
export function withPartialField(result: unknown, { partial }: RequestContext): unknown {
  if (partial === undefined || partial.shards.length === 0) return result
  if (typeof result !== 'object' || result === null || Object.getPrototypeOf(result) !== Object.prototype)
    return result
  return { ...result, partial: { unavailable_shards: partial.shards } }
}

/** What was not found may be on a shard that is left out. */
export function notFoundInPartial(error: unknown, { partial }: RequestContext): unknown {
  if (partial === undefined || partial.shards.length === 0) return error
  if (!(error instanceof ApiError) || error.code !== 'not_found') return error
  const reason = `not found, but ${describeShards(partial.shards)} unavailable; retry the request`
  return new ApiError('unavailable', reason, { cause: error, extra: { unavailable_shards: partial.shards } })
}

function describeShards(shards: readonly number[]): string {
  return shards.length === 1 ? `shard ${shards[0]} is` : `shards ${shards.join(' and ')} are`
}

/** A part of a response must not leave out more than the response says. */
export function requireMarked(part: IncomingMessage, { request }: FastifyReply): void {
  const marked = request.requestContext.partial?.shards ?? []
  const header = part.headers[PARTIAL_HEADER]
  if (partialShards(typeof header === 'string' ? header : null).every((shard) => marked.includes(shard)))
    return
  part.destroy()
  throw new Error('a shard became unavailable after the response had begun')
}
