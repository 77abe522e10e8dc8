import type { Database } from './database.ts'
import { type Sql, sql } from './sql.ts'

/** API keys, by the hash of the key. Revoked ones are hidden by FINAL. */
export interface KeyRow {
  readonly key_hash: string
  readonly key_id: string
  readonly user_id: string
  readonly name: string
  readonly created_at: string
  readonly changed_at: string
}

export interface KeyWrite extends KeyRow {
  readonly is_deleted: 0 | 1
}

export async function listKeys(db: Database): Promise<KeyRow[]> {
  return db.rows<KeyRow>(selectKeys, { name: 'keys list', kind: 'list' })
}

export const selectKeys: Sql = sql`SELECT key_hash, key_id, user_id, name, created_at, changed_at
FROM api_keys FINAL ORDER BY user_id, created_at, key_id`

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
