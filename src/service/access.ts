import type { Right } from '../contract/operation.ts'
import { Problem } from '../contract/problem.ts'
import {
  type Credentials,
  KEY_MIN_CHARACTERS,
  KEY_USERNAME,
  readBasic,
  wrongCredentials,
} from '../core/credentials.ts'
import type { UserRow } from '../store/users.ts'
import type { Caller, Deps } from './deps.ts'
import { Directory } from './directory.ts'
import { KnownProjects } from './known-projects.ts'
import { SignIn } from './sign-in.ts'
import type { Snapshot } from './snapshot.ts'

/** Who is calling, and what they may do where. One implementation, called from one hook in src/http. */
export interface Access {
  /** Throws `unauthenticated` for missing, malformed or wrong credentials. */
  authenticate(authorization: string | undefined): Promise<Caller>
  /** Throws `forbidden` unless the caller has the right in every one of the projects. */
  authorize(caller: Caller, right: Right, project_ids: readonly string[]): Promise<void>
  /** What was changed in this process counts from the next request on. */
  forget(): void
}

export function createAccess(deps: Deps): Access {
  const nowMs = (): number => Number(deps.now() / 1000n)
  const directory = new Directory(deps.db, nowMs)
  const signIn = new SignIn(nowMs)
  const known = new KnownProjects(deps)

  /** Credentials that need no slow check: a key, or a password that was checked before. */
  const findKnown = (snapshot: Snapshot, credentials: Credentials): Caller | undefined => {
    // The username beside a key is not looked at: SDKs send `api`, others what they like.
    if (credentials.secret.length >= KEY_MIN_CHARACTERS) {
      const found = snapshot.findUserOfKey(credentials.secret)
      if (found !== undefined) return { ...callerOf(found.user), key_id: found.key_id }
    }
    const user = snapshot.findUser(credentials.username)
    return user !== undefined && signIn.isProven(credentials, user) ? callerOf(user) : undefined
  }

  return {
    authenticate: async (authorization) => {
      const current = directory.current()
      let snapshot = current instanceof Promise ? await current : current
      const familiar = snapshot.callerBefore(authorization)
      if (familiar !== undefined) return familiar
      const credentials = readBasic(authorization)
      const caller = findKnown(snapshot, credentials)
      if (caller?.key_id !== undefined && authorization !== undefined)
        snapshot.remember(authorization, caller)
      if (caller !== undefined) return caller
      // Perhaps the key, the user or the password was made a moment ago.
      snapshot = await directory.newerThan(snapshot)
      const made = findKnown(snapshot, credentials)
      if (made !== undefined) return made
      // Nobody can be called `api`, so there is no password to check.
      if (credentials.username === KEY_USERNAME) throw wrongCredentials()
      const user = snapshot.findUser(credentials.username)
      await signIn.prove(credentials, user)
      if (user === undefined) throw wrongCredentials()
      return callerOf(user)
    },
    authorize: async (caller, right, project_ids) => {
      const current = directory.current()
      let snapshot = current instanceof Promise ? await current : current
      const may = (project_id: string): boolean => snapshot.allows(caller.user_id, right, project_id)
      if (!project_ids.every(may)) {
        snapshot = await directory.newerThan(snapshot)
        const foreign = project_ids.find((project_id) => !may(project_id))
        if (foreign !== undefined) throw forbidden(right, foreign)
      }
      if (right !== 'read') await known.record(project_ids, caller)
    },
    forget: () => directory.forget(),
  }
}

function callerOf(user: UserRow): Caller {
  return { user_id: user.user_id, username: user.username }
}

const VERB: Readonly<Record<Right, string>> = { read: 'read', write: 'write to', admin: 'administer' }

function forbidden(right: Right, project_id: string): Problem {
  return new Problem(
    'forbidden',
    `you may not ${VERB[right]} ${project_id}; whoever administers it can grant you the role "${right}" (heddle projects grant)`,
  )
}
