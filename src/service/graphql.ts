import { projectId } from '../contract/fields.ts'
import type { GraphqlAnswer, GraphqlRequest } from '../contract/graphql.ts'
import { ApiError } from '../contract/api-error.ts'
import { type GraphqlField, parseGraphql } from '../core/graphql/graphql.ts'
import { splitProjectId } from '../core/access/roles.ts'
import { isProject } from '../store/access/projects.ts'
import type { Access } from './access/access.ts'
import type { Caller, Deps } from './deps.ts'

/** The three operations that SDKs send to W&B before they trace. */
export type GraphqlHandler = (request: GraphqlRequest, caller: Caller) => Promise<GraphqlAnswer>

/** Told to whoever asks for anything else. */
const SERVED =
  'Heddle answers three GraphQL operations: query { project(name, entityName) { name } }, ' +
  'mutation { upsertModel(input: { name, entityName }) { model { name description } } } and ' +
  'query { viewer { username defaultEntity { name } } }'

/** SDKs tell a lack of rights by this code, and say so to their user. */
type ErrorCode = 'PERMISSION_ERROR' | 'BAD_REQUEST'

class GraphqlError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

type Resolver = (field: GraphqlField, caller: Caller) => Promise<object | null>

export function createGraphql(deps: Deps, access: Access): GraphqlHandler {
  const may = async (caller: Caller, right: 'read' | 'write', project_id: string): Promise<boolean> => {
    try {
      await access.authorize(caller, right, [project_id])
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'forbidden') return false
      throw error
    }
  }

  const resolvers: Readonly<Record<string, Resolver>> = {
    /** null for what is not there and for what the caller may not read, alike. */
    'query project': async ({ args }, caller) => {
      const project_id = projectIdOf(args.get('entityName'), args.get('name'))
      if (!(await may(caller, 'read', project_id)) || !(await isProject(deps.db, project_id))) return null
      return { name: splitProjectId(project_id).project }
    },

    /** A right to write is all it needs: the authorized write is what brings a project into being. */
    'mutation upsertModel': async ({ args }, caller) => {
      const input = args.get('input')
      if (!(input instanceof Map)) throw new GraphqlError('BAD_REQUEST', SERVED)
      const project_id = projectIdOf(input.get('entityName'), input.get('name'))
      if (!(await may(caller, 'write', project_id)))
        throw new GraphqlError(
          'PERMISSION_ERROR',
          `you may not write to ${project_id}; whoever administers it can grant you the role "write"`,
        )
      return { model: { name: splitProjectId(project_id).project, description: null } }
    },

    /** Everyone owns the entity that bears their name. */
    'query viewer': async (_field, { username }) => ({ username, defaultEntity: { name: username } }),
  }

  return async ({ query, variables }, caller) => {
    try {
      const document = parseGraphql(query, variables ?? {})
      const field = document?.fields[0]
      if (document === undefined || field === undefined || document.fields.length > 1)
        throw new GraphqlError('BAD_REQUEST', SERVED)
      const name = `${document.type} ${field.name}`
      const resolve = Object.hasOwn(resolvers, name) ? resolvers[name] : undefined
      if (resolve === undefined) throw new GraphqlError('BAD_REQUEST', SERVED)
      return { data: { [field.key]: selected(await resolve(field, caller), field.fields) } }
    } catch (error) {
      if (!(error instanceof GraphqlError)) throw error
      return { data: null, errors: [{ message: error.message, extensions: { code: error.code } }] }
    }
  }
}

function projectIdOf(entity: unknown, project: unknown): string {
  const parsed = projectId.safeParse(
    typeof entity === 'string' && typeof project === 'string' ? `${entity}/${project}` : '',
  )
  if (!parsed.success)
    throw new GraphqlError('BAD_REQUEST', 'a project needs an entity and a name, both without a slash')
  return parsed.data
}

/** Only what was asked for; a field that is not there is an error, as GraphQL has it. */
function selected(value: object | null, fields: readonly GraphqlField[]): Record<string, unknown> | null {
  if (value === null) return null
  if (fields.length === 0) throw new GraphqlError('BAD_REQUEST', SERVED)
  const answer: Record<string, unknown> = {}
  for (const field of fields) {
    const member: unknown = Object.hasOwn(value, field.name)
      ? (value as Record<string, unknown>)[field.name]
      : undefined
    const isObject = typeof member === 'object' && member !== null
    if (member === undefined || (!isObject && field.fields.length > 0))
      throw new GraphqlError('BAD_REQUEST', `there is no field "${field.name}" here. ${SERVED}`)
    answer[field.key] = isObject ? selected(member, field.fields) : member
  }
  return answer
}
