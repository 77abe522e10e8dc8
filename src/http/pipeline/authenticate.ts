import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import { browserName } from '../../core/access/browser-name.ts'
import { newSessionToken, readCredentials } from '../../core/access/credentials.ts'
import type { Access } from '../../service/access/access.ts'
import type { Caller } from '../../service/deps.ts'
import { isOtlpProtobuf } from '../otlp-request.ts'
import { ANONYMOUS, isAnonymous } from '../request-context.ts'
import { disableCaching, rejectCrossSiteSignIn, sessionTokenFor } from '../session-cookie.ts'
import type { Endpoint, PipelineOptions } from './endpoint.ts'

/** Step 2: authenticates the caller. */
export function authenticate({ name, operation }: Endpoint, { access, unauthenticated }: PipelineOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const context = request.requestContext
    context.operation = name
    context.sendsStatus = operation.body === 'otlp' && isOtlpProtobuf(request.headers)
    if (operation.session === 'create') rejectCrossSiteSignIn(request)
    const token = sessionTokenFor(request)
    if (operation.session !== undefined || token !== undefined) disableCaching(reply)
    try {
      context.caller = await identifyCaller(operation, request, access, token)
    } catch (error) {
      context.refusedUsername = usernameIn(authorizationIn(request.headers))
      throw error
    }
    if (!isAnonymous(context)) unauthenticated.recordAuthenticated(request.socket)
  }
}

/** The only place that reads credentials. */
export async function identifyCaller(
  operation: Operation,
  request: FastifyRequest,
  access: Access,
  token = sessionTokenFor(request),
): Promise<Caller> {
  if (operation.session === 'create')
    return {
      ...ANONYMOUS,
      session_token: newSessionToken(),
      address: request.ip,
      browser: browserName(request.headers['user-agent'] ?? ''),
    }
  if (operation.access === 'public') return ANONYMOUS
  const { forwardedCaller } = request.requestContext
  if (forwardedCaller !== undefined) return forwardedCaller
  const caller =
    token === undefined
      ? await access.authenticate(authorizationIn(request.headers), request.ip)
      : await access.resumeSession(token, request.ip)
  if (operation.session === 'verify') return { ...caller, address: request.ip }
  if (token !== undefined) return caller
  return rejectsUnknownFields(request) ? { ...caller, rejectsUnknownFields: true } : caller
}

/** The username of an Authorization header, whether or not there is such a user. */
export function usernameIn(authorization: string | undefined): string | undefined {
  try {
    return readCredentials(authorization).username
  } catch {
    return undefined
  }
}

/** An API key may also be in a header of its own, as W&B's OpenTelemetry endpoint accepts it. */
export function authorizationIn(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'wandb-api-key': key } = headers
  return authorization ?? (typeof key === 'string' ? `Bearer ${key}` : undefined)
}

/** Python SDKs up to 0.52.43: they send a retry id, but not yet their capabilities. */
function rejectsUnknownFields({ headers }: FastifyRequest): boolean {
  return headers['x-weave-retry-id'] !== undefined && headers['x-weave-client-capabilities'] === undefined
}
