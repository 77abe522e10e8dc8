import { ApiError } from '../../contract/api-error.ts'
import { KEY_USERNAME } from '../../core/access/credentials.ts'
import { hashPassword } from '../../core/access/password.ts'
import { formatTime, laterTime } from '../../core/time/time.ts'
import { listMembers, writeMembers } from '../../store/access/members.ts'
import { entityHasProjects } from '../../store/access/projects.ts'
import { findUser, listUsers, type UserRow, writeUser } from '../../store/access/users.ts'
import type { Deps } from '../deps.ts'
import { revokeKeys } from './key-rows.ts'

/** Administration of users: create, list, set passwords, remove. */

/** A user to create. The username is also an entity and is shown to others, so only plain characters are allowed. */
export interface NewUser {
  readonly username: string
  /** Without a password the user signs in with API keys only. */
  readonly password?: string | undefined
  readonly is_server_admin?: boolean
  /** Create the user even though projects exist under this name. The user will own them. */
  readonly adopt?: boolean
}

/** A user without the password hash. */
export interface UserSummary {
  readonly username: string
  readonly is_server_admin: boolean
  readonly has_password: boolean
  readonly created_at: string
}

const USERNAME = /^[a-z0-9][a-z0-9._-]{0,63}$/
const PASSWORD_MIN_CHARACTERS = 8

export async function createUser(deps: Deps, input: NewUser): Promise<void> {
  const { username } = input
  checkUsername(username)
  const password_hash = await hashNewPassword(input.password)
  if ((await findUser(deps.db, username)) !== undefined) {
    throw new ApiError('conflict', `the user "${username}" already exists; choose another username`)
  }
  if (input.adopt !== true && (await entityHasProjects(deps.db, username))) {
    throw new ApiError(
      'conflict',
      `the entity "${username}" already has projects, which this user would own; use --adopt to allow that`,
    )
  }
  await writeUser(deps.db, newUserRow(deps, username, password_hash, input.is_server_admin ?? false))
}

/** The row of a new user. Two nodes that create the same user at the same time write the same row. */
export function newUserRow(deps: Deps, username: string, password_hash: string, is_server_admin: boolean) {
  const now = formatTime(deps.now())
  return {
    username,
    user_id: username,
    password_hash,
    is_server_admin,
    created_at: now,
    changed_at: now,
    is_deleted: 0 as const,
  }
}

export async function summarizeUsers(deps: Deps): Promise<UserSummary[]> {
  return (await listUsers(deps.db)).map(({ username, is_server_admin, password_hash, created_at }) => ({
    username,
    is_server_admin,
    has_password: password_hash !== '',
    created_at,
  }))
}

/** Sets the password and revokes the user's sessions. */
export async function setPassword(deps: Deps, username: string, password: string): Promise<void> {
  const password_hash = await hashNewPassword(password)
  const user = await readUser(deps, username)
  await writeUser(deps.db, {
    ...user,
    password_hash,
    changed_at: laterTime(deps.now(), user.changed_at),
    is_deleted: 0,
  })
  await revokeKeys(deps, user.user_id, (row) => row.kind === 'session')
}

/** Removes keys and memberships first, so that a later user of the same name inherits none of them. */
export async function removeUser(deps: Deps, username: string): Promise<void> {
  const user = await readUser(deps, username)
  const deletedRow = <Row extends { changed_at: string }>(row: Row) => ({
    ...row,
    changed_at: laterTime(deps.now(), row.changed_at),
    is_deleted: 1 as const,
  })
  const belongsToUser = (row: { user_id: string }): boolean => row.user_id === user.user_id
  await revokeKeys(deps, user.user_id, () => true)
  await writeMembers(deps.db, (await listMembers(deps.db)).filter(belongsToUser).map(deletedRow))
  await writeUser(deps.db, deletedRow(user))
}

export async function readUser(deps: Deps, username: string): Promise<UserRow> {
  const user = await findUser(deps.db, username)
  if (user === undefined)
    throw new ApiError('not_found', `there is no user "${username}"; list users with \`heddle users list\``)
  return user
}

function checkUsername(username: string): void {
  if (USERNAME.test(username) && username !== KEY_USERNAME) return
  throw new ApiError(
    'invalid_request',
    `"${username}" is not a valid username: use at most 64 lowercase letters, digits, ".", "_" and "-"; "${KEY_USERNAME}" is reserved`,
  )
}

export async function hashNewPassword(password: string | undefined): Promise<string> {
  if (password === undefined) return ''
  if (password.length < PASSWORD_MIN_CHARACTERS) {
    throw new ApiError(
      'invalid_request',
      `a password must have at least ${PASSWORD_MIN_CHARACTERS} characters`,
    )
  }
  return hashPassword(password)
}
