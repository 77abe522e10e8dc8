import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { ApiError } from '../contract/api-error.ts'
import type { Access } from '../service/access/access.ts'
import type { GraphqlHandler } from '../service/graphql.ts'
import type { Handlers } from '../service/handler.ts'
import type { Quotas } from '../service/access/quotas.ts'
import { acceptAll, endConnections } from './connections.ts'
import { requestContext, openRequestContext } from './request-context.ts'
import { MemoryBudget } from './memory-budget.ts'
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_MS, REQUEST_TIMEOUT_MS, TIMEOUT_CHECK_MS } from './limits.ts'
import { addLinks } from './links.ts'
import { Metrics } from './metrics.ts'
import { addPages } from './pages.ts'
import { answerClientError, answerProblem, asProblem } from './error-responses.ts'
import { isRefusal } from './refusals.ts'
import { requestId } from './request-id.ts'
import { addOperations } from './routes.ts'
import { isOfPage } from './session-cookie.ts'
import type { WebFiles } from './web-files.ts'
import { addWeb } from './web.ts'

export interface HttpOptions {
  readonly handlers: Handlers
  readonly graphql: GraphqlHandler
  readonly access: Access
  readonly log: Logger
  readonly version: string
  /** Of one body, after decompression. */
  readonly bodyLimitBytes: number
  /** Of all bodies in memory together. */
  readonly inFlightLimitBytes: number
  readonly quotas: Quotas
  /** The built UI; without one, pages that say how to read what a link names. */
  readonly web?: WebFiles | undefined
  /** How long a request waits for room among them. */
  readonly memoryWaitMs: number
  /** Metrics of more than this process; those of this one alone if it gives none. */
  readonly allMetrics?: (() => Promise<string | undefined>) | undefined
  /** Why requests cannot be served now; undefined if they can. */
  readonly notReady: () => Promise<string | undefined>
}

export interface HttpServer {
  /** Returns the URL it answers at. */
  listen(address: { host: string; port: number }): Promise<string>
  /** From now on `/readyz` says no and connections end with their current request; answers go on. */
  setDraining(): void
  /** Stops listening and waits for the requests that are under way. */
  close(): Promise<void>
  /** Every method and path that is served, for the test that compares them with the OpenAPI document. */
  readonly routes: readonly Route[]
  /** Metrics of this process. */
  readonly registry: Registry
}

interface Route {
  readonly method: string
  readonly path: string
}

export function createServer(options: HttpOptions): HttpServer {
  const server = createFastify(options.log)
  const inFlight = new MemoryBudget({ limitBytes: options.inFlightLimitBytes, waitMs: options.memoryWaitMs })
  const metrics = new Metrics(inFlight)
  const routes: Route[] = []
  let draining = false
  endConnections(server.server)
  server.addHook('onRoute', (route) => {
    if (isRefusal(route)) return
    for (const method of [route.method].flat()) routes.push({ method, path: route.url })
  })
  server.addHook('onRequest', async (request, reply) => {
    openRequestContext(request, reply, inFlight, metrics)
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
  })
  server.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close')
  })
  const sendProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = asProblem(error)
    metrics.problem(problem.code)
    if (problem.status >= 500) {
      const { operation } = requestContext(request)
      request.log.error({ err: problem.cause ?? error, request_id: request.id, operation }, problem.message)
    }
    const { status, headers, body } = answerProblem(problem, request.id, isOfPage(request))
    return reply.code(status).headers(headers).type('application/json').send(body)
  }
  server.setErrorHandler(sendProblem)
  server.setNotFoundHandler((request, reply) =>
    sendProblem(new ApiError('not_found', 'nothing is served here; see /docs for what is'), request, reply),
  )
  addPages(server, {
    version: options.version,
    limits: options,
    metrics: async () => (await options.allMetrics?.()) ?? metrics.registry.metrics(),
    metricsType: metrics.registry.contentType,
    isDraining: () => draining,
    notReady: options.notReady,
  })
  if (options.web === undefined) addLinks(server)
  else addWeb(server, options.web)
  addOperations(server, options)
  return {
    listen: (address) => server.listen(address),
    setDraining: () => {
      draining = true
    },
    close: async () => {
      draining = true
      await acceptAll(server.server)
      await server.close()
    },
    routes,
    registry: metrics.registry,
  }
}

function createFastify(log: Logger): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Bodies are read by src/http/body.ts, which has the limit.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    // SDKs may be given a base URL that ends in a slash.
    rewriteUrl: (request) => (request.url ?? '/').replace(/^\/{2,}/, '/'),
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // A request that comes in on an open connection while we close is still answered.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      const { status, headers, body } = answerProblem(asProblem(error), request.id)
      // No route, so no hook has run: the bare response is answered.
      reply.raw.writeHead(status, {
        ...headers,
        'content-type': 'application/json',
        'x-request-id': request.id,
      })
      reply.raw.end(body)
    },
  }) as unknown as FastifyInstance
}
