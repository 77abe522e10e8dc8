import { ApiError } from '../../contract/api-error.ts'
import type { SignInRequest } from '../../contract/access/session.ts'
import { KEY_USERNAME } from '../../core/access/credentials.ts'
import { SESSION_SECONDS } from '../../core/access/session.ts'
import { findUser } from '../../store/access/users.ts'
import { writeKeys } from '../../store/access/keys.ts'
import type { Access } from './access.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { revokeKeys, newKeyRow } from './key-rows.ts'
import { SignInCodes } from './sign-in-codes.ts'

/** Handlers for browser sessions: sign in, read, sign out. */
export function sessionHandlers(
  deps: Deps,
  access: Access,
): Pick<Handlers, 'session_create' | 'session_read' | 'session_delete'> {
  const codes = new SignInCodes(deps)

  const authenticate = async ({ username, password, api_key, code }: SignInRequest): Promise<Caller> => {
    if (typeof code === 'string') return codes.redeem(code)
    if (typeof api_key === 'string')
      return signIn(
        access,
        KEY_USERNAME,
        api_key,
        'there is no such API key; create one with `heddle keys create`',
      )
    return signIn(access, username ?? '', password ?? '', 'the username or password is wrong')
  }

  return {
    session_create: async (request, { session_token }) => {
      if (session_token === undefined) throw new Error('a session needs a secret')
      const { user_id, username, key_id = '' } = await authenticate(request)
      const session = { user_id, kind: 'session', created_with: key_id } as const
      const row = newKeyRow(deps, session_token, session, SESSION_SECONDS * 1000)
      await writeKeys(deps.db, [row])
      access.invalidate()
      return {
        username,
        user_id,
        is_server_admin: await isServerAdmin(deps, username),
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
    session_delete: async (_request, { key_id, expires_at }) => {
      if (expires_at === undefined) return {}
      await revokeKeys(deps, (row) => row.key_id === key_id)
      access.invalidate()
      return {}
    },
  }
}

/** Replaces the generic credentials error by one for a person at the sign-in form. */
async function signIn(access: Access, username: string, secret: string, message: string): Promise<Caller> {
  try {
    return await access.signIn({ username, secret })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unauthenticated') throw error
    throw new ApiError('unauthenticated', message)
  }
}

async function isServerAdmin(deps: Deps, username: string): Promise<boolean> {
  return (await findUser(deps.db, username))?.is_server_admin === true
}
