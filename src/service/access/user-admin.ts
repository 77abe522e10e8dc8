import { ApiError } from '../../contract/api-error.ts'
import { newPassword } from '../../core/access/credentials.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { Access } from './access.ts'
import { createUser, setDisabled, setPassword, summarizeUsers } from './users.ts'

/** Handlers with which server administrators manage users. */

type UserOperation = Extract<keyof Handlers, 'users_list' | `user_${string}`>

export function userAdminHandlers(deps: Deps, access: Access): Pick<Handlers, UserOperation> {
  return {
    users_list: async () => ({ users: await summarizeUsers(deps) }),

    user_create: async ({ username, is_server_admin, adopt }) => {
      const password = newPassword()
      const user = await createUser(deps, {
        username,
        password,
        is_server_admin: is_server_admin ?? false,
        adopt: adopt ?? false,
      })
      access.apply({ users: [user] })
      return { username, password }
    },

    /** Not of the caller: a stolen session must not be enough to take over the account. */
    user_reset_password: async ({ username, end_keys }, caller) => {
      if (username === caller.username)
        throw new ApiError(
          'conflict',
          'you cannot reset your own password; change it with your current one (PUT /api/v1/account/password)',
        )
      const password = newPassword()
      access.apply(await setPassword(deps, username, password, { endKeys: end_keys ?? false }))
      return { username, password }
    },

    /** The caller stays enabled, so there is always a server administrator who can enable others again. */
    user_set_state: async ({ username, is_disabled }, caller) => {
      if (is_disabled && username === caller.username)
        throw new ApiError(
          'conflict',
          'you cannot disable yourself; ask another server administrator to do it',
        )
      access.apply(await setDisabled(deps, username, is_disabled))
      return {}
    },
  }
}
