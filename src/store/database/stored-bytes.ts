import { SIZE } from '../calls/read/sizes.ts'
import type { Database } from './database.ts'
import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** The storage size of a project: bytes of payloads as sent, before compression, without deleted data. */
export type StoredKind = 'calls' | 'objects' | 'tables' | 'files'

export async function readStoredBytes(db: Database, project_id: string, kind: StoredKind): Promise<number> {
  const row = await db.first<{ bytes: string }>(selectStoredBytes(project_id, kind), {
    name: 'stored bytes',
    kind: 'scan',
  })
  return Number(row?.bytes ?? 0)
}

export function selectStoredBytes(project_id: string, kind: StoredKind): Sql {
  switch (kind) {
    case 'calls':
      return sql`SELECT sum(${SIZE}) AS bytes ${from(project_id, 'calls')}`
    case 'objects':
      return sql`SELECT sum(size_bytes) AS bytes ${from(project_id, 'object_versions')} AND published_at >= deleted_at`
    case 'tables':
      return sql`SELECT sum(val.size) AS bytes ${from(project_id, 'table_rows')}`
    case 'files':
      return sql`SELECT sum(data.size) AS bytes ${from(project_id, 'files')}`
  }
}
