import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { WEB_UI_HEADER } from './session-cookie.ts'

/**
 * Lets pages of the origins in `HEDDLE_CORS_ORIGINS` export OpenTelemetry, and do nothing else: other paths have no such
 * headers. `Access-Control-Allow-Credentials` is never sent, so a browser sends no cookie, and an API key is needed.
 */
export function allowOrigins(setting: string, prefixes: readonly string[]): onRequestHookHandler {
  const origins = new Set(setting.split(',').map((origin) => origin.trim().toLowerCase().replace(/\/$/, '')))
  const paths = new Set(otlpPaths().flatMap((path) => prefixes.map((prefix) => prefix + path)))
  return (request, reply, done) => {
    if (paths.has(request.routeOptions.url ?? '')) addHeaders(origins, request, reply)
    done()
  }
}

function otlpPaths(): string[] {
  return (Object.values(operations) as unknown as Operation[])
    .filter(({ body }) => body === 'otlp')
    .flatMap(({ path, aliases }) => [path, ...aliases])
}

function addHeaders(
  origins: ReadonlySet<string>,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
): void {
  // Also for other origins: a cache must not give one the response of another.
  reply.header('vary', 'Origin')
  const { origin } = headers
  if (origin === undefined || !(origins.has('*') || origins.has(origin.toLowerCase()))) return
  reply.header('access-control-allow-origin', origin)
  if (method !== 'OPTIONS') {
    reply.header('access-control-expose-headers', EXPOSED)
    return
  }
  const requested = headers['access-control-request-headers']
  reply.header('access-control-allow-methods', 'POST')
  // Exporters send any headers that they are configured with; `*` would not include Authorization. With the header of the
  // web UI, a request could use the session cookie.
  if (
    requested !== undefined &&
    HEADER_NAMES.test(requested) &&
    !requested.toLowerCase().includes(WEB_UI_HEADER)
  )
    reply.header('access-control-allow-headers', requested)
  reply.header('access-control-max-age', String(MAX_AGE_SECONDS))
}

const EXPOSED = 'retry-after, x-request-id'
const HEADER_NAMES = /^[\w\-, ]{1,1000}$/
/** Browsers keep the answer no longer than one or two hours. */
const MAX_AGE_SECONDS = 7_200
