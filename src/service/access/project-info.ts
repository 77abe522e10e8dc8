import { internalProjectId } from '../../core/objects/digest.ts'
import { readStoredBytes } from '../../store/database/stored-bytes.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** Handlers for project ids and storage sizes. */
export function projectInfoHandlers({ db }: Deps): Pick<Handlers, 'projects_info' | 'project_stats'> {
  return {
    projects_info: async ({ project_ids }) =>
      [...new Set(project_ids)].map((project_id) => ({
        external_project_id: project_id,
        internal_project_id: internalProjectId(project_id),
      })),

    project_stats: async ({ project_id }) => {
      const [calls, objects, tables, files] = await Promise.all([
        readStoredBytes(db, project_id, 'calls'),
        readStoredBytes(db, project_id, 'objects'),
        readStoredBytes(db, project_id, 'tables'),
        readStoredBytes(db, project_id, 'files'),
      ])
      return {
        trace_storage_size_bytes: calls,
        objects_storage_size_bytes: objects,
        tables_storage_size_bytes: tables,
        files_storage_size_bytes: files,
      }
    },
  }
}
