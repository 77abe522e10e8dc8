import type { Right } from '../../contract/operation.ts'
import { ApiError } from '../../contract/api-error.ts'
import {
  type Credentials,
  hashApiKey,
  MIN_KEY_CHARACTERS,
  KEY_USERNAME,
  readCredentials,
  wrongCredentials,
} from '../../core/access/credentials.ts'
import { networkOf } from '../../core/access/network.ts'
import { KeyedRate } from '../../core/concurrency/keyed-rate.ts'
import { findKey } from '../../store/access/keys.ts'
import type { ProjectScopes } from '../../store/access/projects.ts'
import type { UserRow } from '../../store/access/users.ts'
import type { Caller, Deps } from '../deps.ts'
import { Directory } from './directory.ts'
import { isExpired } from './key-rows.ts'
import { KnownProjects } from './known-projects.ts'
import { PasswordVerifier } from './password-verifier.ts'
import type { AccessChange, Snapshot } from './snapshot.ts'

/** Authentication and authorization. There is one implementation, called from one hook in src/http. */
export interface Access {
  /**
   * Throws `unauthenticated` for missing, malformed or wrong credentials, `rate_limited` after too many of them. Limits
   * count by the address of the client.
   */
  authenticate(authorization: string | undefined, address?: string): Promise<Caller>
  /** Like `authenticate`, for credentials from a sign-in form: an API key, or a username and password. */
  signIn(credentials: Credentials, address?: string): Promise<Caller>
  /** Returns the owner of the session. Throws `unauthenticated` if it has expired or was revoked. */
  resumeSession(token: string, address?: string): Promise<Caller>
  /** Throws `forbidden` unless the caller has the permission in every project. */
  authorize(caller: Caller, right: Right, project_ids: readonly string[]): Promise<void>
  /** Returns a function from project to the caller's highest role in it; undefined for none. */
  roleLookup(caller: Caller): Promise<(project_id: string) => Right | undefined>
  /** Returns the projects in which the caller has a role; undefined for all. */
  projectScopes(caller: Caller): Promise<ProjectScopes | undefined>
  /** Applies a change that this process has stored, from the next request on. */
  apply(change: AccessChange): void
  /** Drops the cache, so that the next request reads the tables. */
  invalidate(): void
}

/** Limits how often single sessions are looked up in ClickHouse: for one address, and in this process. */
const SESSION_LOOKUPS = { perMinute: 300, burst: 50 } as const
const ALL_SESSION_LOOKUPS = { perMinute: 3_000, burst: 200, maxKeys: 1 } as const

export function createAccess(deps: Deps): Access {
  const nowMs = (): number => Number(deps.now() / 1000n)
  const directory = new Directory(deps.db, nowMs)
  const passwords = new PasswordVerifier(nowMs)
  const knownProjects = new KnownProjects(deps)
  const sessionLookups = new KeyedRate(SESSION_LOOKUPS)
  const allSessionLookups = new KeyedRate(ALL_SESSION_LOOKUPS)

  /** Finds the caller without the slow password check: by API key, or by a password verified before. */
  const findVerified = (snapshot: Snapshot, credentials: Credentials): Caller | undefined => {
    // The username sent with a key is ignored: SDKs send `api`, other clients send anything.
    if (credentials.secret.length >= MIN_KEY_CHARACTERS) {
      const found = snapshot.findKeyOwner(credentials.secret, 'key', nowMs())
      if (found !== undefined) return { ...callerOf(found.user), key_id: found.key.key_id }
    }
    const user = snapshot.findUser(credentials.username)
    return user !== undefined && passwords.isVerified(credentials, user) ? callerOf(user) : undefined
  }

  /** Verifies credentials that the snapshot does not contain. */
  const verify = async (stale: Snapshot, credentials: Credentials, address: string): Promise<Caller> => {
    // The key, user or password may have been created a moment ago.
    const snapshot = await directory.reloadAfterMiss(stale)
    const caller = findVerified(snapshot, credentials)
    if (caller !== undefined) return caller
    // No user can be named `api`, so there is no password to check.
    if (credentials.username === KEY_USERNAME) throw wrongCredentials()
    const user = snapshot.findUser(credentials.username)
    await passwords.verify({ credentials, user, address: networkOf(address) })
    if (user === undefined) throw wrongCredentials()
    return callerOf(user)
  }

  const findSession = (snapshot: Snapshot, token: string): Caller | undefined => {
    const found = snapshot.findKeyOwner(token, 'session', nowMs())
    if (found === undefined) return undefined
    const { key_id, expires_at } = found.key
    return { ...callerOf(found.user), key_id, expires_at: expires_at ?? '' }
  }

  /**
   * A browser uses a new session at once, possibly at a worker or node whose snapshot is older than the session. So
   * an unknown session is looked up in ClickHouse. The rate is limited, because invalid tokens would cause the same
   * lookup; beyond it, a session counts as stored if a snapshot of the last seconds has it.
   */
  const findNewSession = async (
    stale: Snapshot,
    token: string,
    address: string,
  ): Promise<Caller | undefined> => {
    const mayLookUp =
      sessionLookups.take(networkOf(address), 1, nowMs()) === 0 &&
      allSessionLookups.take('', 1, nowMs()) === 0
    if (!mayLookUp) return findSession(await directory.reloadAfterMiss(stale), token)
    const key = await findKey(deps.db, hashApiKey(token))
    if (key?.kind !== 'session' || isExpired(key, nowMs())) return undefined
    directory.apply({ keys: [{ ...key, is_deleted: 0 }] })
    const found = findSession(await directory.current(), token)
    if (found !== undefined) return found
    // Its user is new too.
    directory.invalidate()
    return findSession(await directory.current(), token)
  }

  return {
    authenticate: async (authorization, address = '') => {
      const current = directory.current()
      const snapshot = current instanceof Promise ? await current : current
      const cached = snapshot.cachedCaller(authorization)
      if (cached !== undefined) return cached
      const credentials = readCredentials(authorization)
      const caller = findVerified(snapshot, credentials)
      if (caller?.key_id !== undefined && authorization !== undefined)
        snapshot.cacheCaller(authorization, caller)
      return caller ?? verify(snapshot, credentials, address)
    },
    signIn: async (credentials, address = '') => {
      const snapshot = await directory.current()
      return findVerified(snapshot, credentials) ?? verify(snapshot, credentials, address)
    },
    resumeSession: async (token, address = '') => {
      const snapshot = await directory.current()
      const found = findSession(snapshot, token) ?? (await findNewSession(snapshot, token, address))
      if (found !== undefined) return found
      throw new ApiError('unauthenticated', 'this session has expired or was revoked; sign in again')
    },
    authorize: async (caller, right, project_ids) => {
      const current = directory.current()
      let snapshot = current instanceof Promise ? await current : current
      const isAllowed = (project_id: string): boolean => snapshot.allows(caller.user_id, right, project_id)
      if (!project_ids.every(isAllowed)) {
        snapshot = await directory.reloadAfterMiss(snapshot)
        const denied = project_ids.find((project_id) => !isAllowed(project_id))
        if (denied !== undefined) throw forbidden(right, denied)
      }
      // Only writes record the project: an administrator may list the members of a project that does not exist yet.
      if (right === 'write')
        await knownProjects.ensureRecorded(project_ids, caller, snapshot.isServerAdmin(caller.user_id))
    },
    roleLookup: async (caller) => {
      const snapshot = await directory.current()
      return (project_id) => snapshot.roleIn(caller.user_id, project_id)
    },
    projectScopes: async (caller) => (await directory.current()).scopesOf(caller.user_id),
    apply: (change) => directory.apply(change),
    invalidate: () => directory.invalidate(),
  }
}

function callerOf(user: UserRow): Caller {
  return { user_id: user.user_id, username: user.username }
}

const VERB: Readonly<Record<Right, string>> = { read: 'read', write: 'write to', admin: 'administer' }

function forbidden(right: Right, project_id: string): ApiError {
  return new ApiError(
    'forbidden',
    `you do not have permission to ${VERB[right]} ${project_id}; ask an administrator of the project for the role "${right}" (heddle projects grant)`,
  )
}
