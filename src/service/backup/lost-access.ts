import type { Right } from '../../contract/operation.ts'
import { splitProjectId } from '../../core/access/roles.ts'
import { listMembers, type MemberRow } from '../../store/access/members.ts'
import { listQuotas, type QuotaRow } from '../../store/access/quotas.ts'
import { listUsers } from '../../store/access/users.ts'
import type { Database } from '../../store/database/database.ts'

/** What a restored project had of roles and quotas, and has no longer. They are not restored: somebody may have revoked them. */
export interface LostAccess {
  /** Roles in the project of users who still exist, and have none in it now. */
  readonly lost_roles: readonly { readonly username: string; readonly role: Right }[]
  readonly lost_quota: Pick<QuotaRow, 'calls_per_second' | 'bytes_per_second'> | null
}

export async function listLostAccess(
  db: Database,
  restored: Database,
  project_id: string,
): Promise<LostAccess> {
  const { entity, project } = splitProjectId(project_id)
  const isOfProject = (row: MemberRow): boolean => row.entity === entity && row.project === project
  const [before, now, users] = await Promise.all([listMembers(restored), listMembers(db), listUsers(db)])
  const names = new Map(users.map(({ user_id, username }) => [user_id, username]))
  const kept = new Set(now.filter(isOfProject).map(({ user_id }) => user_id))
  const lost_roles = before
    .filter((row) => isOfProject(row) && !kept.has(row.user_id))
    .flatMap(({ user_id, role }) => {
      const username = names.get(user_id)
      return username === undefined ? [] : [{ username, role }]
    })
  const [quota, current] = await Promise.all([findQuota(restored, project_id), findQuota(db, project_id)])
  return { lost_roles, lost_quota: current === undefined && quota !== undefined ? quota : null }
}

async function findQuota(db: Database, project_id: string): Promise<LostAccess['lost_quota'] | undefined> {
  const row = (await listQuotas(db)).find(({ kind, subject }) => kind === 'project' && subject === project_id)
  return row && { calls_per_second: row.calls_per_second, bytes_per_second: row.bytes_per_second }
}
