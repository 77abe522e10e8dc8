import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/** Receipts of erasures. */
interface ErasureRow {
  readonly erasure_id: string
  /** JSON. */
  readonly receipt: string
  readonly erased_at: string
}

export async function writeErasure(db: Database, row: ErasureRow): Promise<void> {
  await db.insert('erasures', [row])
}

export async function listErasures(db: Database): Promise<ErasureRow[]> {
  return db.rows<ErasureRow>(selectErasures, { name: 'erasures', kind: 'point' })
}

export const selectErasures: Sql = sql`SELECT erasure_id, receipt, erased_at FROM erasures FINAL ORDER BY erased_at DESC`
