import { timingSafeEqual } from 'node:crypto'
import type { Right } from '../../contract/operation.ts'
import { hashApiKey } from '../../core/access/credentials.ts'
import { implies, splitProjectId } from '../../core/access/roles.ts'
import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import type { KeyRow, KeyWrite } from '../../store/access/keys.ts'
import type { MemberRow, MemberWrite } from '../../store/access/members.ts'
import type { ProjectDeletion, ProjectScopes } from '../../store/access/projects.ts'
import type { UserRow, UserWrite } from '../../store/access/users.ts'
import type { Caller } from '../deps.ts'
import { isExpired } from './key-rows.ts'

/** Users, API keys and roles as of one moment, and what this process has changed since. */

/** The rows a snapshot is built from, and when they were read. */
export interface SnapshotRows {
  readonly users: readonly UserRow[]
  readonly keys: readonly KeyRow[]
  readonly members: readonly MemberRow[]
  readonly deletions: readonly ProjectDeletion[]
  readonly readAtMs: number
  readonly readDurationMs: number
}

/** Rows that this process has written. */
export interface AccessChange {
  readonly users?: readonly UserWrite[]
  readonly keys?: readonly KeyWrite[]
  readonly members?: readonly MemberWrite[]
  readonly deletions?: readonly ProjectDeletion[]
}

/** Limits the caller cache: a key may be sent with any username, and each combination is one header. */
const MAX_CACHED_CALLERS = 10_000

/** Lookups need no I/O. */
export class Snapshot {
  readonly readAtMs: number
  readonly readDurationMs: number
  readonly #byName = new Map<string, UserRow>()
  /** Without disabled users, who therefore have no role and no valid key. */
  readonly #byId = new Map<string, UserRow>()
  readonly #disabled = new Set<string>()
  readonly #byKeyHash: Map<string, KeyRow>
  /** Projects whose data is being deleted. */
  readonly #deleting = new Map<string, ProjectDeletion>()
  /** user_id -> `entity/project`, or `entity/` for the whole entity -> role */
  readonly #roles = new Map<string, Map<string, Right>>()

  /**
   * Callers by authorization header, for API keys only. Hashing a key takes 30 µs, as long as parsing a small
   * request.
   */
  #callers = new BoundedMap<string, Caller>(MAX_CACHED_CALLERS)

  constructor(rows: SnapshotRows) {
    this.readAtMs = rows.readAtMs
    this.readDurationMs = rows.readDurationMs
    for (const user of rows.users) this.#setUser(user)
    this.#byKeyHash = new Map(rows.keys.map((key) => [key.key_hash, key]))
    for (const member of rows.members) this.#setRole(member)
    for (const deletion of rows.deletions) this.#setDeletion(deletion)
  }

  /** Applies a change that is stored, so that it takes effect without reading the tables again. */
  apply({ users = [], keys = [], members = [], deletions = [] }: AccessChange): void {
    for (const deletion of deletions) this.#setDeletion(deletion)
    for (const user of users) {
      if (user.is_deleted === 0) this.#setUser(user)
      else this.#removeUser(user)
    }
    for (const key of keys) {
      if (key.is_deleted === 0) this.#byKeyHash.set(key.key_hash, key)
      else this.#byKeyHash.delete(key.key_hash)
    }
    if (users.length > 0 || keys.some((key) => key.is_deleted === 1))
      this.#callers = new BoundedMap(MAX_CACHED_CALLERS)
    for (const member of members) {
      if (member.is_deleted === 0) this.#setRole(member)
      else this.#roles.get(member.user_id)?.delete(roleScope(member))
    }
  }

  cachedCaller(authorization: string | undefined): Caller | undefined {
    return authorization === undefined ? undefined : this.#callers.get(authorization)
  }

  cacheCaller(authorization: string, caller: Caller): void {
    this.#callers.set(authorization, caller)
  }

  /** Also finds a disabled user. */
  findUser(username: string): UserRow | undefined {
    return this.#byName.get(username)
  }

  /**
   * Finds the owner of a key or session; undefined if it is unknown, revoked or expired, or its user was removed or
   * disabled.
   */
  findKeyOwner(
    secret: string,
    kind: 'key' | 'session',
    nowMs: number,
  ): { readonly user: UserRow; readonly key: KeyRow } | undefined {
    const key_hash = hashApiKey(secret)
    const key = this.#byKeyHash.get(key_hash)
    if (key === undefined || !timingSafeEqual(Buffer.from(key.key_hash), Buffer.from(key_hash)))
      return undefined
    // A session token is not accepted as an API key, nor a key as a session, nor a sign-in code as either.
    if (key.kind !== kind || isExpired(key, nowMs)) return undefined
    const user = this.#byId.get(key.user_id)
    return user === undefined ? undefined : { user, key }
  }

  /** Does not depend on whether the project exists, so a response reveals nothing about others' projects. */
  allows(user_id: string, right: Right, project_id: string): boolean {
    return implies(this.roleIn(user_id, project_id), right)
  }

  isBeingDeleted(project_id: string): boolean {
    return this.#deleting.has(project_id)
  }

  get pendingDeletions(): ProjectDeletion[] {
    return [...this.#deleting.values()]
  }

  isDisabled(user_id: string): boolean {
    return this.#disabled.has(user_id)
  }

  isServerAdmin(user_id: string): boolean {
    return this.#byId.get(user_id)?.is_server_admin === true
  }

  /** The projects in which the user has a role; undefined for all. */
  scopesOf(user_id: string): ProjectScopes | undefined {
    const user = this.#byId.get(user_id)
    if (user?.is_server_admin === true) return undefined
    const scopes = [...(this.#roles.get(user_id)?.keys() ?? [])]
    const isEntity = (scope: string): boolean => scope.endsWith('/')
    return {
      entities: [...(user === undefined ? [] : [user.username]), ...scopes.filter(isEntity).map(entityOf)],
      project_ids: scopes.filter((scope) => !isEntity(scope)),
    }
  }

  /** The higher of the roles in the project and in its entity; undefined for none. */
  roleIn(user_id: string, project_id: string): Right | undefined {
    const user = this.#byId.get(user_id)
    if (user === undefined) return undefined
    if (user.is_server_admin) return 'admin'
    const { entity } = splitProjectId(project_id)
    // Every user owns the entity named after them.
    if (entity === user.username) return 'admin'
    const roles = this.#roles.get(user_id)
    const entityRole = roles?.get(`${entity}/`)
    const projectRole = roles?.get(project_id)
    return entityRole !== undefined && implies(entityRole, projectRole ?? entityRole)
      ? entityRole
      : projectRole
  }

  #setDeletion(deletion: ProjectDeletion): void {
    if (deletion.is_deleted === 0) this.#deleting.set(deletion.project_id, deletion)
    else this.#deleting.delete(deletion.project_id)
  }

  #setUser(user: UserRow): void {
    this.#byName.set(user.username, user)
    if (user.is_disabled) {
      this.#byId.delete(user.user_id)
      this.#disabled.add(user.user_id)
    } else {
      this.#byId.set(user.user_id, user)
      this.#disabled.delete(user.user_id)
    }
  }

  #removeUser({ username, user_id }: UserRow): void {
    this.#byName.delete(username)
    this.#byId.delete(user_id)
    this.#disabled.delete(user_id)
  }

  #setRole(member: MemberRow): void {
    const roles = this.#roles.get(member.user_id) ?? new Map<string, Right>()
    this.#roles.set(member.user_id, roles.set(roleScope(member), member.role))
  }
}

/** `entity/project`; `entity/` for the whole entity. */
function roleScope({ entity, project }: MemberRow): string {
  return `${entity}/${project}`
}

function entityOf(scope: string): string {
  return splitProjectId(scope).entity
}
