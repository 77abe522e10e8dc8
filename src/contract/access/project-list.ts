import { z } from 'zod'
import { datetime } from '../fields.ts'
import { operation } from '../operation.ts'

export const role = z.enum(['read', 'write', 'admin'])

/** The operation that lists projects. */
export const projectListOperations = {
  projects_list: operation({
    method: 'GET',
    path: '/api/v1/projects',
    summary: 'List the projects that the caller can read, ordered by name.',
    access: 'user',
    request: z.object({}),
    response: z.object({
      projects: z.array(
        z.object({
          project_id: z.string(),
          display_name: z.string().meta({
            description: 'Shown instead of the name in `project_id`; empty if none was set.',
          }),
          created_at: datetime,
          is_deleting: z.boolean().meta({
            description: 'The project is being deleted: requests for it get 503.',
          }),
          role: role.meta({ description: "The caller's highest role in the project." }),
        }),
      ),
    }),
  }),
}
