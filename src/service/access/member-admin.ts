import type { Right } from '../../contract/operation.ts'
import { ApiError } from '../../contract/api-error.ts'
import { formatTime, laterTime } from '../../core/time/time.ts'
import { listMembers, type MemberRow, type MemberWrite, writeMembers } from '../../store/access/members.ts'
import type { Deps } from '../deps.ts'
import { readUser } from './users.ts'

/** Administration of roles in projects and entities. */

/** A role granted to a user, as `heddle projects` shows and changes it. */
export interface Membership {
  readonly username: string
  /** `entity/project`, or `entity` for all its projects, present and future. */
  readonly scope: string
  readonly role: Right
}

const SCOPE_PATTERN = /^([^/\p{Cc}]{1,254})(?:\/([^/\p{Cc}]{1,254}))?$/u

export async function summarizeMembers(deps: Deps): Promise<Membership[]> {
  return (await listMembers(deps.db)).map(({ user_id, entity, project, role }) => ({
    username: user_id,
    scope: project === '' ? entity : `${entity}/${project}`,
    role,
  }))
}

/** Grants the role and returns the row. It replaces the user's previous role in the same scope. */
export async function grantRole(deps: Deps, { username, scope, role }: Membership): Promise<MemberWrite> {
  const { entity, project } = parseScope(scope)
  const { user_id } = await readUser(deps, username)
  const before = await findMember(deps, user_id, { entity, project })
  const changed_at = before === undefined ? formatTime(deps.now()) : laterTime(deps.now(), before.changed_at)
  return writeMember(deps, { entity, project, user_id, role, changed_at, is_deleted: 0 })
}

export async function revokeRole(deps: Deps, username: string, scope: string): Promise<MemberWrite> {
  const { user_id } = await readUser(deps, username)
  const member = await findMember(deps, user_id, parseScope(scope))
  if (member === undefined) {
    throw new ApiError(
      'not_found',
      `"${username}" has no role in ${scope}; list roles with \`heddle projects members\``,
    )
  }
  const changed_at = laterTime(deps.now(), member.changed_at)
  return writeMember(deps, { ...member, changed_at, is_deleted: 1 })
}

async function writeMember(deps: Deps, row: MemberWrite): Promise<MemberWrite> {
  await writeMembers(deps.db, [row])
  return row
}

interface Scope {
  readonly entity: string
  readonly project: string
}

async function findMember(deps: Deps, user_id: string, scope: Scope): Promise<MemberRow | undefined> {
  return (await listMembers(deps.db)).find(
    (row) => row.user_id === user_id && row.entity === scope.entity && row.project === scope.project,
  )
}

function parseScope(scope: string): Scope {
  const match = SCOPE_PATTERN.exec(scope)
  if (match === null) {
    throw new ApiError(
      'invalid_request',
      `"${scope}" must be <entity>/<project>, or <entity> for all its projects`,
    )
  }
  return { entity: match[1] ?? '', project: match[2] ?? '' }
}
