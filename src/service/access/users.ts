import { ApiError } from '../../contract/api-error.ts'
import { KEY_USERNAME } from '../../core/access/credentials.ts'
import { hashPassword } from '../../core/access/password.ts'
import { formatTime, laterTime } from '../../core/time/time.ts'
import { listMembers, writeMembers } from '../../store/access/members.ts'
import { isProjectOfEntity } from '../../store/access/projects.ts'
import { findUser, listUsers, type UserRow, writeUser } from '../../store/access/users.ts'
import type { Deps } from '../deps.ts'
import { endKeys } from './key-rows.ts'

/** Administration of users. A name is also an entity, and part of what others see, so it stays plain. */
export interface UserInput {
  readonly username: string
  /** Without one the user signs in with API keys only. */
  readonly password?: string | undefined
  readonly is_server_admin?: boolean
  /** Let the user own projects that are already there under this name. */
  readonly adopt?: boolean
}

/** What may be shown of a user. */
export interface UserSummary {
  readonly username: string
  readonly is_server_admin: boolean
  readonly has_password: boolean
  readonly created_at: string
}

const USERNAME = /^[a-z0-9][a-z0-9._-]{0,63}$/
const PASSWORD_MIN_CHARACTERS = 8

export async function createUser(deps: Deps, input: UserInput): Promise<void> {
  const { username } = input
  checkUsername(username)
  const password_hash = await hashNewPassword(input.password)
  if ((await findUser(deps.db, username)) !== undefined) {
    throw new ApiError('conflict', `there is already a user "${username}"`)
  }
  if (input.adopt !== true && (await isProjectOfEntity(deps.db, username))) {
    throw new ApiError(
      'conflict',
      `there are already projects in the entity "${username}", which this user would own; if that is meant, use --adopt`,
    )
  }
  await writeUser(deps.db, newUser(deps, username, password_hash, input.is_server_admin ?? false))
}

/** Two nodes that make the same user at the same time write the same row. */
export function newUser(deps: Deps, username: string, password_hash: string, is_server_admin: boolean) {
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

/** Whoever signed in with the old one is signed out. */
export async function setPassword(deps: Deps, username: string, password: string): Promise<void> {
  const password_hash = await hashNewPassword(password)
  const user = await readUser(deps, username)
  await writeUser(deps.db, {
    ...user,
    password_hash,
    changed_at: laterTime(deps.now(), user.changed_at),
    is_deleted: 0,
  })
  await endKeys(deps, (row) => row.user_id === user.user_id && row.kind === 'session')
}

/** The user's keys and memberships go first: a user made later under the same name gets none of them. */
export async function removeUser(deps: Deps, username: string): Promise<void> {
  const user = await readUser(deps, username)
  const gone = <Row extends { changed_at: string }>(row: Row) => ({
    ...row,
    changed_at: laterTime(deps.now(), row.changed_at),
    is_deleted: 1 as const,
  })
  const isTheirs = (row: { user_id: string }): boolean => row.user_id === user.user_id
  await endKeys(deps, isTheirs)
  await writeMembers(deps.db, (await listMembers(deps.db)).filter(isTheirs).map(gone))
  await writeUser(deps.db, gone(user))
}

export async function readUser(deps: Deps, username: string): Promise<UserRow> {
  const user = await findUser(deps.db, username)
  if (user === undefined)
    throw new ApiError('not_found', `there is no user "${username}"; see \`heddle users list\``)
  return user
}

function checkUsername(username: string): void {
  if (USERNAME.test(username) && username !== KEY_USERNAME) return
  throw new ApiError(
    'invalid_request',
    `"${username}" cannot be a username: use lowercase letters, digits, ".", "_" and "-", at most 64, but not "${KEY_USERNAME}"`,
  )
}

export async function hashNewPassword(password: string | undefined): Promise<string> {
  if (password === undefined) return ''
  if (password.length < PASSWORD_MIN_CHARACTERS) {
    throw new ApiError('invalid_request', `a password has at least ${PASSWORD_MIN_CHARACTERS} characters`)
  }
  return hashPassword(password)
}
