import type { Member } from '../../contract/access/members.ts'
import { ApiError } from '../../contract/api-error.ts'
import { splitProjectId } from '../../core/access/roles.ts'
import { listMembers } from '../../store/access/members.ts'
import { findUser } from '../../store/access/users.ts'
import type { Access } from './access.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { grantRole, revokeRole } from './projects.ts'

export function membersHandlers(
  deps: Deps,
  access: Access,
): Pick<Handlers, 'members_list' | 'member_set' | 'member_remove'> {
  return {
    members_list: async ({ project_id }) => ({ members: await membersOf(deps, project_id) }),

    member_set: async ({ project_id, username, role }) => {
      await grantRole(deps, { username, where: project_id, role })
      access.forget()
      return { username, role, from: 'project' }
    },

    member_remove: async ({ project_id, username }) => {
      const theirs = (await membersOf(deps, project_id)).filter((member) => member.username === username)
      if (!theirs.some(({ from }) => from === 'project')) throw noRole(username, project_id, theirs[0])
      await revokeRole(deps, username, project_id)
      access.forget()
      return {}
    },
  }
}

/** A user is there twice who has a role in the project and another in the entity: the greater one counts. */
async function membersOf(deps: Deps, project_id: string): Promise<Member[]> {
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

function noRole(username: string, project_id: string, member: Member | undefined): ApiError {
  if (member === undefined) return new ApiError('not_found', `"${username}" has no role in ${project_id}`)
  const { entity } = splitProjectId(project_id)
  return new ApiError(
    'conflict',
    member.from === 'owner'
      ? `"${username}" owns the entity of that name; that cannot be taken away`
      : `"${username}" has this role in the whole entity "${entity}"; whoever runs the server can take it away (heddle projects revoke)`,
  )
}
