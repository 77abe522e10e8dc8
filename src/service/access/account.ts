import { ApiError } from '../../contract/api-error.ts'
import { PASSWORD_CHANGES } from '../../contract/limits.ts'
import { KeyedRate } from '../../core/concurrency/keyed-rate.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { Access } from './access.ts'
import { revokeKeys } from './key-rows.ts'
import { readUser, setPassword } from './users.ts'

/** Handlers for the caller's own account: change the password, end other sessions. */
export function accountHandlers(
  deps: Deps,
  access: Access,
): Pick<Handlers, 'password_change' | 'sessions_end'> {
  const changes = new KeyedRate(PASSWORD_CHANGES)

  return {
    password_change: async (
      { current_password, new_password, end_keys },
      { user_id, username, key_id, address },
    ) => {
      const retryAfterSeconds = changes.take(user_id, 1, Number(deps.now() / 1000n))
      if (retryAfterSeconds > 0)
        throw new ApiError(
          'rate_limited',
          `you changed your password too often; try again in ${retryAfterSeconds} s`,
          { retryAfterSeconds },
        )
      const user = await readUser(deps, username)
      if (user.password_hash !== '') await access.verifyPassword(user, current_password ?? '', address)
      access.apply(
        await setPassword(deps, username, new_password, { endKeys: end_keys ?? false, keptSession: key_id }),
      )
      return {}
    },

    sessions_end: async (_request, { user_id, key_id }) => {
      const isOther = (row: { kind: string; key_id: string }): boolean =>
        row.kind === 'session' && row.key_id !== key_id
      const keys = await revokeKeys(deps, user_id, isOther)
      access.apply({ keys })
      return { ended: keys.length }
    },
  }
}
