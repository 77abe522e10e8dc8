import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../service/deps.ts'
import type { MemoryBudget, MemoryLease } from './memory-budget.ts'
import type { Metrics } from './metrics.ts'

/** What we know about a request while it is being answered. */
export interface RequestContext {
  /** Name of the operation, or of the page; `other` for what we do not serve. */
  operation: string
  caller: Caller | undefined
  bodyBytes: number
  /** It goes on until the client leaves, so that leaving is no failure. */
  isStream?: boolean
  readonly share: MemoryLease
}

const exchanges = new WeakMap<FastifyRequest, RequestContext>()

export function requestContext(request: FastifyRequest): RequestContext {
  const exchange = exchanges.get(request)
  if (exchange === undefined) throw new Error('the request was not opened')
  return exchange
}

/** Counts, measures and logs a request from its first byte to its last, also if the client goes away. */
export function openRequestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  inFlight: MemoryBudget,
  metrics: Metrics,
): void {
  const start = performance.now()
  const exchange: RequestContext = {
    operation: 'other',
    caller: undefined,
    bodyBytes: 0,
    share: inFlight.enter(),
  }
  exchanges.set(request, exchange)
  reply.raw.once('close', () => {
    exchange.share.leave()
    const ms = performance.now() - start
    const status = reply.raw.writableFinished || exchange.isStream === true ? reply.statusCode : 499
    metrics.answered(exchange.operation, status, ms / 1000, exchange.bodyBytes)
    const line = {
      request_id: request.id,
      operation: exchange.operation,
      status,
      ms: Math.round(ms * 10) / 10,
      bytes: exchange.bodyBytes,
      ...(exchange.caller === undefined ? {} : { user: exchange.caller.username }),
    }
    // One line for each request of a busy server is noise: only those that failed are told by default.
    if (status >= 400) request.log.info(line, 'request failed')
    else request.log.debug(line, 'request')
  })
}
