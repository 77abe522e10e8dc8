import { createServer as createHttpServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { ApiError } from '../contract/api-error.ts'
import { OTLP_PROTOBUF } from '../contract/otlp.ts'
import type { Access } from '../service/access/access.ts'
import type { GraphqlHandler } from '../service/graphql/graphql.ts'
import type { Handlers } from '../service/handler.ts'
import type { Quotas } from '../service/access/quotas.ts'
import { acceptPendingConnections, Connections } from './connections.ts'
import { forwardedCaller, type LargeRequests } from './large-requests.ts'
import { MemoryBudget } from './memory-budget.ts'
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_PATH_PARAMETER_CHARACTERS,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from './limits.ts'
import { addLinks } from './links.ts'
import { Metrics } from './metrics.ts'
import { OpenRequests } from './open-requests.ts'
import { addPages } from './pages.ts'
import { OtlpGrpcServer } from './grpc/otlp-grpc.ts'
import { encodeStatus } from './otlp-status.ts'
import { awaitTurn, openContext, requestRecorder, type RequestSpan } from './pipeline/open-context.ts'
import { sendClientError, renderError, asApiError } from './error-responses.ts'
import { markPartial } from './partial-response.ts'
import { isUnsupportedRoute, routedMethod } from './unsupported-routes.ts'
import { requestId } from './request-id.ts'
import { isAnonymous, type RequestContext } from './request-context.ts'
import { refusalOf } from './request-log.ts'
import { allowOrigins } from './cors.ts'
import { addOperations, PREFIXES } from './routes.ts'
import { SampledLog } from './sampled-log.ts'
import { isWebUiRequest } from './session-cookie.ts'
import { UnauthenticatedLimits } from './unauthenticated.ts'
import type { WebFiles } from './web-files.ts'
import { addWeb, isPageRequest, sendMissingPage } from './web.ts'

export interface HttpOptions {
  readonly handlers: Handlers
  readonly graphql: GraphqlHandler
  readonly access: Access
  readonly log: Logger
  readonly version: string
  /** Addresses of proxies whose `X-Forwarded-For` names the client. */
  readonly trustedProxies?: string | undefined
  /** The start of every URL path behind a proxy, such as `/heddle`; empty without one. */
  readonly basePath?: string | undefined
  /** Maximum size of one body, after decompression. */
  readonly bodyLimitBytes: number
  /** Memory budget for the bodies of all requests. */
  readonly inFlightLimitBytes: number
  /** Origins of pages that may export OpenTelemetry, separated by commas. */
  readonly corsOrigins?: string | undefined
  readonly quotas: Quotas
  /** Executes large requests; if undefined, all are executed here. */
  readonly largeRequests?: LargeRequests | undefined
  /** For the thread for large requests, which serves nobody but the main thread. */
  readonly acceptsForwardedCallers?: boolean
  /** The built web UI; without it, links of SDKs show a page that explains how to use the API. */
  readonly web?: WebFiles | undefined
  /** How long a request waits for memory in that budget. */
  readonly memoryWaitMs: number
  /** Metrics of all workers; if undefined or without a result, `/metrics` shows this process only. */
  readonly allMetrics?: (() => Promise<string | undefined>) | undefined
  /** Called for each finished request; undefined if self-tracing is off. */
  readonly traceRequest?: ((span: RequestSpan) => void) | undefined
  /** Why requests cannot be served now; undefined when ready. */
  readonly notReadyReason: () => Promise<string | undefined>
  /** Numbers of the shards of a cluster that do not respond. */
  readonly unavailableShards: () => readonly number[]
  /** What requests hold of the storage, by kind. */
  readonly leases: () => Readonly<Record<string, number>>
  /** No request takes longer until its response begins. */
  readonly maxRequestMs: number
}

export interface HttpServer {
  /** Returns the URL of the server. */
  listen(address: { host: string; port: number } | { path: string }): Promise<string>
  /** Also serves OTLP/gRPC. Returns its URL. */
  listenOtlpGrpc(host: string, port: number): Promise<string>
  /** From now on `/readyz` returns 503 and connections close after their current request; requests are still served. */
  setDraining(): void
  /** Stops listening and waits for requests in progress. */
  close(): Promise<void>
  /** Every served method and path, for the test that compares them with the OpenAPI document. */
  readonly routes: readonly Route[]
  /** Metrics of this process. */
  readonly registry: Registry
}

interface Route {
  readonly method: string
  readonly path: string
}

export function createServer(options: HttpOptions): HttpServer {
  const basePath = options.basePath ?? ''
  const connections = new Connections()
  const server = createFastify(options.log, options.trustedProxies, basePath, connections)
  const memoryBudget = new MemoryBudget({
    limitBytes: options.inFlightLimitBytes,
    waitMs: options.memoryWaitMs,
  })
  const openRequests = new OpenRequests(options.maxRequestMs)
  const unauthenticated = new UnauthenticatedLimits()
  const metrics = new Metrics(memoryBudget, () => ({
    requests: openRequests.count,
    pipelined_requests: connections.waiting,
    memory_bytes: memoryBudget.bytesHeld.held,
    forwarded_requests: options.largeRequests?.forwards ?? 0,
    ...options.leases(),
  }))
  const routes: Route[] = []
  let draining = false
  server.addHook('onRoute', (route) => {
    if (isUnsupportedRoute(route)) return
    for (const method of [route.method].flat()) routes.push({ method, path: route.url })
  })
  server.decorateRequest('requestContext')
  const sampledLog = new SampledLog(options.log)
  const recordRequest = requestRecorder(metrics, options.log, sampledLog, options.traceRequest)
  server.addHook('onRequest', openContext({ memoryBudget, openRequests, record: recordRequest }))
  if (options.corsOrigins !== undefined)
    server.addHook('onRequest', allowOrigins(options.corsOrigins, PREFIXES))
  if (options.acceptsForwardedCallers === true)
    server.addHook('onRequest', async (request) => {
      request.requestContext.forwardedCaller = forwardedCaller(request)
    })
  else server.addHook('onRequest', awaitTurn(unauthenticated))
  server.addHook('onSend', (request, reply, payload, done) => {
    if (draining) reply.header('connection', 'close')
    markPartial(request.requestContext, reply)
    done(null, payload)
  })
  const recordError = (error: ApiError, context: RequestContext): void => {
    const { request_id, operation } = context
    metrics.recordError(error.code)
    context.refusal = refusalOf(error, context, options.access)
    // A 501 is the answer to a request of the client, and no failure of the server.
    if (error.status >= 500 && error.code !== 'not_implemented')
      sampledLog.write(
        'error',
        [operation, error.code, error.message],
        () => ({ err: error.cause ?? error, request_id, operation }),
        error.message,
      )
  }
  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const apiError = asApiError(error)
    recordError(apiError, request.requestContext)
    const { status, headers, retryAfterSeconds, body } = renderError(apiError, {
      id: request.id,
      method: request.method,
      params: request.params,
      isWebUi: isWebUiRequest(request),
    })
    // Set by Fastify if the body was rejected. The connection would be closed while the client sends the rest, and the
    // response may be lost; the rest is discarded instead (body.ts), until the timeout of requests.
    reply.removeHeader('connection')
    reply.code(status).headers(headers)
    return request.requestContext.sendsStatus
      ? reply.type(OTLP_PROTOBUF).send(encodeStatus(apiError, retryAfterSeconds))
      : reply.type('application/json').send(body)
  }
  const reject = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (isAnonymous(request.requestContext)) {
      const delayMs = unauthenticated.recordRejected(request.socket, request.ip)
      if (delayMs > 0) await sleep(delayMs)
    }
    return sendError(error, request, reply)
  }
  server.setErrorHandler(reject)
  server.setNotFoundHandler((request, reply) =>
    options.web !== undefined && isPageRequest(request)
      ? sendMissingPage(options.web, request, reply)
      : reject(
          new ApiError('not_found', 'unknown path; see /docs for the supported operations'),
          request,
          reply,
        ),
  )
  addPages(server, {
    version: options.version,
    basePath,
    limits: options,
    metrics: async () => (await options.allMetrics?.()) ?? metrics.registry.metrics(),
    metricsType: metrics.registry.contentType,
    isDraining: () => draining,
    notReadyReason: async () => openRequests.leakReason() ?? options.notReadyReason(),
    unavailableShards: options.unavailableShards,
    largeRequests: options.largeRequests,
  })
  if (options.web === undefined) addLinks(server, basePath)
  else addWeb(server, options.web)
  const pipeline = { ...options, unauthenticated, cookiePath: basePath === '' ? '/' : basePath }
  addOperations(server, pipeline)
  const otlpGrpc = new OtlpGrpcServer({ ...pipeline, memoryBudget, openRequests, recordRequest, recordError })
  return {
    listen: async (address) => loopbackUrl(await server.listen(address)),
    listenOtlpGrpc: (host, port) => otlpGrpc.listen(host, port),
    setDraining: () => {
      draining = true
    },
    close: async () => {
      draining = true
      await otlpGrpc.close()
      await acceptPendingConnections(server.server)
      await server.close()
      metrics.stop()
    },
    routes,
    registry: metrics.registry,
  }
}

/** The address that stands for all of this machine is none that a client can use. */
function loopbackUrl(url: string): string {
  return url.replace('//[::]', '//[::1]').replace('//0.0.0.0', '//127.0.0.1')
}

function createFastify(
  log: Logger,
  trustedProxies: string | undefined,
  basePath: string,
  connections: Connections,
): FastifyInstance {
  return Fastify({
    serverFactory: (execute) => {
      const server = createHttpServer({
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      })
      connections.serve(server, execute)
      return server
    },
    loggerInstance: log,
    trustProxy: trustedProxies ?? false,
    logController: new LogController({ disableRequestLogging: true }),
    // body.ts reads the bodies and enforces the limit.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    // SDKs may be configured with a base URL that ends in a slash.
    rewriteUrl: (request) => {
      request.method = routedMethod(request.method ?? 'GET')
      return withoutPrefix((request.url ?? '/').replace(/^\/{2,}/, '/'), basePath)
    },
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_CHARACTERS, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection during shutdown is still served.
    return503OnClosing: false,
    clientErrorHandler: sendClientError,
    frameworkErrors: (error, request, reply) => {
      const { status, headers, body } = renderError(asApiError(error), request)
      // No route matched, so no hook has run: write the raw response.
      reply.raw.writeHead(status, {
        ...headers,
        'content-type': 'application/json',
        'x-request-id': request.id,
      })
      reply.raw.end(body)
    },
  }) as unknown as FastifyInstance
}

/** The proxy may have removed the prefix already. */
function withoutPrefix(url: string, prefix: string): string {
  if (prefix === '' || !url.startsWith(prefix)) return url
  const rest = url.slice(prefix.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest.replace(/^\/{2,}/, '/') : url
}
