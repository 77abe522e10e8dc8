import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import { isSessionToken } from '../core/access/credentials.ts'
import { SESSION_SECONDS } from '../core/access/session.ts'
import type { Caller } from '../service/deps.ts'

/** The cookie of a browser that is signed in. Scripts cannot read it, and no answer tells it. */
export const SESSION_COOKIE = 'heddle_session'

/** Sent by our own pages with all they ask. */
const PAGE_HEADER = 'x-heddle-web'

/**
 * The session that a request may use. Browsers send the cookie with whatever any page asks of us. `SameSite=Strict`
 * keeps out pages of other sites, but not those of other ports and subdomains of this one. So what may change
 * something needs a header that a page of another origin cannot send: its browser would have to ask us first
 * (a CORS preflight), and we never say yes. Who sends credentials of their own means those.
 */
export function tokenFor(request: FastifyRequest): string | undefined {
  if (request.headers.authorization !== undefined) return undefined
  const isHarmless = request.method === 'GET' || request.method === 'HEAD'
  return isHarmless || isMarked(request) ? tokenIn(request) : undefined
}

/** One of our pages asks, whether it is signed in or not. */
export function isOfPage(request: FastifyRequest): boolean {
  if (request.headers.authorization !== undefined) return false
  return isMarked(request) || tokenIn(request) !== undefined
}

/**
 * A page of another site could sign somebody in as somebody else, and read later what they entrusted to that account.
 * Browsers say where a POST comes from; programs do not, and have nobody to mislead.
 */
export function refuseOtherPages(request: FastifyRequest): void {
  if (request.headers.origin === undefined || isMarked(request)) return
  throw new ApiError('forbidden', `a page signs in with the header "${PAGE_HEADER}: 1"`)
}

/** Nothing between us and the browser keeps an answer that is for one person. */
export function neverStore(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store')
}

export function setCookie(
  session: 'begins' | 'ends',
  { session_token = '' }: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const begins = session === 'begins'
  const parts = [
    `${SESSION_COOKIE}=${begins ? session_token : ''}`,
    'Path=/',
    `Max-Age=${begins ? SESSION_SECONDS : 0}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isHttps(request) ? ['Secure'] : []),
  ]
  reply.header('set-cookie', parts.join('; '))
}

/** Believed without asking who says so: it can only make the cookie stricter. */
function isHttps({ headers }: FastifyRequest): boolean {
  const forwarded = [headers['x-forwarded-proto'] ?? ''].flat().join(',').split(',')[0]?.trim()
  return forwarded === 'https' || headers.origin?.startsWith('https://') === true
}

function isMarked(request: FastifyRequest): boolean {
  return request.headers[PAGE_HEADER] === '1'
}

function tokenIn({ headers }: FastifyRequest): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.split('=', 2).map((part) => part.trim())
    if (name === SESSION_COOKIE && isSessionToken(value)) return value
  }
  return undefined
}
