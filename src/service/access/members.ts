import type { Member } from '../../contract/access/members.ts'
import { ApiError } from '../../contract/api-error.ts'
import { ROLE_CHANGES } from '../../contract/limits.ts'
import { splitProjectId } from '../../core/access/roles.ts'
import { KeyedRate } from '../../core/concurrency/keyed-rate.ts'
import { listMembers } from '../../store/access/members.ts'
import { findUser } from '../../store/access/users.ts'
import type { Access } from './access.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { grantRole, revokeRole } from './member-admin.ts'

/** Handlers for the members of a project: list, set a role, remove. */
export function membersHandlers(
  deps: Deps,
  access: Access,
): Pick<Handlers, 'members_list' | 'member_set' | 'member_remove'> {
  const changes = new KeyedRate(ROLE_CHANGES)

  const admitChange = ({ user_id }: Caller): void => {
    const retryAfterSeconds = changes.take(user_id, 1, Number(deps.now() / 1000n))
    if (retryAfterSeconds === 0) return
    const reason = `you changed too many roles; try again in ${retryAfterSeconds} s`
    throw new ApiError('rate_limited', reason, { retryAfterSeconds })
  }

  return {
    members_list: async ({ project_id }) => ({ members: await listProjectMembers(deps, project_id) }),

    member_set: async ({ project_id, username, role }, caller) => {
      admitChange(caller)
      access.apply({ members: [await grantRole(deps, { username, scope: project_id, role })] })
      return { username, role, from: 'project' }
    },

    member_remove: async ({ project_id, username }, caller) => {
      admitChange(caller)
      const members = await listProjectMembers(deps, project_id)
      const roles = members.filter((member) => member.username === username)
      if (!roles.some(({ from }) => from === 'project')) throw noProjectRole(username, project_id, roles[0])
      access.apply({ members: [await revokeRole(deps, username, project_id)] })
      return {}
    },
  }
}

/** A user with a role in the project and another in the entity is listed twice. The higher role applies. */
async function listProjectMembers(deps: Deps, project_id: string): Promise<Member[]> {
  const { entity, project } = splitProjectId(project_id)
  const owner = await findUser(deps.db, entity)
  const rows = (await listMembers(deps.db)).filter(
    (row) => row.entity === entity && (row.project === project || row.project === ''),
  )
  return [
    ...(owner === undefined ? [] : [{ username: owner.username, role: 'admin', from: 'owner' } as const]),
    ...rows.map((row) => ({
      username: row.user_id,
      role: row.role,
      from: row.project === '' ? ('entity' as const) : ('project' as const),
    })),
  ]
}

function noProjectRole(username: string, project_id: string, member: Member | undefined): ApiError {
  if (member === undefined) return new ApiError('not_found', `"${username}" has no role in ${project_id}`)
  const { entity } = splitProjectId(project_id)
  return new ApiError(
    'conflict',
    member.from === 'owner'
      ? `"${username}" owns the entity "${entity}"; this role cannot be removed`
      : `"${username}" has this role in the whole entity "${entity}"; ask a server administrator to revoke it (heddle projects revoke)`,
  )
}
