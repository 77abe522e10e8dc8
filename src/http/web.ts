import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { servedEndpoints, unimplementedEndpoints } from '../contract/weave-api.ts'
import { addMethodNotAllowed } from './unsupported-routes.ts'
import type { WebFile, WebFiles } from './web-files.ts'

/**
 * Serves the web UI, a single-page application. Every route of the UI and every link that SDKs print returns the same
 * page, which loads its data from the API as the signed-in user. Serving it looks nothing up, so it does not reveal
 * whether a project exists.
 */
const UI_ROUTES = [
  '/',
  '/sign-in',
  '/projects',
  '/account',
  '/server',
  '/:entity/:project/weave',
  '/:entity/:project/weave/*',
  '/:entity/:project/r/*',
]

/** No external resources, no inline scripts or styles, no framing. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Images and audio of payloads are shown from memory.
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

export function addWeb(server: FastifyInstance, { page, files }: WebFiles): void {
  for (const route of UI_ROUTES) {
    addFile(server, route, page, PAGE_HEADERS)
  }
  for (const [path, file] of files) {
    addFile(server, path, file, { 'cross-origin-resource-policy': 'same-origin' })
  }
}

/** First segments of the paths of the API: an unknown path below one is a mistake of a client, not of a reader. */
const API_SEGMENTS: ReadonlySet<string> = new Set([
  'api',
  'traces',
  'otel',
  'graphql',
  ...[...servedEndpoints(), ...unimplementedEndpoints()].map(({ path }) => path.split('/')[1] ?? ''),
])

/** Whether a browser requests a page that does not exist. API clients do not ask for HTML, and get JSON. */
export function isPageRequest({ method, url, headers }: FastifyRequest): boolean {
  const segment = url.split(/[/?#]/)[1] ?? ''
  return (
    (method === 'GET' || method === 'HEAD') &&
    !API_SEGMENTS.has(segment) &&
    /\btext\/html\b/i.test(headers.accept ?? '')
  )
}

/** Sends the UI with status 404; its router shows "Page not found". */
export function sendMissingPage(
  { page }: WebFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  request.requestContext.operation = 'web'
  return reply
    .code(404)
    .headers(PAGE_HEADERS)
    .header('cache-control', 'no-store')
    .header('vary', 'accept')
    .type(page.type)
    .send(page.bytes)
}

function addFile(
  server: FastifyInstance,
  url: string,
  file: WebFile,
  headers: Readonly<Record<string, string>>,
): void {
  server.get(url, async (request, reply) => {
    request.requestContext.operation = 'web'
    return sendFile(file, request, reply.headers(headers))
  })
  addMethodNotAllowed(server, url, 'GET')
}

function sendFile(file: WebFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .header('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  reply.type(file.type)
  for (const [encoding, bytes] of file.encodings) {
    if (isAccepted(encoding, request.headers['accept-encoding']))
      return reply.header('content-encoding', encoding).send(bytes)
  }
  return reply.send(file.bytes)
}

/** Reads `Accept-Encoding`, such as `gzip, br;q=0.5`; `q=0` excludes an encoding. */
function isAccepted(encoding: string, header: string | string[] | undefined): boolean {
  return [header ?? '']
    .flat()
    .join(',')
    .split(',')
    .some((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return name === encoding && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text))
    })
}
