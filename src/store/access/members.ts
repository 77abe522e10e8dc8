import type { Right } from '../../contract/operation.ts'
import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/** Memberships: the role of a user in an entity or a project. */
export interface MemberRow {
  readonly user_id: string
  readonly entity: string
  /** Empty for the whole entity. */
  readonly project: string
  readonly role: Right
  readonly changed_at: string
}

export interface MemberWrite extends MemberRow {
  readonly is_deleted: 0 | 1
}

export async function listMembers(db: Database): Promise<MemberRow[]> {
  return db.rows<MemberRow>(selectMembers, { name: 'members list', kind: 'access' })
}

export const selectMembers: Sql = sql`SELECT user_id, entity, project, role, changed_at
FROM members FINAL ORDER BY entity, project, user_id`

export async function writeMembers(db: Database, rows: readonly MemberWrite[]): Promise<void> {
  await db.insert('members', rows)
}
