import { z } from 'zod'
import { exactlyOneOf } from '../exactly-one-of.ts'
import { datetime, emptyResponse } from '../fields.ts'
import { operation } from '../operation.ts'

/**
 * Browser sessions. A browser signs in once and then sends the cookie `heddle_session`; programs send credentials
 * with each request. See docs/decisions/0014-sessions.md.
 */

const session = z.object({
  username: z.string(),
  user_id: z.string(),
  is_server_admin: z.boolean(),
  expires_at: datetime.nullable().meta({ description: 'Null if the request used an API key or a password.' }),
})

const credential = z.string().min(1).max(1024)

const signIn = z
  .object({
    username: credential.nullish(),
    password: credential.nullish(),
    api_key: credential.nullish(),
    code: credential
      .nullish()
      .meta({ description: 'Sign-in code from the link that `heddle serve` prints; valid once.' }),
  })
  .refine(hasOneCredential, 'send a username and a password, or an api_key, or a code')
  .meta(exactlyOneOf('string', ['username', 'password'], ['api_key'], ['code']))

export type SignInRequest = z.output<typeof signIn>

type SignInFields = Partial<Record<'username' | 'password' | 'api_key' | 'code', string | null | undefined>>

function hasOneCredential({ username, password, api_key, code }: SignInFields): boolean {
  const isGiven = (field: string | null | undefined): boolean => typeof field === 'string'
  if (isGiven(username) !== isGiven(password)) return false
  return [username, api_key, code].filter(isGiven).length === 1
}

export const sessionOperations = {
  session_create: operation({
    path: '/api/v1/session',
    summary: 'Sign in and create a browser session. The response sets the session cookie.',
    access: 'public',
    errors: ['unauthenticated', 'forbidden'],
    session: 'create',
    request: signIn,
    response: session,
  }),
  session_read: operation({
    method: 'GET',
    path: '/api/v1/session',
    summary: 'Read the identity of the caller.',
    access: 'user',
    request: z.object({}),
    response: session,
  }),
  session_delete: operation({
    method: 'DELETE',
    path: '/api/v1/session',
    summary: 'Sign out and end the browser session.',
    access: 'user',
    session: 'delete',
    request: z.object({}),
    response: emptyResponse,
  }),
}
