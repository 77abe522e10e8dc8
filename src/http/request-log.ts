import { MIN_KEY_CHARACTERS } from '../core/access/credentials.ts'
import type { OperationName } from '../contract/operations.ts'
import type { ApiError } from '../contract/api-error.ts'
import type { Access } from '../service/access/access.ts'
import type { RequestContext } from './request-context.ts'

/** Log lines of requests: who asked for what, from where, and why it was refused. They never contain a secret. */

/** Operations whose success is logged too: who signed in, and who changed users, keys, roles and projects. */
const ADMINISTRATION: ReadonlySet<string> = new Set<OperationName>([
  'session_create',
  'password_change',
  'sessions_end',
  'user_create',
  'user_reset_password',
  'user_set_state',
  'key_create',
  'key_revoke',
  'member_set',
  'member_remove',
  'project_delete',
])

export function isAdministration({ operation }: RequestContext): boolean {
  return ADMINISTRATION.has(operation)
}

/** What an administrative request is about. No field with a password, a key or a sign-in code is in this list. */
const TARGET_FIELDS = [
  'username',
  'entity',
  'project',
  'role',
  'key_id',
  'is_disabled',
  'is_server_admin',
  'end_keys',
] as const

const REFUSALS: readonly number[] = [401, 403, 429]

/** Undefined if the request failed for another reason. */
export function refusalOf(
  error: ApiError,
  { refusedUsername, operation, input }: RequestContext,
  access: Access,
): RequestContext['refusal'] {
  if (!REFUSALS.includes(error.status)) return undefined
  const username =
    operation === 'session_create' ? (input as { username?: unknown } | undefined)?.username : refusedUsername
  const isUser = typeof username === 'string' && access.hasUser(username)
  // Some messages go on with how to authenticate.
  const reason = error.message.split(': ')[0] ?? ''
  return { reason, user: isUser ? username : undefined }
}

export function requestLine(context: RequestContext, status: number, durationMs: number): object {
  const { request_id, operation, bodyBytes, address, refusal } = context
  const user = loggedUser(context)
  return {
    request_id,
    operation,
    status,
    ms: Math.round(durationMs * 10) / 10,
    bytes: bodyBytes,
    ...(user === '' ? {} : { user }),
    ...(address === '' ? {} : { address }),
    ...(refusal === undefined ? {} : { reason: refusal.reason }),
    ...(isAdministration(context) ? targetOf(context) : {}),
  }
}

/** The caller, or for refused credentials the user whose name they have. */
export function loggedUser({ caller, refusal, signedIn }: RequestContext): string {
  return caller.username === '' ? (refusal?.user ?? signedIn ?? '') : caller.username
}

function targetOf({ input, operation }: RequestContext): object {
  // A sign-in that fails may have anything in the field of the username.
  if (operation === 'session_create' || typeof input !== 'object' || input === null) return {}
  const values = input as Readonly<Record<string, unknown>>
  const target = TARGET_FIELDS.flatMap((name) => {
    const value = values[name]
    if (value === undefined || value === null) return []
    // Somebody may have sent the key itself instead of its id.
    if (typeof value === 'string' && name === 'key_id' && value.length >= MIN_KEY_CHARACTERS) return []
    return [[name, value] as const]
  })
  return target.length === 0 ? {} : { target: Object.fromEntries(target) }
}
