import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestContext } from './request-context.ts'
import { addOtherMethods } from './refusals.ts'
import type { WebFile, WebFiles } from './web-files.ts'

/**
 * The web UI. One page answers at every address that the UI has, and at every link that SDKs print; what it shows, it
 * asks of the API as whoever is signed in. Nothing is looked up for it, so nothing of a project is told, not even
 * whether it exists.
 */
const ADDRESSES = [
  '/',
  '/sign-in',
  '/projects',
  '/:entity/:project/weave',
  '/:entity/:project/weave/*',
  '/:entity/:project/r/*',
]

/** Nothing from elsewhere, no scripts or styles within the page, in no frame. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Images and sounds of payloads, which are shown out of memory.
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
  for (const address of ADDRESSES) {
    addFile(server, address, page, PAGE_HEADERS)
  }
  for (const [path, file] of files) {
    addFile(server, path, file, { 'cross-origin-resource-policy': 'same-origin' })
  }
}

function addFile(
  server: FastifyInstance,
  url: string,
  file: WebFile,
  headers: Readonly<Record<string, string>>,
): void {
  server.get(url, async (request, reply) => {
    requestContext(request).operation = 'web'
    return sendFile(file, request, reply.headers(headers))
  })
  addOtherMethods(server, url, 'GET')
}

function sendFile(file: WebFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply
    .header('cache-control', file.isForever ? 'public, max-age=31536000, immutable' : 'no-cache')
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

/** `gzip, br;q=0.5`; a weight of nothing refuses. */
function isAccepted(encoding: string, accepted: string | string[] | undefined): boolean {
  return [accepted ?? '']
    .flat()
    .join(',')
    .split(',')
    .some((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return name === encoding && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text))
    })
}
