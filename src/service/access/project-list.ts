import { listProjects } from '../../store/access/projects.ts'
import type { Access } from './access.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** Handler for the list of projects that the caller may read. */
export function projectListHandlers({ db }: Deps, access: Access): Pick<Handlers, 'projects_list'> {
  return {
    projects_list: async (_request, caller) => {
      const rows = await listProjects(db, await access.projectScopes(caller))
      const roleIn = await access.roleLookup(caller)
      return {
        projects: rows.flatMap(({ project_id, display_name, created_at, deletion_started_at }) => {
          const role = roleIn(project_id)
          const is_deleting = deletion_started_at !== null
          return role === undefined ? [] : [{ project_id, display_name, created_at, is_deleting, role }]
        }),
      }
    },
  }
}
