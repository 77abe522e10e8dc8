import { isRole, ROLES } from '../core/access/roles.ts'
import { grantRole, revokeRole, summarizeMembers } from '../service/access/member-admin.ts'
import { listProjects } from '../store/access/projects.ts'
import { type Command, JSON_OPTION, STORAGE_OPTIONS, UsageError } from './command.ts'
import { printTable } from './table.ts'
import { withStorage } from './storage.ts'

/** `heddle projects`: lists projects and manages roles. A project is created by its first write. */
export const listProjectsCommand: Command = {
  usage: '[--json]',
  summary: 'List projects.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, environment) => {
    args.positionals()
    const projects = await withStorage(args, environment, (deps) => listProjects(deps.db))
    printTable(projects, ['project_id', 'created_by', 'created_at'], args, environment)
  },
}

export const listMembersCommand: Command = {
  usage: '[--json]',
  summary: 'List the roles of users. Every user also owns the entity with their username.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, environment) => {
    args.positionals()
    printTable(
      await withStorage(args, environment, summarizeMembers),
      ['scope', 'username', 'role'],
      args,
      environment,
    )
  },
}

export const grantCommand: Command = {
  usage: `<entity[/project]> <username> <${ROLES.join('|')}>`,
  summary: 'Grant a user a role in a project, or in an entity with all its current and future projects.',
  options: STORAGE_OPTIONS,
  run: async (args, environment) => {
    const [scope = '', username = '', role = ''] = args.positionals('entity[/project]', 'username', 'role')
    if (!isRole(role)) throw new UsageError(`the role must be ${ROLES.join(', ')}, not "${role}"`)
    await withStorage(args, environment, (deps) => grantRole(deps, { scope, username, role }))
    environment.stderr.write(`granted "${username}" the role "${role}" in ${scope}\n`)
  },
}

export const revokeCommand: Command = {
  usage: '<entity[/project]> <username>',
  summary: "Revoke a user's role.",
  options: STORAGE_OPTIONS,
  run: async (args, environment) => {
    const [scope = '', username = ''] = args.positionals('entity[/project]', 'username')
    await withStorage(args, environment, (deps) => revokeRole(deps, username, scope))
    environment.stderr.write(`revoked the role of "${username}" in ${scope}; servers apply it within 30 s\n`)
  },
}
