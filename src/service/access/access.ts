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
import type { ProjectDeletion, ProjectScopes } from '../../store/access/projects.ts'
import { findUser, type UserRow } from '../../store/access/users.ts'
import type { Caller, Deps } from '../deps.ts'
import { Directory } from './directory.ts'
import { isExpired } from './key-rows.ts'
import { KeyUses } from './key-uses.ts'
import { KnownProjects } from './known-projects.ts'
import { PasswordVerifier } from './password-verifier.ts'
import type { AccessChange, Snapshot } from './snapshot.ts'

/** Authentication and authorization. There is one implementation, called from one hook in src/http. */
export interface Access {
  /** Reads what requests need, so that calls of other shards are accepted even if the shard of users is down later. */
  preload(): Promise<void>
  /**
   * Throws `unauthenticated` for missing, malformed or wrong credentials, `rate_limited` after too many of them. Limits
   * count by the address of the client.
   */
  authenticate(authorization: string | undefined, address?: string): Promise<Caller>
  /** Like `authenticate`, for credentials from a sign-in form: an API key, or a username and password. */
  signIn(credentials: Credentials, address?: string): Promise<Caller>
  /** Returns the owner of the session. Throws `unauthenticated` if it has expired or was revoked. */
  resumeSession(token: string, address?: string): Promise<Caller>
  /** Throws `forbidden` unless this is the current password of the user, `rate_limited` after too many wrong ones. */
  verifyPassword(user: UserRow, password: string, address?: string): Promise<void>
  /** Throws `forbidden` unless the caller is a server administrator. */
  authorizeServerAdmin(caller: Caller): Promise<void>
  /** Throws `forbidden` unless the caller has the permission in every project. */
  authorize(caller: Caller, right: Right, project_ids: readonly string[]): Promise<void>
  /** Returns a function from project to the caller's highest role in it; undefined for none. */
  roleLookup(caller: Caller): Promise<(project_id: string) => Right | undefined>
  /** Returns the projects in which the caller has a role; undefined for all. */
  projectScopes(caller: Caller): Promise<ProjectScopes | undefined>
  /** The projects that are being deleted, as far as this process knows. */
  pendingDeletions(): readonly ProjectDeletion[]
  /** Whether there is a user of this name, as far as this process knows. */
  hasUser(username: string): boolean
  /** Applies a change that this process has stored, from the next request on. */
  apply(change: AccessChange): void
  /** Drops the cache, so that the next request reads the tables. */
  invalidate(): void
}

/** Limits how often single keys, sessions and users are looked up in ClickHouse: for one address, and in this process. */
const LOOKUPS = { perMinute: 300, burst: 50 } as const
const ALL_LOOKUPS = { perMinute: 3_000, burst: 200, maxKeys: 1 } as const

export function createAccess(deps: Deps): Access {
  const nowMs = (): number => Number(deps.now() / 1000n)
  const passwords = new PasswordVerifier(nowMs)
  const knownProjects = new KnownProjects(deps)
  const keyUses = new KeyUses(deps)
  const directory = new Directory(deps.db, nowMs, (project_ids) => {
    knownProjects.forget(project_ids)
    // Whatever they hold of the deleted projects must not appear in new ones. Deletions are rare.
    deps.callWriter.forgetStarts()
    deps.cachedAggregates.clear()
  })
  const lookups = new KeyedRate(LOOKUPS)
  const allLookups = new KeyedRate(ALL_LOOKUPS)

  /** Unknown credentials are mostly wrong, and a flood of them must not keep ClickHouse busy. */
  const mayLookUp = (address: string): boolean =>
    lookups.take(networkOf(address), 1, nowMs()) === 0 && allLookups.take('', 1, nowMs()) === 0

  const withUse = (caller: Caller): Caller => {
    if (caller.key_id !== undefined) keyUses.record(caller.key_id)
    return caller
  }

  /** Finds the caller without the slow password check: by API key, or by a password verified before. */
  const findVerified = (snapshot: Snapshot, credentials: Credentials): Caller | undefined => {
    // The username sent with a key is ignored: SDKs send `api`, other clients send anything.
    if (credentials.secret.length >= MIN_KEY_CHARACTERS) {
      const found = snapshot.findKeyOwner(credentials.secret, 'key', nowMs())
      if (found !== undefined) return { ...callerOf(found.user), key_id: found.key.key_id }
    }
    const user = snapshot.findUser(credentials.username)
    if (user === undefined || user.is_disabled) return undefined
    return passwords.isVerified(credentials, user) ? callerOf(user) : undefined
  }

  const findSession = (snapshot: Snapshot, token: string): Caller | undefined => {
    const found = snapshot.findKeyOwner(token, 'session', nowMs())
    if (found === undefined) return undefined
    const { key_id, expires_at } = found.key
    return { ...callerOf(found.user), key_id, expires_at: expires_at ?? '' }
  }

  /**
   * Finds the owner of a key or session that the snapshot does not contain. It is used at once, possibly at a worker or
   * node whose snapshot is older, so it is looked up in ClickHouse. Beyond the rate of lookups it counts as stored if a
   * snapshot of the last seconds has it.
   */
  const findNewKey = async (
    stale: Snapshot,
    secret: string,
    kind: 'key' | 'session',
    find: (snapshot: Snapshot) => Caller | undefined,
    address: string,
  ): Promise<Caller | undefined> => {
    if (!mayLookUp(address)) return find(await directory.reloadAfterMiss(stale))
    const key = await findKey(deps.db, hashApiKey(secret))
    if (key?.kind !== kind || isExpired(key, nowMs())) return undefined
    if ((await directory.reloadAfterMiss(stale)).isDisabled(key.user_id)) return undefined
    directory.apply({ keys: [{ ...key, is_deleted: 0 }] })
    const found = find(await directory.current())
    if (found !== undefined) return found
    // Its user is new too.
    directory.invalidate()
    return find(await directory.current())
  }

  /**
   * The user as it is stored: after the snapshot was read, another process may have created it or changed its password,
   * for example `heddle users create`.
   */
  const findStoredUser = async (
    stale: Snapshot,
    username: string,
    address: string,
  ): Promise<UserRow | undefined> => {
    if (!mayLookUp(address)) return (await directory.reloadAfterMiss(stale)).findUser(username)
    const user = await findUser(deps.db, username)
    if (user !== undefined && user.changed_at !== stale.findUser(username)?.changed_at)
      directory.apply({ users: [{ ...user, is_deleted: 0 }] })
    return user
  }

  /** Verifies credentials that the snapshot does not contain. */
  const verify = async (snapshot: Snapshot, credentials: Credentials, address: string): Promise<Caller> => {
    const { username, secret } = credentials
    if (secret.length >= MIN_KEY_CHARACTERS) {
      const find = (newer: Snapshot): Caller | undefined => findVerified(newer, credentials)
      const caller = await findNewKey(snapshot, secret, 'key', find, address)
      if (caller !== undefined) return withUse(caller)
    }
    // No user can be named `api`, so there is no password to check.
    if (username === KEY_USERNAME) throw wrongCredentials()
    const user = await findStoredUser(snapshot, username, address)
    if (user !== undefined && !user.is_disabled && passwords.isVerified(credentials, user))
      return callerOf(user)
    await passwords.verify({ credentials, user, address: networkOf(address) })
    if (user === undefined) throw wrongCredentials()
    if (user.is_disabled) throw disabledUser()
    return callerOf(user)
  }

  return {
    preload: async () => {
      // In this order: the directory reports the projects that were deleted since.
      await knownProjects.preload()
      await directory.current()
    },
    authenticate: async (authorization, address = '') => {
      const current = directory.current()
      const snapshot = current instanceof Promise ? await current : current
      const cached = snapshot.cachedCaller(authorization)
      if (cached !== undefined) return withUse(cached)
      const credentials = readCredentials(authorization)
      const caller = findVerified(snapshot, credentials)
      if (caller?.key_id !== undefined && authorization !== undefined)
        snapshot.cacheCaller(authorization, caller)
      return caller === undefined ? verify(snapshot, credentials, address) : withUse(caller)
    },
    signIn: async (credentials, address = '') => {
      const snapshot = await directory.current()
      return findVerified(snapshot, credentials) ?? verify(snapshot, credentials, address)
    },
    resumeSession: async (token, address = '') => {
      const snapshot = await directory.current()
      const find = (each: Snapshot): Caller | undefined => findSession(each, token)
      const found = find(snapshot) ?? (await findNewKey(snapshot, token, 'session', find, address))
      if (found !== undefined) return withUse(found)
      throw new ApiError('unauthenticated', 'this session has expired or was revoked; sign in again')
    },
    verifyPassword: async (user, password, address = '') => {
      const credentials = { username: user.username, secret: password }
      await passwords.verify({ credentials, user, address: networkOf(address) }).catch((error: unknown) => {
        const isWrong = error instanceof ApiError && error.code === 'unauthenticated'
        // 401 would mean that the session has ended.
        throw isWrong ? new ApiError('forbidden', 'the current password is wrong') : error
      })
    },
    authorizeServerAdmin: async (caller) => {
      const snapshot = await directory.current()
      if (snapshot.isServerAdmin(caller.user_id)) return
      if ((await directory.reloadAfterMiss(snapshot)).isServerAdmin(caller.user_id)) return
      throw new ApiError('forbidden', 'only server administrators may do this; ask one of them')
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
      const deleting = project_ids.find((project_id) => snapshot.isBeingDeleted(project_id))
      if (deleting !== undefined) throw beingDeleted(deleting)
      // Only writes record the project: an administrator may list the members of a project that does not exist yet.
      if (right === 'write')
        await knownProjects.ensureRecorded(project_ids, caller, snapshot.isServerAdmin(caller.user_id))
    },
    roleLookup: async (caller) => {
      const snapshot = await directory.current()
      return (project_id) => snapshot.roleIn(caller.user_id, project_id)
    },
    projectScopes: async (caller) => (await directory.current()).scopesOf(caller.user_id),
    pendingDeletions: () => directory.latest?.pendingDeletions ?? [],
    hasUser: (username) => directory.latest?.findUser(username) !== undefined,
    apply: (change) => directory.apply(change),
    invalidate: () => directory.invalidate(),
  }
}

/** Only for a correct password, so it reveals nothing to others. */
export function disabledUser(): ApiError {
  return new ApiError('unauthenticated', 'this user is disabled; ask a server administrator to enable it', {
    extra: { is_disabled: true },
  })
}

function callerOf(user: UserRow): Caller {
  return { user_id: user.user_id, username: user.username }
}

/** SDKs repeat a request that gets 503: what they send during the deletion is stored in the new project. */
function beingDeleted(project_id: string): ApiError {
  return new ApiError('unavailable', `${project_id} is being deleted; try again in a minute`, {
    retryAfterSeconds: 10,
  })
}

const VERB: Readonly<Record<Right, string>> = { read: 'read', write: 'write to', admin: 'administer' }

function forbidden(right: Right, project_id: string): ApiError {
  return new ApiError(
    'forbidden',
    `you do not have permission to ${VERB[right]} ${project_id}; ask an administrator of the project for the role "${right}"`,
  )
}
