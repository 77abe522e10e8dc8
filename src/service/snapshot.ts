import { timingSafeEqual } from 'node:crypto'
import type { Right } from '../contract/operation.ts'
import { hashApiKey } from '../core/credentials.ts'
import { implies, splitProjectId } from '../core/roles.ts'
import type { KeyRow } from '../store/keys.ts'
import type { MemberRow } from '../store/members.ts'
import type { UserRow } from '../store/users.ts'
import type { Caller } from './deps.ts'

export interface SnapshotRows {
  readonly users: readonly UserRow[]
  readonly keys: readonly KeyRow[]
  readonly members: readonly MemberRow[]
  readonly readAtMs: number
  readonly tookMs: number
}

/** A key may come with any username beside it. */
const MOST_CALLERS = 10_000

/** Who there was and what they might do at one moment; answers without I/O. */
export class Snapshot {
  readonly readAtMs: number
  readonly tookMs: number
  readonly #byName: ReadonlyMap<string, UserRow>
  readonly #byId: ReadonlyMap<string, UserRow>
  readonly #byKeyHash: ReadonlyMap<string, KeyRow>
  /** user_id -> `entity/project`, or `entity/` for the whole entity -> role */
  readonly #roles: ReadonlyMap<string, ReadonlyMap<string, Right>>

  /** By header, for keys only: finding out whose a key is takes 30 µs, as much as reading a small request. */
  readonly #callers = new Map<string, Caller>()

  constructor(rows: SnapshotRows) {
    this.readAtMs = rows.readAtMs
    this.tookMs = rows.tookMs
    this.#byName = new Map(rows.users.map((user) => [user.username, user]))
    this.#byId = new Map(rows.users.map((user) => [user.user_id, user]))
    this.#byKeyHash = new Map(rows.keys.map((key) => [key.key_hash, key]))
    this.#roles = rolesOf(rows.members)
  }

  callerBefore(authorization: string | undefined): Caller | undefined {
    return authorization === undefined ? undefined : this.#callers.get(authorization)
  }

  remember(authorization: string, caller: Caller): void {
    if (this.#callers.size < MOST_CALLERS) this.#callers.set(authorization, caller)
  }

  findUser(username: string): UserRow | undefined {
    return this.#byName.get(username)
  }

  /** Whose key this is; undefined for one that is unknown, revoked, or whose user is gone. */
  findUserOfKey(key: string): { readonly user: UserRow; readonly key_id: string } | undefined {
    const key_hash = hashApiKey(key)
    const row = this.#byKeyHash.get(key_hash)
    if (row === undefined || !timingSafeEqual(Buffer.from(row.key_hash), Buffer.from(key_hash)))
      return undefined
    const user = this.#byId.get(row.user_id)
    return user === undefined ? undefined : { user, key_id: row.key_id }
  }

  /** The same whether the project exists or not: an answer gives no hint of what others have. */
  allows(user_id: string, right: Right, project_id: string): boolean {
    const user = this.#byId.get(user_id)
    if (user === undefined) return false
    if (user.is_server_admin) return true
    const { entity } = splitProjectId(project_id)
    // Everyone owns the entity that bears their name.
    if (entity === user.username) return true
    const roles = this.#roles.get(user_id)
    if (roles === undefined) return false
    return implies(roles.get(`${entity}/`), right) || implies(roles.get(project_id), right)
  }
}

function rolesOf(members: readonly MemberRow[]): Map<string, Map<string, Right>> {
  const byUser = new Map<string, Map<string, Right>>()
  for (const { user_id, entity, project, role } of members) {
    const roles = byUser.get(user_id) ?? new Map<string, Right>()
    byUser.set(user_id, roles.set(`${entity}/${project}`, role))
  }
  return byUser
}
