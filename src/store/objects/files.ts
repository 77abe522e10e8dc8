import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** May never change: chunks of different sizes of one file would mix. */
const CHUNK_BYTES = 512 * 1024

const COLUMNS = ['project_id', 'digest', 'chunk', 'chunks', 'data', 'created_at'] as const

export interface NewFile {
  readonly project_id: string
  readonly digest: string
  readonly content: Buffer
}

/** Uses RowBinary, because JSON cannot represent bytes that are not UTF-8. */
export async function insertFile(
  db: Database,
  { project_id, digest, content }: NewFile,
  now: Micros,
): Promise<void> {
  const chunks = Math.max(1, Math.ceil(content.length / CHUNK_BYTES))
  const rows: Buffer[] = []
  for (let chunk = 0; chunk < chunks; chunk++) {
    const data = content.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES)
    const row = new RowWriter(data.length + 1024)
    rows.push(row.string(project_id).string(digest).u32(chunk).u32(chunks).bytes(data).i64(now).take())
  }
  await db.insertBinary('files', COLUMNS, rows)
}

/** Undefined if the file, or one of its chunks, does not exist. */
export async function findFile(
  db: Database,
  project_id: string,
  digest: string,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let chunks = 0
  const rows = db.stream<{ chunks: number; data: string }>(selectChunks(project_id, digest), {
    name: 'file content',
    kind: 'list',
  })
  for await (const row of rows) {
    chunks = row.chunks
    parts.push(Buffer.from(row.data, 'base64'))
  }
  return parts.length > 0 && parts.length === chunks ? Buffer.concat(parts) : undefined
}

export function selectChunks(project_id: string, digest: string): Sql {
  return sql`SELECT chunks, base64Encode(data) AS data ${from(project_id, 'files')} AND digest = ${digest} ORDER BY chunk`
}
