import type { Database } from '../database/database.ts'
import { from, fromAllProjects } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** Secrets of projects, encrypted. */
export interface SecretRow {
  readonly project_id: string
  readonly name: string
  readonly key_id: string
  readonly ciphertext: string
  readonly origins: readonly string[]
  readonly changed_by: string
  readonly changed_at: string
}

type SecretWrite = SecretRow & { readonly is_deleted: 0 | 1 }

const COLUMNS = sql`project_id, name, key_id, ciphertext, origins, changed_by, changed_at`

export async function listSecrets(db: Database, project_id: string): Promise<SecretRow[]> {
  return db.rows<SecretRow>(selectSecrets(project_id), { name: 'secrets list', kind: 'access' })
}

export function selectSecrets(project_id: string): Sql {
  return sql`SELECT ${COLUMNS} ${from(project_id, 'secrets')} ORDER BY name`
}

export async function findSecretRow(
  db: Database,
  project_id: string,
  name: string,
): Promise<SecretRow | undefined> {
  return db.first<SecretRow>(selectSecret(project_id, name), { name: 'secret', kind: 'point' })
}

export function selectSecret(project_id: string, name: string): Sql {
  return sql`SELECT ${COLUMNS} ${from(project_id, 'secrets')} AND name = ${name}`
}

/** Of all projects, to encrypt them with another key. */
export async function listOutdatedSecrets(db: Database, key_id: string): Promise<SecretRow[]> {
  return db.rows<SecretRow>(selectOutdatedSecrets(key_id), { name: 'secrets of other keys', kind: 'access' })
}

export function selectOutdatedSecrets(key_id: string): Sql {
  return sql`SELECT ${COLUMNS} ${fromAllProjects('secrets')} FINAL WHERE key_id != ${key_id} ORDER BY project_id, name`
}

export async function writeSecrets(db: Database, rows: readonly SecretWrite[]): Promise<void> {
  await db.insert('secrets', rows)
}
