import { ApiError } from '../../contract/api-error.ts'
import type { SignInRequest } from '../../contract/access/session.ts'
import { KEY_USERNAME } from '../../core/access/credentials.ts'
import { SESSION_SECONDS } from '../../core/access/session.ts'
import { findUser } from '../../store/access/users.ts'
import { writeKeys } from '../../store/access/keys.ts'
import type { Access } from './access.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { endKeys, keyRow } from './key-rows.ts'
import { SignInCodes } from './sign-in-codes.ts'

export function sessionHandlers(
  deps: Deps,
  access: Access,
): Pick<Handlers, 'session_create' | 'session_read' | 'session_delete'> {
  const codes = new SignInCodes(deps)

  const whoIs = async ({ username, password, api_key, code }: SignInRequest): Promise<Caller> => {
    if (typeof code === 'string') return codes.redeem(code)
    if (typeof api_key === 'string')
      return signIn(
        access,
        KEY_USERNAME,
        api_key,
        'there is no such API key; make one with `heddle keys create`',
      )
    return signIn(access, username ?? '', password ?? '', 'the username or the password is wrong')
  }

  return {
    session_create: async (request, { session_token }) => {
      if (session_token === undefined) throw new Error('a session needs a secret')
      const { user_id, username, key_id = '' } = await whoIs(request)
      const beginning = { user_id, kind: 'session', begun_with: key_id } as const
      const row = keyRow(deps, session_token, beginning, SESSION_SECONDS * 1000)
      await writeKeys(deps.db, [row])
      access.forget()
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

    /** A key or a password goes on: there is only no cookie any more. */
    session_delete: async (_request, { key_id, expires_at }) => {
      if (expires_at === undefined) return {}
      await endKeys(deps, (row) => row.key_id === key_id)
      access.forget()
      return {}
    },
  }
}

/** What a person typed wrong is said in other words than what a program sent wrong. */
async function signIn(access: Access, username: string, secret: string, refusal: string): Promise<Caller> {
  try {
    return await access.signIn({ username, secret })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unauthenticated') throw error
    throw new ApiError('unauthenticated', refusal)
  }
}

async function isServerAdmin(deps: Deps, username: string): Promise<boolean> {
  return (await findUser(deps.db, username))?.is_server_admin === true
}
