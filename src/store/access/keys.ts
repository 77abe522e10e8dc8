import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/** A `key` is an API key, a `session` is the cookie of a browser, a `code` creates one session. */
type KeyKind = 'key' | 'session' | 'code'

/** Credentials, by the hash of the key. FINAL hides revoked ones, but not expired ones. */
export interface KeyRow {
  readonly key_hash: string
  readonly key_id: string
  readonly user_id: string
  readonly name: string
  readonly kind: KeyKind
  /** The id of the key that a session or key was created with, and ends with; empty for a password. */
  readonly created_with: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly changed_at: string
}

export interface KeyWrite extends KeyRow {
  readonly is_deleted: 0 | 1
}

export async function listKeys(db: Database): Promise<KeyRow[]> {
  return db.rows<KeyRow>(selectKeys, { name: 'keys list', kind: 'access' })
}

const KEY = sql`SELECT key_hash, key_id, user_id, name, kind, created_with, created_at, expires_at, changed_at
FROM api_keys FINAL`

export const selectKeys: Sql = sql`${KEY} ORDER BY user_id, created_at, key_id`

export async function listKeysOf(db: Database, user_id: string): Promise<KeyRow[]> {
  return db.rows<KeyRow>(selectKeysOf(user_id), { name: 'keys of user', kind: 'access' })
}

export function selectKeysOf(user_id: string): Sql {
  return sql`${KEY} WHERE user_id = ${user_id} ORDER BY created_at, key_id`
}

export async function findKey(db: Database, key_hash: string): Promise<KeyRow | undefined> {
  return db.first<KeyRow>(selectKey(key_hash), { name: 'keys find', kind: 'access' })
}

export function selectKey(key_hash: string): Sql {
  return sql`${KEY} WHERE key_hash = ${key_hash}`
}

/** When each user signed in last with a browser. Includes ended sessions, until a day after they would have expired. */
export async function findLastSignIns(db: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ user_id: string; signed_in_at: string }>(selectLastSignIns, {
    name: 'last sessions',
    kind: 'access',
  })
  return new Map(rows.map(({ user_id, signed_in_at }) => [user_id, signed_in_at]))
}

export const selectLastSignIns: Sql = sql`SELECT user_id, max(created_at) AS signed_in_at
FROM api_keys WHERE kind = 'session' GROUP BY user_id`

/** Also true for a revoked key: a setting must not restore it. */
export async function keyEverExisted(db: Database, key_hash: string): Promise<boolean> {
  return (await db.first(selectEverKey(key_hash), { name: 'keys ever', kind: 'access' })) !== undefined
}

export function selectEverKey(key_hash: string): Sql {
  return sql`SELECT 1 FROM api_keys WHERE key_hash = ${key_hash} LIMIT 1`
}

export async function writeKeys(db: Database, rows: readonly KeyWrite[]): Promise<void> {
  await db.insert('api_keys', rows)
}
