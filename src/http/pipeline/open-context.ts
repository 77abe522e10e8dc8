import type { IncomingMessage, ServerResponse } from 'node:http'
import type { onRequestHookHandler } from 'fastify'
import type { Logger } from 'pino'
import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import type { MemoryBudget } from '../memory-budget.ts'
import type { Metrics } from '../metrics.ts'
import type { Client, OpenRequests } from '../open-requests.ts'
import { RequestContext } from '../request-context.ts'
import { isAdministration, loggedUser, requestLine } from '../request-log.ts'
import type { SampledLog } from '../sampled-log.ts'
import type { UnauthenticatedLimits } from '../unauthenticated.ts'

/** Nginx's status for a client that disconnected before the response; used in metrics and logs only. */
export const CLIENT_CLOSED_REQUEST = 499

/**
 * Step 1: opens the request context. When the response ends, closes the context, counts the request and logs it. The
 * response owns the socket (connections.ts), so its end includes that of the connection.
 */
export function openContext({
  memoryBudget,
  openRequests,
  record,
}: OpenContextOptions): onRequestHookHandler {
  return (request, reply, done) => {
    const context = new RequestContext({
      request_id: request.id,
      memoryBudget,
      openRequests,
      client: new HttpClient(request.raw, reply.raw),
    })
    request.requestContext = context
    context.traceparent = request.headers['traceparent'] as string | undefined
    context.address = request.ip
    context.userAgent = request.headers['user-agent']
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    reply.raw.once('close', () => {
      if (!context.close(reply.raw.writableFinished)) return
      const durationMs = performance.now() - context.startedMs
      const status = context.isAborted && !context.isEventStream ? CLIENT_CLOSED_REQUEST : reply.statusCode
      record(context, status, durationMs)
    })
    done()
  }
}

/** Waits for the turn of the request, if its connection is not authenticated yet. */
export function awaitTurn(unauthenticated: UnauthenticatedLimits): onRequestHookHandler {
  return (request, _reply, done) => {
    const turn = unauthenticated.turn(request.socket, request.ip)
    if (turn === undefined) return done()
    const begin = (): void => {
      // Nothing is done for a client that is gone.
      if (!request.requestContext.isClosed) done()
    }
    void turn.then(begin)
  }
}

interface OpenContextOptions {
  readonly memoryBudget: MemoryBudget
  readonly openRequests: OpenRequests
  readonly record: RecordRequest
}

class HttpClient implements Client {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request
    this.#response = response
  }

  get isConnected(): boolean {
    return !this.#request.socket.destroyed
  }

  get isResponding(): boolean {
    return this.#response.headersSent
  }
}

export type RecordRequest = (context: RequestContext, status: number, durationMs: number) => void

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

/** Projects that exports were stored in although nobody named them: each is logged once. */
const MAX_WARNED = 1_000

/** Counts, logs and traces finished requests. */
export function requestRecorder(
  metrics: Metrics,
  log: Logger,
  sampledLog: SampledLog,
  trace: ((span: RequestSpan) => void) | undefined,
): RecordRequest {
  const warned = new BoundedMap<string, true>(MAX_WARNED)
  return (context, status, durationMs) => {
    for (const project_id of context.exported?.guesses ?? []) {
      // The main thread logs what its thread for large requests has stored.
      if (warned.has(project_id) || context.forwardedCaller !== undefined) continue
      warned.set(project_id, true)
      sampledLog.write(
        'info',
        [context.operation, loggedUser(context)],
        () => ({ ...requestLine(context, status, durationMs), project_id }),
        'an export of OpenTelemetry names no project; it was stored in the one of its service, or in default',
      )
    }
    if (trace !== undefined) {
      const { operation, bodyBytes: bytes, request_id, traceparent, userAgent } = context
      trace({ operation, status, durationMs, bytes, request_id, traceparent, userAgent })
    }
    metrics.recordResponse(context.operation, status, durationMs / 1000, context.bodyBytes)
    if (context.ignoredFields > 0) metrics.recordIgnoredFields(context.operation, context.ignoredFields)
    if (context.exported !== undefined) metrics.recordDiscarded(context.operation, context.exported.discarded)
    if (context.isLarge) metrics.recordLargeRequest(context.operation)
    // A line per request is noise on a busy server: by default only failed requests and administration are logged.
    if (status >= 400)
      sampledLog.write(
        'info',
        [context.operation, status, loggedUser(context)],
        () => requestLine(context, status, durationMs),
        'request failed',
      )
    else if (isAdministration(context))
      sampledLog.write(
        'info',
        [context.operation, status, loggedUser(context)],
        () => requestLine(context, status, durationMs),
        'administration',
      )
    else if (log.isLevelEnabled('debug')) log.debug(requestLine(context, status, durationMs), 'request')
  }
}
