import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../contract/api-error.ts'
import { isSessionToken } from '../core/access/credentials.ts'
import { SESSION_SECONDS } from '../core/access/session.ts'
import type { Caller } from '../service/deps.ts'

/** The session cookie of a signed-in browser. Scripts cannot read it, and no response body contains it. */
export const SESSION_COOKIE = 'heddle_session'

/** The web UI sends this header with every request. */
export const WEB_UI_HEADER = 'x-heddle-web'

/**
 * Returns the session token that a request may use; this is the CSRF protection. `SameSite=Strict` excludes pages of
 * other sites, but not of other ports and subdomains of this host. So unsafe methods also need a header that a page of
 * another origin can only send after a CORS preflight, which we never allow (cors.ts). Credentials in a header take
 * precedence over the cookie.
 */
export function sessionTokenFor(request: FastifyRequest): string | undefined {
  if (hasCredentials(request)) return undefined
  const isSafeMethod = request.method === 'GET' || request.method === 'HEAD'
  return isSafeMethod || hasWebUiHeader(request) ? cookieToken(request) : undefined
}

function hasCredentials({ headers }: FastifyRequest): boolean {
  return headers.authorization !== undefined || headers['wandb-api-key'] !== undefined
}

/** Whether the request comes from the web UI, signed in or not. */
export function isWebUiRequest(request: FastifyRequest): boolean {
  if (hasCredentials(request)) return false
  return hasWebUiHeader(request) || cookieToken(request) !== undefined
}

/**
 * Prevents login CSRF: a page of another site could sign a user in to an attacker's account and later read what the
 * user stored there. Browsers send Origin with a POST; programs do not, and are not affected.
 */
export function rejectCrossSiteSignIn(request: FastifyRequest): void {
  if (request.headers.origin === undefined || hasWebUiHeader(request)) return
  throw new ApiError('forbidden', `signing in from a page needs the header "${WEB_UI_HEADER}: 1"`)
}

/** For responses that are private to one user. */
export function disableCaching(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store')
}

export function setSessionCookie(
  session: 'create' | 'delete',
  { session_token = '' }: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): void {
  const isNew = session === 'create'
  const parts = [
    `${SESSION_COOKIE}=${isNew ? session_token : ''}`,
    `Path=${path}`,
    `Max-Age=${isNew ? SESSION_SECONDS : 0}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isHttps(request) ? ['Secure'] : []),
  ]
  reply.header('set-cookie', parts.join('; '))
}

/** Trusts X-Forwarded-Proto from any client: it can only make the cookie stricter. */
function isHttps({ headers }: FastifyRequest): boolean {
  const forwarded = [headers['x-forwarded-proto'] ?? ''].flat().join(',').split(',')[0]?.trim()
  return forwarded === 'https' || headers.origin?.startsWith('https://') === true
}

function hasWebUiHeader(request: FastifyRequest): boolean {
  return request.headers[WEB_UI_HEADER] === '1'
}

function cookieToken({ headers }: FastifyRequest): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.split('=', 2).map((part) => part.trim())
    if (name === SESSION_COOKIE && isSessionToken(value)) return value
  }
  return undefined
}
