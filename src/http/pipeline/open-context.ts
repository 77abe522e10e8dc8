import type { onRequestHookHandler } from 'fastify'
import type { Logger } from 'pino'
import type { MemoryBudget } from '../memory-budget.ts'
import type { Metrics } from '../metrics.ts'
import { RequestContext } from '../request-context.ts'

/** Nginx's status for a client that disconnected before the response; used in metrics and logs only. */
export const CLIENT_CLOSED_REQUEST = 499

/** Step 1: opens the request context. When the response ends, closes the context, counts the request and logs it. */
export function openContext(memoryBudget: MemoryBudget, record: RecordRequest): onRequestHookHandler {
  return (request, reply, done) => {
    const startedAt = performance.now()
    const context = new RequestContext(request.id, memoryBudget.openLease())
    request.requestContext = context
    context.traceparent = request.headers['traceparent'] as string | undefined
    context.userAgent = request.headers['user-agent']
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    reply.raw.once('close', () => {
      context.close(reply.raw.writableFinished)
      const durationMs = performance.now() - startedAt
      const status = context.isAborted && !context.isEventStream ? CLIENT_CLOSED_REQUEST : reply.statusCode
      record(context, status, durationMs)
    })
    done()
  }
}

type RecordRequest = (context: RequestContext, status: number, durationMs: number) => void

/** What self-tracing exports of a request. */
export interface RequestSpan {
  readonly operation: string
  readonly status: number
  readonly durationMs: number
  readonly bytes: number
  readonly request_id: string
  readonly traceparent: string | undefined
  readonly userAgent: string | undefined
}

/** Counts, logs and traces finished requests. */
export function requestRecorder(
  metrics: Metrics,
  log: Logger,
  trace: ((span: RequestSpan) => void) | undefined,
): RecordRequest {
  return (context, status, durationMs) => {
    if (trace !== undefined) {
      const { operation, bodyBytes: bytes, request_id, traceparent, userAgent } = context
      trace({ operation, status, durationMs, bytes, request_id, traceparent, userAgent })
    }
    metrics.recordResponse(context.operation, status, durationMs / 1000, context.bodyBytes)
    if (context.isLarge) metrics.recordLargeRequest(context.operation)
    // A line per request is noise on a busy server: by default only failed requests are logged.
    if (status >= 400) log.info(logLine(context, status, durationMs), 'request failed')
    else if (log.isLevelEnabled('debug')) log.debug(logLine(context, status, durationMs), 'request')
  }
}

function logLine(context: RequestContext, status: number, durationMs: number): object {
  const { request_id, operation, bodyBytes, caller } = context
  return {
    request_id,
    operation,
    status,
    ms: Math.round(durationMs * 10) / 10,
    bytes: bodyBytes,
    ...(caller.username === '' ? {} : { user: caller.username }),
  }
}
