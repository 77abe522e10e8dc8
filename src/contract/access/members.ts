import { z } from 'zod'
import { emptyResponse } from '../fields.ts'
import { operation } from '../operation.ts'
import { role } from './project-list.ts'
import { projectRequest } from '../project-path.ts'

/** Operations that manage the roles of users in a project. */

const username = z.string().min(1).max(256)

const member = z.object({
  username: z.string(),
  role,
  from: z.enum(['project', 'entity', 'owner']).meta({
    description:
      'Where the role was granted. `entity`: in all projects of the entity. `owner`: the user owns the entity of the same name.',
  }),
})

export type Member = z.output<typeof member>

export const membersOperations = {
  members_list: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/members',
    summary: 'List the users with a role in a project, and where each role was granted.',
    access: 'admin',
    request: projectRequest({}),
    response: z.object({ members: z.array(member) }),
  }),
  member_set: operation({
    method: 'PUT',
    path: '/api/v1/projects/{entity}/{project}/members/{username}',
    summary: 'Grant a user a role in a project. An existing role in the project is replaced.',
    access: 'admin',
    errors: ['not_found'],
    request: projectRequest({ username, role }),
    response: member,
  }),
  member_remove: operation({
    method: 'DELETE',
    path: '/api/v1/projects/{entity}/{project}/members/{username}',
    summary: "Remove a user's role from a project.",
    access: 'admin',
    errors: ['not_found', 'conflict'],
    request: projectRequest({ username }),
    response: emptyResponse,
  }),
}
