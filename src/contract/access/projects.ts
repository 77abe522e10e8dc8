import { z } from 'zod'
import { CONTROL_CHARACTERS, emptyResponse } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'

/** Operations with which project administrators name and delete a project. */

const path = '/api/v1/projects/{entity}/{project}'

export const projectsOperations = {
  project_update: operation({
    method: 'PUT',
    path,
    summary: 'Set the display name of a project. URLs, refs and SDKs keep using `entity/project`.',
    access: 'admin',
    errors: ['not_found'],
    request: projectRequest({
      display_name: z
        .string()
        .max(128)
        .regex(new RegExp(`^[^${CONTROL_CHARACTERS}]*$`), 'must be a single line of text')
        .meta({
          description: 'Shown in the web UI instead of the name of the project; empty for that name.',
        }),
    }),
    response: emptyResponse,
  }),
  project_delete: operation({
    method: 'DELETE',
    path,
    summary:
      'Delete a project with all its data and roles. Requests for it are refused until that is done, a minute later; then it can be created again by a write.',
    access: 'admin',
    errors: ['not_found'],
    request: projectRequest({}),
    response: emptyResponse,
  }),
}
