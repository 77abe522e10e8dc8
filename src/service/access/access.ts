import type { Right } from '../../contract/operation.ts'
import { ApiError } from '../../contract/api-error.ts'
import {
  type Credentials,
  hashApiKey,
  KEY_MIN_CHARACTERS,
  KEY_USERNAME,
  readBasic,
  wrongCredentials,
} from '../../core/access/credentials.ts'
import { TokenBucket } from '../../core/concurrency/token-bucket.ts'
import { findKey } from '../../store/access/keys.ts'
import type { UserRow } from '../../store/access/users.ts'
import type { Caller, Deps } from '../deps.ts'
import { Directory } from './directory.ts'
import { hasEnded } from './key-rows.ts'
import { KnownProjects } from './known-projects.ts'
import { SignIn } from './sign-in.ts'
import type { Snapshot } from './snapshot.ts'

/** Who is calling, and what they may do where. One implementation, called from one hook in src/http. */
export interface Access {
  /** Throws `unauthenticated` for missing, malformed or wrong credentials. */
  authenticate(authorization: string | undefined): Promise<Caller>
  /** The same for credentials that come another way: a key, or a username and a password. */
  signIn(credentials: Credentials): Promise<Caller>
  /** Whose session this is. Throws `unauthenticated` if it has ended. */
  resume(token: string): Promise<Caller>
  /** Throws `forbidden` unless the caller has the right in every one of the projects. */
  authorize(caller: Caller, right: Right, project_ids: readonly string[]): Promise<void>
  /** What the caller may at most in each project; undefined where they may nothing. */
  rolesOf(caller: Caller): Promise<(project_id: string) => Right | undefined>
  /** What was changed in this process counts from the next request on. */
  forget(): void
}

/** Sessions that a process asks the engine for, one by one. */
const LOOK_UPS = { perSecond: 20, burstSeconds: 5 } as const

export function createAccess(deps: Deps): Access {
  const nowMs = (): number => Number(deps.now() / 1000n)
  const directory = new Directory(deps.db, nowMs)
  const signIn = new SignIn(nowMs)
  const known = new KnownProjects(deps)
  const lookUps = new TokenBucket(LOOK_UPS.perSecond, LOOK_UPS.burstSeconds, nowMs())

  /** Credentials that need no slow check: a key, or a password that was checked before. */
  const findKnown = (snapshot: Snapshot, credentials: Credentials): Caller | undefined => {
    // The username beside a key is not looked at: SDKs send `api`, others what they like.
    if (credentials.secret.length >= KEY_MIN_CHARACTERS) {
      const found = snapshot.findUserOfKey(credentials.secret, 'key', nowMs())
      if (found !== undefined) return { ...callerOf(found.user), key_id: found.key.key_id }
    }
    const user = snapshot.findUser(credentials.username)
    return user !== undefined && signIn.isProven(credentials, user) ? callerOf(user) : undefined
  }

  /** Credentials that a snapshot does not know. */
  const prove = async (refusing: Snapshot, credentials: Credentials): Promise<Caller> => {
    // Perhaps the key, the user or the password was made a moment ago.
    const snapshot = await directory.newerThan(refusing)
    const made = findKnown(snapshot, credentials)
    if (made !== undefined) return made
    // Nobody can be called `api`, so there is no password to check.
    if (credentials.username === KEY_USERNAME) throw wrongCredentials()
    const user = snapshot.findUser(credentials.username)
    await signIn.prove(credentials, user)
    if (user === undefined) throw wrongCredentials()
    return callerOf(user)
  }

  const findSession = (snapshot: Snapshot, token: string): Caller | undefined => {
    const found = snapshot.findUserOfKey(token, 'session', nowMs())
    if (found === undefined) return undefined
    const { key_id, expires_at } = found.key
    return { ...callerOf(found.user), key_id, expires_at: expires_at ?? '' }
  }

  /**
   * A browser uses its session the moment it has one, at any worker or node, which may have read the tables just
   * before. So a session is looked up by itself; not for ever, if many ask for what is not there.
   */
  const beganElsewhere = async (token: string): Promise<boolean> => {
    if (lookUps.waitMs(1, nowMs()) > 0) return false
    lookUps.take(1, nowMs())
    const key = await findKey(deps.db, hashApiKey(token))
    return key !== undefined && !hasEnded(key, nowMs())
  }

  return {
    authenticate: async (authorization) => {
      const current = directory.current()
      const snapshot = current instanceof Promise ? await current : current
      const familiar = snapshot.callerBefore(authorization)
      if (familiar !== undefined) return familiar
      const credentials = readBasic(authorization)
      const caller = findKnown(snapshot, credentials)
      if (caller?.key_id !== undefined && authorization !== undefined)
        snapshot.remember(authorization, caller)
      return caller ?? prove(snapshot, credentials)
    },
    signIn: async (credentials) => {
      const snapshot = await directory.current()
      return findKnown(snapshot, credentials) ?? prove(snapshot, credentials)
    },
    resume: async (token) => {
      const known = findSession(await directory.current(), token)
      if (known !== undefined) return known
      if (await beganElsewhere(token)) {
        directory.forget()
        const found = findSession(await directory.current(), token)
        if (found !== undefined) return found
      }
      throw new ApiError('unauthenticated', 'this session has ended; sign in again')
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
      // Administering is no write: a project whose members are looked at need not be there.
      if (right === 'write') await known.record(project_ids, caller)
    },
    rolesOf: async (caller) => {
      const snapshot = await directory.current()
      return (project_id) => snapshot.roleIn(caller.user_id, project_id)
    },
    forget: () => directory.forget(),
  }
}

function callerOf(user: UserRow): Caller {
  return { user_id: user.user_id, username: user.username }
}

const VERB: Readonly<Record<Right, string>> = { read: 'read', write: 'write to', admin: 'administer' }

function forbidden(right: Right, project_id: string): ApiError {
  return new ApiError(
    'forbidden',
    `you may not ${VERB[right]} ${project_id}; whoever administers it can grant you the role "${right}" (heddle projects grant)`,
  )
}
