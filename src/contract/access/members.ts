import { z } from 'zod'
import { emptyAnswer } from '../fields.ts'
import { operation } from '../operation.ts'
import { role } from './project-list.ts'
import { inProject } from '../project-path.ts'

/** Who may do what in a project, for those who administer it. */

const username = z.string().min(1).max(256)

const member = z.object({
  username: z.string(),
  role,
  from: z.enum(['project', 'entity', 'owner']).meta({
    description:
      '`entity`: the role holds in all projects of the entity; `owner`: everyone owns the entity of their own name',
  }),
})

export type Member = z.output<typeof member>

export const membersOperations = {
  members_list: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/members',
    summary: 'List who has a role in a project, and where it comes from.',
    access: 'admin',
    request: inProject({}),
    response: z.object({ members: z.array(member) }),
  }),
  member_set: operation({
    method: 'PUT',
    path: '/api/v1/projects/{entity}/{project}/members/{username}',
    summary: 'Give a user a role in a project; one that they had there is replaced.',
    access: 'admin',
    request: inProject({ username, role }),
    response: member,
  }),
  member_remove: operation({
    method: 'DELETE',
    path: '/api/v1/projects/{entity}/{project}/members/{username}',
    summary: "Take a user's role in a project away.",
    access: 'admin',
    request: inProject({ username }),
    response: emptyAnswer,
  }),
}
