import { ApiError } from '../../contract/api-error.ts'
import { KEY_USERNAME } from '../../core/access/credentials.ts'
import { isCommonPassword } from '../../core/access/common-passwords.ts'
import { hashPassword } from '../../core/access/password.ts'
import { formatTime, laterTime } from '../../core/time/time.ts'
import { listMembers, writeMembers } from '../../store/access/members.ts'
import { entityHasProjects } from '../../store/access/projects.ts'
import { findUser, listUsers, type UserRow, type UserWrite, writeUser } from '../../store/access/users.ts'
import { findLastSignIns, type KeyWrite } from '../../store/access/keys.ts'
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
  readonly is_disabled: boolean
  readonly has_password: boolean
  readonly created_at: string
  readonly last_sign_in_at: string | null
}

const USERNAME = /^[a-z0-9][a-z0-9._-]{0,63}$/
const PASSWORD_MIN_CHARACTERS = 8

export async function createUser(deps: Deps, input: NewUser): Promise<UserWrite> {
  const { username } = input
  checkUsername(username)
  const password_hash = await hashNewPassword(input.password, username)
  if ((await findUser(deps.db, username)) !== undefined) {
    throw new ApiError('conflict', `the user "${username}" already exists; choose another username`)
  }
  if (input.adopt !== true && (await entityHasProjects(deps.db, username))) {
    throw new ApiError(
      'conflict',
      `the entity "${username}" already has projects, which this user would own; allow that with adopt (--adopt)`,
    )
  }
  const row = newUserRow(deps, username, password_hash, input.is_server_admin ?? false)
  await writeUser(deps.db, row)
  return row
}

/** The row of a new user. Two nodes that create the same user at the same time write the same row. */
export function newUserRow(deps: Deps, username: string, password_hash: string, is_server_admin: boolean) {
  const now = formatTime(deps.now())
  return {
    username,
    user_id: username,
    password_hash,
    is_server_admin,
    is_disabled: false,
    created_at: now,
    changed_at: now,
    is_deleted: 0 as const,
  }
}

export async function summarizeUsers(deps: Deps): Promise<UserSummary[]> {
  const [users, signIns] = await Promise.all([listUsers(deps.db), findLastSignIns(deps.db)])
  return users.map(({ username, user_id, is_server_admin, is_disabled, password_hash, created_at }) => ({
    username,
    is_server_admin,
    is_disabled,
    has_password: password_hash !== '',
    created_at,
    last_sign_in_at: signIns.get(user_id) ?? null,
  }))
}

interface PasswordOptions {
  /** Also revokes the API keys of the user. */
  readonly endKeys?: boolean
  /** The id of a session that is not revoked. */
  readonly keptSession?: string | undefined
}

/** Sets the password and revokes the user's sign-in links and sessions. */
export async function setPassword(
  deps: Deps,
  username: string,
  password: string,
  { endKeys = false, keptSession }: PasswordOptions = {},
): Promise<{ readonly users: readonly UserWrite[]; readonly keys: readonly KeyWrite[] }> {
  const password_hash = await hashNewPassword(password, username)
  const user = await readUser(deps, username)
  const row = changedUser(deps, user, { password_hash })
  await writeUser(deps.db, row)
  const keys = await revokeKeys(
    deps,
    user.user_id,
    ({ kind, key_id }) => (endKeys || kind !== 'key') && key_id !== keptSession,
  )
  return { users: [row], keys }
}

/**
 * Disables or enables a user and returns the written rows. Both revoke the keys and sessions of the user: what was valid
 * before stays refused, also if a node that did not know yet has created some since. ClickHouse has no compare-and-set: two server administrators
 * may disable each other at the same moment, so the change is undone if nobody is left who could enable users.
 */
export async function setDisabled(
  deps: Deps,
  username: string,
  is_disabled: boolean,
): Promise<{ readonly users: readonly UserWrite[]; readonly keys: readonly KeyWrite[] }> {
  const user = await readUser(deps, username)
  if (user.is_disabled === is_disabled) return { users: [], keys: [] }
  // Before the user is enabled, or a request could use them.
  const revoked = is_disabled ? [] : await revokeKeys(deps, user.user_id, () => true)
  const row = changedUser(deps, user, { is_disabled })
  await writeUser(deps.db, row)
  const isActiveAdmin = (each: UserRow): boolean => each.is_server_admin && !each.is_disabled
  if (!is_disabled) return { users: [row], keys: revoked }
  if (!user.is_server_admin || (await listUsers(deps.db)).some(isActiveAdmin))
    return { users: [row], keys: await revokeKeys(deps, user.user_id, () => true) }
  await writeUser(deps.db, changedUser(deps, row, { is_disabled: false }))
  throw new ApiError('conflict', `"${username}" is the last server administrator; create another one first`)
}

function changedUser(deps: Deps, user: UserRow, change: Partial<UserRow>): UserWrite {
  return { ...user, ...change, changed_at: laterTime(deps.now(), user.changed_at), is_deleted: 0 }
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

export async function hashNewPassword(password: string | undefined, username: string): Promise<string> {
  if (password === undefined) return ''
  if (password.length < PASSWORD_MIN_CHARACTERS) {
    throw new ApiError(
      'invalid_request',
      `a password must have at least ${PASSWORD_MIN_CHARACTERS} characters`,
    )
  }
  if (isCommonPassword(password, username))
    throw new ApiError(
      'invalid_request',
      'this password is too easy to guess; choose one that does not contain the username and is not a common word, sequence or repetition, such as several random words',
    )
  return hashPassword(password)
}
