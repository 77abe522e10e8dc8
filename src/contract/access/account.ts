import { z } from 'zod'
import { emptyResponse } from '../fields.ts'
import { operation } from '../operation.ts'
import { endKeys } from './users.ts'

/** Operations on the caller's own account. API keys and sessions are listed and revoked by `keys.ts`. */

export const accountOperations = {
  password_change: operation({
    method: 'PUT',
    path: '/api/v1/account/password',
    summary:
      "Change the caller's password. The caller's other sessions end, and with `end_keys` the API keys.",
    access: 'user',
    errors: ['forbidden'],
    session: 'verify',
    request: z.object({
      current_password: z.string().max(1024).nullish().meta({
        description: 'The current password; not needed by a user who has none.',
      }),
      new_password: z.string().min(8).max(1024).meta({
        description: 'Not a common one such as `12345678`, and not made of the username.',
      }),
      end_keys: endKeys,
    }),
    response: emptyResponse,
  }),
  sessions_end: operation({
    method: 'DELETE',
    path: '/api/v1/account/sessions',
    summary: "End the caller's browser sessions, except the one that sends the request.",
    access: 'user',
    request: z.object({}),
    response: z.object({ ended: z.int() }),
  }),
}
