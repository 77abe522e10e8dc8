import { ApiError } from '../../contract/api-error.ts'
import { MAX_SESSIONS_PER_USER, NEW_SESSIONS } from '../../contract/limits.ts'
import type { SignInRequest } from '../../contract/access/session.ts'
import { KEY_USERNAME } from '../../core/access/credentials.ts'
import { SESSION_SECONDS } from '../../core/access/session.ts'
import { findUser } from '../../store/access/users.ts'
import { KeyedRate } from '../../core/concurrency/keyed-rate.ts'
import { type KeyWrite, listKeysOf, writeKeys } from '../../store/access/keys.ts'
import { type Access, disabledUser } from './access.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { isExpired, newKeyRow, revokedRow, revokeKeys } from './key-rows.ts'
import { SignInCodes } from './sign-in-codes.ts'

/** Handlers for browser sessions: sign in, read, sign out. */
export function sessionHandlers(
  deps: Deps,
  access: Access,
): Pick<Handlers, 'session_create' | 'session_read' | 'session_delete'> {
  const codes = new SignInCodes(deps)
  const creations = new KeyedRate(NEW_SESSIONS)

  const authenticate = async (
    { username, password, api_key, code }: SignInRequest,
    address: string,
  ): Promise<Caller> => {
    if (typeof code === 'string') return codes.redeem(code, address)
    const isKey = typeof api_key === 'string'
    const credentials = isKey
      ? { username: KEY_USERNAME, secret: api_key }
      : { username: username ?? '', secret: password ?? '' }
    return access.signIn(credentials, address).catch((error: unknown) => {
      throw isKey ? explainFailure(error, UNKNOWN_KEY) : explainFailure(error, WRONG_PASSWORD)
    })
  }

  /** The rows that end the oldest sessions of the user, so that it stays below the maximum with a new one. */
  const endOldSessions = async (user_id: string): Promise<KeyWrite[]> => {
    const nowMs = Number(deps.now() / 1000n)
    const active = (await listKeysOf(deps.db, user_id)).filter(
      (row) => row.kind === 'session' && !isExpired(row, nowMs),
    )
    const excess = Math.max(0, active.length + 1 - MAX_SESSIONS_PER_USER)
    return active.slice(0, excess).map((row) => revokedRow(deps, row))
  }

  return {
    session_create: async (request, { session_token, address = '', browser = '' }) => {
      if (session_token === undefined) throw new Error('a session needs a secret')
      const { user_id, username, key_id = '' } = await authenticate(request, address)
      // The snapshot of this process may not have the user's state yet, and a sign-in link does not use it.
      const user = await findUser(deps.db, username)
      if (user === undefined || user.is_disabled) throw disabledUser()
      const retryAfterSeconds = creations.take(user_id, 1, Number(deps.now() / 1000n))
      if (retryAfterSeconds > 0)
        throw new ApiError(
          'rate_limited',
          `this user signs in too often; try again in ${retryAfterSeconds} s`,
          { retryAfterSeconds },
        )
      const session = { user_id, name: browser, kind: 'session', created_with: key_id } as const
      const row = newKeyRow(deps, session_token, session, SESSION_SECONDS * 1000)
      const keys = [row, ...(await endOldSessions(user_id))]
      await writeKeys(deps.db, keys)
      access.apply({ keys })
      return {
        username,
        user_id,
        is_server_admin: user.is_server_admin,
        expires_at: row.expires_at,
      }
    },

    session_read: async (_request, { username, user_id, expires_at = null }) => ({
      username,
      user_id,
      is_server_admin: await isServerAdmin(deps, username),
      expires_at,
    }),

    /** Revokes the session. A request with an API key or password has none, so nothing is revoked. */
    session_delete: async (_request, { user_id, key_id, expires_at }) => {
      if (expires_at === undefined) return {}
      access.apply({ keys: await revokeKeys(deps, user_id, (row) => row.key_id === key_id) })
      return {}
    },
  }
}

const UNKNOWN_KEY = 'there is no such API key; create one with `heddle keys create`'
const WRONG_PASSWORD = 'the username or password is wrong'

/** Replaces the generic credentials error by one for a person at the sign-in form. */
function explainFailure(error: unknown, message: string): unknown {
  const isWrong =
    error instanceof ApiError && error.code === 'unauthenticated' && error.extra['is_disabled'] !== true
  return isWrong ? new ApiError('unauthenticated', message) : error
}

async function isServerAdmin(deps: Deps, username: string): Promise<boolean> {
  return (await findUser(deps.db, username))?.is_server_admin === true
}
