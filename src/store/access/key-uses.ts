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

/**
 * Claims a code that may be used once, and returns whether nobody else has claimed it. ClickHouse has no compare-and-set,
 * so every claim is a row of its own, and each claimant reads all claims after its own is stored: of two, at most one finds
 * no other. If both store before either reads, none gets it.
 */
export async function claimOnce(db: Database, code_id: string, claim: string, now: string): Promise<boolean> {
  await writeKeyUses(db, [{ key_id: `${claimPrefix(code_id)}${claim}`, used_at: now }])
  const row = await db.first<{ claims: number }>(countClaims(code_id), {
    name: 'code claims',
    kind: 'access',
  })
  return row?.claims === 1
}

export function countClaims(code_id: string): Sql {
  return sql`SELECT toUInt32(uniqExact(key_id)) AS claims FROM key_uses WHERE startsWith(key_id, ${claimPrefix(code_id)})`
}

/** No id of a key contains a colon. */
function claimPrefix(code_id: string): string {
  return `claim:${code_id}:`
}
