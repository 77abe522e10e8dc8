import { z } from 'zod'
import { projectId } from '../fields.ts'
import { operation } from '../operation.ts'

/** Sizes are always told: SDKs refuse an answer without one of them. */
const flag = z.boolean().nullish().meta({ description: 'taken and not needed: every size is told' })

export const projectInfoOperations = {
  projects_info: operation({
    path: '/service/projects_info',
    summary: 'What stands for projects inside digests, for SDKs that compute digests themselves.',
    access: 'read',
    request: z.object({ project_ids: z.array(projectId) }),
    response: z.array(z.object({ external_project_id: z.string(), internal_project_id: z.string() })),
    projects: (request) => request.project_ids,
  }),
  project_stats: operation({
    path: '/project/stats',
    summary: 'How many bytes a project has stored, as they were sent.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      include_trace_storage_size: flag,
      include_object_storage_size: flag,
      include_table_storage_size: flag,
      include_file_storage_size: flag,
    }),
    response: z.object({
      trace_storage_size_bytes: z.int(),
      objects_storage_size_bytes: z.int(),
      tables_storage_size_bytes: z.int(),
      files_storage_size_bytes: z.int(),
    }),
  }),
}
