import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import { docsPage } from './docs-page.ts'
import { requestContext } from './request-context.ts'
import { sendHtml } from './html.ts'
import { LINKS } from './links.ts'
import { openApi } from './openapi.ts'
import type { BodyLimits } from './reference.ts'
import { addOtherMethods } from './refusals.ts'

export interface PageOptions {
  readonly version: string
  readonly limits: BodyLimits
  readonly metrics: () => Promise<string>
  readonly metricsType: string
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
  ...LINKS,
} as const

type PagePath = Exclude<keyof typeof PAGES, keyof typeof LINKS>

/** How long an answer of the engine is taken for granted: probes may come from many balancers at once. */
const READY_FOR_MS = 500

export function addPages(server: FastifyInstance, options: PageOptions): void {
  // Made when first asked for: describing every operation takes a quarter of a second of the start.
  const openapi = once(() => JSON.stringify(openApi(options.version, PAGES)))
  const docs = once(() => docsPage(options.version, options.limits))
  const notReady = remembering(options.notReady, READY_FOR_MS)
  const pages: Record<PagePath, (reply: FastifyReply) => Promise<FastifyReply>> = {
    '/healthz': async (reply) => reply.type('application/json').send('{"status":"ok"}'),
    '/livez': async (reply) => reply.type('application/json').send('{"status":"ok"}'),
    '/readyz': async (reply) => {
      const reason = options.isDraining() ? 'the server is shutting down' : await notReady()
      if (reason !== undefined) throw new ApiError('unavailable', reason, { retryAfterSeconds: 1 })
      return reply.type('application/json').send('{"status":"ready"}')
    },
    '/metrics': async (reply) => reply.type(options.metricsType).send(await options.metrics()),
    '/openapi.json': async (reply) => reply.type('application/json').send(openapi()),
    '/docs': async (reply) => sendHtml(reply, docs()),
  }
  for (const [url, page] of Object.entries(pages)) {
    server.get(url, async (request, reply) => {
      requestContext(request).operation = url
      reply.header('cache-control', 'no-store')
      return page(reply)
    })
    addOtherMethods(server, url, 'GET')
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
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
