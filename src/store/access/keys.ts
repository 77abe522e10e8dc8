import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/** A `key` lasts until it is revoked, a `session` is the cookie of a browser, a `code` begins one session. */
type KeyKind = 'key' | 'session' | 'code'

/** API keys, by the hash of the key. Revoked ones are hidden by FINAL; those that have ended by themselves are not. */
export interface KeyRow {
  readonly key_hash: string
  readonly key_id: string
  readonly user_id: string
  readonly name: string
  readonly kind: KeyKind
  /** The key that a session was begun with; empty for a password. */
  readonly begun_with: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly changed_at: string
}

export interface KeyWrite extends KeyRow {
  readonly is_deleted: 0 | 1
}

export async function listKeys(db: Database): Promise<KeyRow[]> {
  return db.rows<KeyRow>(selectKeys, { name: 'keys list', kind: 'list' })
}

const KEY = sql`SELECT key_hash, key_id, user_id, name, kind, begun_with, created_at, expires_at, changed_at
FROM api_keys FINAL`

export const selectKeys: Sql = sql`${KEY} ORDER BY user_id, created_at, key_id`

export async function findKey(db: Database, key_hash: string): Promise<KeyRow | undefined> {
  return db.first<KeyRow>(selectKey(key_hash), { name: 'keys find', kind: 'point' })
}

export function selectKey(key_hash: string): Sql {
  return sql`${KEY} WHERE key_hash = ${key_hash}`
}

/** Also true for a key that was revoked: a setting must not bring it back. */
export async function wasKey(db: Database, key_hash: string): Promise<boolean> {
  return (await db.first(selectEverKey(key_hash), { name: 'keys was', kind: 'point' })) !== undefined
}

export function selectEverKey(key_hash: string): Sql {
  return sql`SELECT 1 FROM api_keys WHERE key_hash = ${key_hash} LIMIT 1`
}

export async function writeKeys(db: Database, rows: readonly KeyWrite[]): Promise<void> {
  await db.insert('api_keys', rows)
}
