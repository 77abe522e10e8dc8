import { z } from 'zod'
import { datetime, emptyAnswer } from '../fields.ts'
import { operation } from '../operation.ts'

/** Browsers sign in once and then carry a cookie, `heddle_session`; programs send credentials with each request. */

const session = z.object({
  username: z.string(),
  user_id: z.string(),
  is_server_admin: z.boolean(),
  expires_at: datetime.nullable().meta({ description: 'null for a key or a password' }),
})

const text = z.string().min(1).max(1024)

const signIn = z
  .object({
    username: text.nullish(),
    password: text.nullish(),
    api_key: text.nullish(),
    code: text.nullish().meta({ description: 'of the link that `heddle serve` prints; good for once' }),
  })
  .refine(isOneWay, 'send a username and a password, or an api_key, or a code')

export type SignInRequest = z.output<typeof signIn>

type Ways = Partial<Record<'username' | 'password' | 'api_key' | 'code', string | null | undefined>>

function isOneWay({ username, password, api_key, code }: Ways): boolean {
  const isGiven = (field: string | null | undefined): boolean => typeof field === 'string'
  if (isGiven(username) !== isGiven(password)) return false
  return [username, api_key, code].filter(isGiven).length === 1
}

export const sessionOperations = {
  session_create: operation({
    path: '/api/v1/session',
    summary: 'Sign a browser in: the answer sets a cookie.',
    access: 'public',
    session: 'begins',
    request: signIn,
    response: session,
  }),
  session_read: operation({
    method: 'GET',
    path: '/api/v1/session',
    summary: 'Read who the caller is.',
    access: 'user',
    request: z.object({}),
    response: session,
  }),
  session_delete: operation({
    method: 'DELETE',
    path: '/api/v1/session',
    summary: 'Sign a browser out: its session counts no more.',
    access: 'user',
    session: 'ends',
    request: z.object({}),
    response: emptyAnswer,
  }),
}
