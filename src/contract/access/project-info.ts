import { z } from 'zod'
import { projectId } from '../fields.ts'
import { operation } from '../operation.ts'

/** Accepted for compatibility. All sizes are always returned: SDKs reject a response that lacks one of them. */
const ignoredFlag = z
  .boolean()
  .nullish()
  .meta({ description: 'Accepted and ignored: all sizes are always returned.' })

/** Operations that SDKs use to learn about a project. */
export const projectInfoOperations = {
  projects_info: operation({
    path: '/service/projects_info',
    summary: 'Read the internal project ids that digests contain, for SDKs that compute digests themselves.',
    access: 'read',
    request: z.object({ project_ids: z.array(projectId) }),
    response: z.array(z.object({ external_project_id: z.string(), internal_project_id: z.string() })),
    projects: (request) => request.project_ids,
  }),
  project_stats: operation({
    path: '/project/stats',
    summary: 'Read the storage size of a project in bytes, before compression.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      include_trace_storage_size: ignoredFlag,
      include_object_storage_size: ignoredFlag,
      include_table_storage_size: ignoredFlag,
      include_file_storage_size: ignoredFlag,
    }),
    response: z.object({
      trace_storage_size_bytes: z.int(),
      objects_storage_size_bytes: z.int(),
      tables_storage_size_bytes: z.int(),
      files_storage_size_bytes: z.int(),
    }),
  }),
}
