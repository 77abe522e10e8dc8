import { isRole, ROLES } from '../core/access/roles.ts'
import { grantRole, revokeRole, summarizeMembers } from '../service/access/projects.ts'
import { listProjects } from '../store/access/projects.ts'
import { type Command, JSON_OPTION, STORAGE_OPTIONS, UsageError } from './command.ts'
import { printRows } from './listing.ts'
import { withStorage } from './storage.ts'

/** `heddle projects`. Projects come into being at their first write; only membership is administered. */
export const listProjectsCommand: Command = {
  usage: '[--json]',
  summary: 'List the projects.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, world) => {
    args.words()
    const projects = await withStorage(args, world, (deps) => listProjects(deps.db))
    printRows(projects, ['project_id', 'created_by', 'created_at'], args, world)
  },
}

export const listMembersCommand: Command = {
  usage: '[--json]',
  summary: 'List who has which role where. Everyone also owns the entity of their own name.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, world) => {
    args.words()
    printRows(await withStorage(args, world, summarizeMembers), ['where', 'username', 'role'], args, world)
  },
}

export const grantCommand: Command = {
  usage: `<entity[/project]> <username> <${ROLES.join('|')}>`,
  summary: 'Give a user a role in a project, or in an entity with all its projects, present and future.',
  options: STORAGE_OPTIONS,
  run: async (args, world) => {
    const [where = '', username = '', role = ''] = args.words('entity[/project]', 'username', 'role')
    if (!isRole(role)) throw new UsageError(`the role must be ${ROLES.join(', ')}, not "${role}"`)
    await withStorage(args, world, (deps) => grantRole(deps, { where, username, role }))
    world.stderr.write(`"${username}" has the role "${role}" in ${where}\n`)
  },
}

export const revokeCommand: Command = {
  usage: '<entity[/project]> <username>',
  summary: "Take a user's role away.",
  options: STORAGE_OPTIONS,
  run: async (args, world) => {
    const [where = '', username = ''] = args.words('entity[/project]', 'username')
    await withStorage(args, world, (deps) => revokeRole(deps, username, where))
    world.stderr.write(`"${username}" has no role in ${where} any more; servers know it within 30 s\n`)
  },
}
