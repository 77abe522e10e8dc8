import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import { cachedFor } from '../core/concurrency/cached-for.ts'
import { docsPage } from './docs/docs-page.ts'
import { sendHtml } from './html.ts'
import type { LargeRequests } from './large-requests.ts'
import { LINKS } from './links.ts'
import { openApi } from './docs/openapi.ts'
import type { BodyLimits } from './docs/reference.ts'
import { addMethodNotAllowed } from './unsupported-routes.ts'

export interface PageOptions {
  readonly version: string
  readonly basePath: string
  readonly limits: BodyLimits
  readonly metrics: () => Promise<string>
  readonly metricsType: string
  readonly isDraining: () => boolean
  readonly notReadyReason: () => Promise<string | undefined>
  readonly unavailableShards: () => readonly number[]
  readonly largeRequests?: LargeRequests | undefined
}

/** Health, metrics and documentation endpoints. They need no credentials: none contains data of a project. */
export const PAGES = {
  '/healthz': 'Liveness: 200 while the process responds. Does not check ClickHouse.',
  '/livez': 'Same as /healthz.',
  '/readyz':
    'Readiness: 200 if requests can be served, otherwise 503 with the reason. Names the shards of a cluster that do not respond.',
  '/metrics': 'Metrics in the Prometheus text format.',
  '/openapi.json': 'OpenAPI 3.1 document of this API.',
  '/docs': 'API reference as an HTML page.',
  ...LINKS,
} as const

type PagePath = Exclude<keyof typeof PAGES, keyof typeof LINKS>

/** How long a readiness result is cached: many load balancers may probe at the same time. */
const READINESS_CACHE_MS = 500

export function addPages(server: FastifyInstance, options: PageOptions): void {
  const { largeRequests } = options
  // Built on first use, and if possible by the thread for large requests: describing every operation takes 0.2 s.
  const openapi = once(() => JSON.stringify(openApi(options.version, PAGES, options.basePath)))
  const docs = once(() => docsPage(options.version, options.limits, options.basePath))
  const notReadyReason = cachedFor(options.notReadyReason, READINESS_CACHE_MS)
  const pages: Record<PagePath, (reply: FastifyReply) => Promise<FastifyReply>> = {
    '/healthz': async (reply) => reply.type('application/json').send('{"status":"ok"}'),
    '/livez': async (reply) => reply.type('application/json').send('{"status":"ok"}'),
    '/readyz': async (reply) => {
      const reason = options.isDraining() ? 'the server is shutting down' : await notReadyReason()
      if (reason !== undefined) throw new ApiError('unavailable', reason, { retryAfterSeconds: 1 })
      const unavailable_shards = options.unavailableShards()
      return reply.type('application/json').send(
        JSON.stringify({
          status: 'ready',
          ...(unavailable_shards.length === 0 ? {} : { unavailable_shards }),
        }),
      )
    },
    '/metrics': async (reply) => reply.type(options.metricsType).send(await options.metrics()),
    '/openapi.json': async (reply) => reply.type('application/json').send(openapi()),
    '/docs': async (reply) => sendHtml(reply, docs()),
  }
  for (const [url, page] of Object.entries(pages)) {
    server.get(url, async (request, reply) => {
      request.requestContext.operation = url
      if (largeRequests !== undefined && (url === '/openapi.json' || url === '/docs'))
        return largeRequests.forward(request, reply, undefined)
      reply.header('cache-control', 'no-store')
      return page(reply)
    })
    addMethodNotAllowed(server, url, 'GET')
  }
}

function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined
  return () => (cached ??= { value: make() }).value
}
