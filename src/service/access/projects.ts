import { ApiError } from '../../contract/api-error.ts'
import { laterTime } from '../../core/time/time.ts'
import { findProject, writeProjects } from '../../store/access/projects.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { ProjectDeletions } from './project-deletions.ts'

/** Handlers for the display name and the deletion of a project. */
export function projectsHandlers(
  { db, now }: Deps,
  deletions: ProjectDeletions,
): Pick<Handlers, 'project_update' | 'project_delete'> {
  return {
    project_update: async ({ project_id, display_name }) => {
      const row = await findProject(db, project_id)
      if (row === undefined)
        throw new ApiError('not_found', `there is no project ${project_id} yet; the first call creates it`)
      const changed_at = laterTime(now(), row.changed_at)
      await writeProjects(db, [{ ...row, display_name: display_name.trim(), changed_at, is_deleted: 0 }])
      return {}
    },

    project_delete: async ({ project_id }) => {
      await deletions.begin(project_id)
      return {}
    },
  }
}
