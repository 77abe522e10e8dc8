import type { Database } from '../database/database.ts'
import { type Sql, sql } from '../query/sql.ts'

/** Users: people and programs that may sign in. The table is small and read completely. */
export interface UserRow {
  readonly username: string
  readonly user_id: string
  /** Empty for a user who has API keys only. */
  readonly password_hash: string
  readonly is_server_admin: boolean
  /** A disabled user is refused, whatever credentials it sends. */
  readonly is_disabled: boolean
  readonly created_at: string
  /** The newest row wins, so a change must be later than the row that it replaces, even if clocks of nodes differ. */
  readonly changed_at: string
}

export interface UserWrite extends UserRow {
  readonly is_deleted: 0 | 1
}

export async function listUsers(db: Database): Promise<UserRow[]> {
  return db.rows<UserRow>(selectUsers, { name: 'users list', kind: 'access' })
}

const USER = sql`SELECT username, user_id, password_hash, is_server_admin, is_disabled, created_at, changed_at
FROM users FINAL`

export const selectUsers: Sql = sql`${USER} ORDER BY username`

export async function findUser(db: Database, username: string): Promise<UserRow | undefined> {
  return db.first<UserRow>(selectUser(username), { name: 'users find', kind: 'access' })
}

export function selectUser(username: string): Sql {
  return sql`${USER} WHERE username = ${username}`
}

/** Also true for a deleted user: a setting must not restore a user that somebody deleted. */
export async function userEverExisted(db: Database, username: string): Promise<boolean> {
  return (await db.first(selectEverUser(username), { name: 'users ever', kind: 'access' })) !== undefined
}

export function selectEverUser(username: string): Sql {
  return sql`SELECT 1 FROM users WHERE username = ${username} LIMIT 1`
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.first(selectAnyUser, { name: 'users any', kind: 'access' })) !== undefined
}

export const selectAnyUser: Sql = sql`SELECT 1 FROM users LIMIT 1`

export async function writeUser(db: Database, row: UserWrite): Promise<void> {
  await db.insert('users', [row])
}
