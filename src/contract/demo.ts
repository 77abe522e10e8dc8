import { z } from 'zod'
import { operation } from './operation.ts'
import { inProject } from './project-path.ts'

export const demoOperations = {
  project_demo: operation({
    path: '/api/v1/projects/{entity}/{project}/demo',
    summary: 'Fill a project with example data to look around in; where it is already, nothing is added.',
    access: 'write',
    request: inProject({}),
    response: z.object({
      is_new: z.boolean().meta({ description: 'false if the project had it already' }),
      calls: z.int(),
      objects: z.int(),
      feedback: z.int(),
      call_id: z.string().meta({ description: 'a call to look at first: the trace of an agent' }),
    }),
  }),
}
