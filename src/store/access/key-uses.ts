import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/** The last use of API keys and sessions. */
export interface KeyUseRow {
  readonly key_id: string
  readonly used_at: string
}

export async function findKeyUses(
  db: Database,
  key_ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (key_ids.length === 0) return new Map()
  const rows = await db.rows<KeyUseRow>(selectKeyUses(key_ids), { name: 'key uses', kind: 'access' })
  return new Map(rows.map(({ key_id, used_at }) => [key_id, used_at]))
}

export function selectKeyUses(key_ids: readonly string[]): Sql {
  return sql`SELECT key_id, used_at FROM key_uses FINAL WHERE key_id IN ${key_ids}`
}

export async function writeKeyUses(db: Database, rows: readonly KeyUseRow[]): Promise<void> {
  await db.insert('key_uses', rows)
}
