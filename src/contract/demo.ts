import { z } from 'zod'
import { operation } from './operation.ts'
import { projectRequest } from './project-path.ts'

/** The operation that creates demo data. */
export const demoOperations = {
  project_demo: operation({
    path: '/api/v1/projects/{entity}/{project}/demo',
    summary: 'Add demo data to a project. A project that already has it is left unchanged.',
    access: 'write',
    request: projectRequest({}),
    response: z.object({
      is_new: z.boolean().meta({ description: 'False if the project already had the demo data.' }),
      calls: z.int(),
      objects: z.int(),
      feedback: z.int(),
      call_id: z.string().meta({ description: 'Root call of the demo agent trace, a good starting point.' }),
    }),
  }),
}
