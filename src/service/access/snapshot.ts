import { timingSafeEqual } from 'node:crypto'
import type { Right } from '../../contract/operation.ts'
import { hashApiKey } from '../../core/access/credentials.ts'
import { implies, splitProjectId } from '../../core/access/roles.ts'
import type { KeyRow } from '../../store/access/keys.ts'
import type { MemberRow } from '../../store/access/members.ts'
import type { UserRow } from '../../store/access/users.ts'
import type { Caller } from '../deps.ts'
import { hasEnded } from './key-rows.ts'

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

  /** Whose key or session this is; undefined for one that is unknown, revoked, past its end, or whose user is gone. */
  findUserOfKey(
    secret: string,
    kind: 'key' | 'session',
    nowMs: number,
  ): { readonly user: UserRow; readonly key: KeyRow } | undefined {
    const key_hash = hashApiKey(secret)
    const key = this.#byKeyHash.get(key_hash)
    if (key === undefined || !timingSafeEqual(Buffer.from(key.key_hash), Buffer.from(key_hash)))
      return undefined
    // A cookie is no key and a key no cookie; a code is neither.
    if (key.kind !== kind || hasEnded(key, nowMs)) return undefined
    const user = this.#byId.get(key.user_id)
    return user === undefined ? undefined : { user, key }
  }

  /** The same whether the project exists or not: an answer gives no hint of what others have. */
  allows(user_id: string, right: Right, project_id: string): boolean {
    return implies(this.roleIn(user_id, project_id), right)
  }

  /** The greater of the roles in the project and in its entity; undefined for none. */
  roleIn(user_id: string, project_id: string): Right | undefined {
    const user = this.#byId.get(user_id)
    if (user === undefined) return undefined
    if (user.is_server_admin) return 'admin'
    const { entity } = splitProjectId(project_id)
    // Everyone owns the entity that bears their name.
    if (entity === user.username) return 'admin'
    const roles = this.#roles.get(user_id)
    const ofEntity = roles?.get(`${entity}/`)
    const ofProject = roles?.get(project_id)
    return ofEntity !== undefined && implies(ofEntity, ofProject ?? ofEntity) ? ofEntity : ofProject
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
