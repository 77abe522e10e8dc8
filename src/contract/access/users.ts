import { z } from 'zod'
import { datetime, emptyResponse } from '../fields.ts'
import { operation } from '../operation.ts'

/** Operations with which server administrators manage users. */

const user = z.object({
  username: z.string(),
  is_server_admin: z.boolean(),
  is_disabled: z
    .boolean()
    .meta({ description: 'A disabled user cannot sign in. Its sessions and API keys have ended.' }),
  has_password: z.boolean().meta({ description: 'False for a user who has API keys only.' }),
  created_at: datetime,
  last_sign_in_at: datetime
    .nullable()
    .meta({ description: 'The last sign-in with a browser; null if there was none in the last month.' }),
})

export type User = z.output<typeof user>

const password = z
  .string()
  .meta({ description: 'The generated password. It is returned once and stored as a hash.' })

/** Also an entity, and shown to others: only plain characters. */
const newUsername = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
  error: 'must have at most 64 lowercase letters, digits, ".", "_" and "-", and begin with a letter or digit',
})

const username = z.string().min(1).max(256)

export const endKeys = z
  .boolean()
  .nullish()
  .meta({ description: 'Also revoke the API keys of the user; default false.' })

export const usersOperations = {
  users_list: operation({
    method: 'GET',
    path: '/api/v1/users',
    summary: 'List all users.',
    access: 'server_admin',
    request: z.object({}),
    response: z.object({ users: z.array(user) }),
  }),
  user_create: operation({
    path: '/api/v1/users',
    summary: 'Create a user with a generated password, which is returned once.',
    access: 'server_admin',
    errors: ['conflict'],
    request: z.object({
      username: newUsername,
      is_server_admin: z.boolean().nullish(),
      adopt: z.boolean().nullish().meta({
        description: 'Create the user even if projects exist under this name. The user will own them.',
      }),
    }),
    response: z.object({ username: z.string(), password }),
  }),
  user_reset_password: operation({
    path: '/api/v1/users/{username}/password',
    summary:
      'Replace the password of another user by a generated one, and end the sessions of the user. Change your own with `password_change`.',
    access: 'server_admin',
    errors: ['not_found', 'conflict'],
    request: z.object({ username, end_keys: endKeys }),
    response: z.object({ username: z.string(), password }),
  }),
  user_set_state: operation({
    method: 'PUT',
    path: '/api/v1/users/{username}/state',
    summary:
      'Disable or enable a user. Disabling ends its sessions and API keys for good, and its password is refused until it is enabled; its data stays.',
    access: 'server_admin',
    errors: ['not_found', 'conflict'],
    request: z.object({ username, is_disabled: z.boolean() }),
    response: emptyResponse,
  }),
}
