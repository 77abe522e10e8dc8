import type { Right } from '../../contract/operation.ts'
import { ApiError } from '../../contract/api-error.ts'
import { formatTime, laterTime } from '../../core/time/time.ts'
import { listMembers, type MemberRow, writeMembers } from '../../store/access/members.ts'
import type { Deps } from '../deps.ts'
import { readUser } from './users.ts'

/** Administration of membership: who has which role where. */
export interface Membership {
  readonly username: string
  /** `entity/project`, or `entity` for all its projects, present and future. */
  readonly where: string
  readonly role: Right
}

const WHERE = /^([^/\p{Cc}]{1,128})(?:\/([^/\p{Cc}]{1,128}))?$/u

export async function summarizeMembers(deps: Deps): Promise<Membership[]> {
  return (await listMembers(deps.db)).map(({ user_id, entity, project, role }) => ({
    username: user_id,
    where: project === '' ? entity : `${entity}/${project}`,
    role,
  }))
}

/** Gives the role; one that the user had there before is replaced. */
export async function grantRole(deps: Deps, { username, where, role }: Membership): Promise<void> {
  const place = readPlace(where)
  const { user_id } = await readUser(deps, username)
  const before = await findMember(deps, user_id, place)
  const changed_at = before === undefined ? formatTime(deps.now()) : laterTime(deps.now(), before.changed_at)
  await writeMembers(deps.db, [{ ...place, user_id, role, changed_at, is_deleted: 0 }])
}

export async function revokeRole(deps: Deps, username: string, where: string): Promise<void> {
  const { user_id } = await readUser(deps, username)
  const member = await findMember(deps, user_id, readPlace(where))
  if (member === undefined) {
    throw new ApiError('not_found', `"${username}" has no role in ${where}; see \`heddle projects members\``)
  }
  await writeMembers(deps.db, [
    { ...member, changed_at: laterTime(deps.now(), member.changed_at), is_deleted: 1 },
  ])
}

interface Place {
  readonly entity: string
  readonly project: string
}

async function findMember(deps: Deps, user_id: string, place: Place): Promise<MemberRow | undefined> {
  return (await listMembers(deps.db)).find(
    (row) => row.user_id === user_id && row.entity === place.entity && row.project === place.project,
  )
}

function readPlace(where: string): Place {
  const match = WHERE.exec(where)
  if (match === null) {
    throw new ApiError('invalid_request', `"${where}" is neither <entity>/<project> nor <entity>`)
  }
  return { entity: match[1] ?? '', project: match[2] ?? '' }
}
