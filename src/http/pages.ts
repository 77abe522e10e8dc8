import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Registry } from 'prom-client'
import { Problem } from '../contract/problem.ts'
import { docsPage } from './docs-page.ts'
import { exchangeOf } from './exchange.ts'
import { openApi } from './openapi.ts'
import type { BodyLimits } from './reference.ts'
import { addOtherMethods } from './routes.ts'

export interface PageOptions {
  readonly version: string
  readonly limits: BodyLimits
  readonly registry: Registry
  readonly isDraining: () => boolean
  readonly notReady: () => Promise<string | undefined>
}

/** What the server says about itself. Needs no credentials: none of it holds anything of a client's. */
export const PAGES = {
  '/healthz': 'Whether the process answers; says nothing about the engine.',
  '/livez': 'The same as /healthz.',
  '/readyz': 'Whether requests can be served: 200, or 503 with the reason.',
  '/metrics': 'Metrics in the text format of Prometheus.',
  '/openapi.json': 'The description of this API, OpenAPI 3.1.',
  '/docs': 'The same for people.',
} as const

type PagePath = keyof typeof PAGES

/** How long an answer of the engine is taken for granted: probes may come from many balancers at once. */
const READY_FOR_MS = 500

export function addPages(server: FastifyInstance, options: PageOptions): void {
  const openapi = JSON.stringify(openApi(options.version, PAGES))
  const docs = docsPage(options.version, options.limits)
  const notReady = remembering(options.notReady, READY_FOR_MS)
  const pages: Record<PagePath, (reply: FastifyReply) => Promise<FastifyReply>> = {
    '/healthz': async (reply) => reply.type('application/json').send('{"status":"ok"}'),
    '/livez': async (reply) => reply.type('application/json').send('{"status":"ok"}'),
    '/readyz': async (reply) => {
      const reason = options.isDraining() ? 'the server is shutting down' : await notReady()
      if (reason !== undefined) throw new Problem('unavailable', reason, { retryAfterSeconds: 1 })
      return reply.type('application/json').send('{"status":"ready"}')
    },
    '/metrics': async (reply) =>
      reply.type(options.registry.contentType).send(await options.registry.metrics()),
    '/openapi.json': async (reply) => reply.type('application/json').send(openapi),
    '/docs': async (reply) => reply.headers(HTML_HEADERS).type('text/html; charset=utf-8').send(docs),
  }
  for (const [url, page] of Object.entries(pages)) {
    server.get(url, async (request, reply) => {
      exchangeOf(request).operation = url
      reply.header('cache-control', 'no-store')
      return page(reply)
    })
    addOtherMethods(server, 'GET', url)
  }
}

/** Nothing from elsewhere, no scripts at all, in no frame. */
const HTML_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

function remembering<T>(ask: () => Promise<T>, forMs: number): () => Promise<T> {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<T> | undefined
  return () => {
    if (answer !== undefined && performance.now() - asked < forMs) return answer
    asked = performance.now()
    answer = ask()
    return answer
  }
}
