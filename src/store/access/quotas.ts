import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/** Quotas that differ from the server settings. */
export type QuotaKind = 'key' | 'project'

export interface QuotaRow {
  readonly kind: QuotaKind
  /** The id of a key, or `entity/project`. */
  readonly subject: string
  /** 0 = no limit, null = server setting. */
  readonly calls_per_second: number | null
  readonly bytes_per_second: number | null
  readonly changed_at: string
}

export interface QuotaWrite extends QuotaRow {
  readonly is_deleted: 0 | 1
}

/** 64-bit integers are text in JSON. */
type QuotaRowJson = Omit<QuotaRow, 'calls_per_second' | 'bytes_per_second'> & {
  readonly calls_per_second: string | null
  readonly bytes_per_second: string | null
}

export async function listQuotas(db: Database): Promise<QuotaRow[]> {
  const rows = await db.rows<QuotaRowJson>(selectQuotas, { name: 'quotas list', kind: 'access' })
  return rows.map((row) => ({
    ...row,
    calls_per_second: toNumber(row.calls_per_second),
    bytes_per_second: toNumber(row.bytes_per_second),
  }))
}

function toNumber(text: string | null): number | null {
  return text === null ? null : Number(text)
}

export const selectQuotas: Sql = sql`SELECT kind, subject, calls_per_second, bytes_per_second, changed_at
FROM quotas FINAL ORDER BY kind, subject`

export async function writeQuota(db: Database, row: QuotaWrite): Promise<void> {
  await db.insert('quotas', [row])
}
