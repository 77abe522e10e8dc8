import { projectId } from '../../contract/fields.ts'
import type { GraphqlResponse, GraphqlRequest } from '../../contract/graphql.ts'
import { ApiError } from '../../contract/api-error.ts'
import { type GraphqlField, parseGraphql } from '../../core/graphql/graphql.ts'
import { splitProjectId } from '../../core/access/roles.ts'
import { projectExists } from '../../store/access/projects.ts'
import type { Access } from '../access/access.ts'
import type { Caller, Deps } from '../deps.ts'

/** The GraphQL endpoint that SDKs use before they trace. */

/** Answers the three GraphQL operations that SDKs send to W&B before they trace. */
export type GraphqlHandler = (request: GraphqlRequest, caller: Caller) => Promise<GraphqlResponse>

/** Included in the error for any other operation. */
const SUPPORTED_OPERATIONS =
  'Heddle supports three GraphQL operations: query { project(name, entityName) { name } }, ' +
  'mutation { upsertModel(input: { name, entityName }) { model { name description } } } and ' +
  'query { viewer { username defaultEntity { name } } }'

/** SDKs recognize a missing permission by this code and report it to the user. */
type GraphqlErrorCode = 'PERMISSION_ERROR' | 'BAD_REQUEST'

class GraphqlError extends Error {
  readonly code: GraphqlErrorCode

  constructor(code: GraphqlErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

type Resolver = (field: GraphqlField, caller: Caller) => Promise<object | null>

export function createGraphqlHandler(deps: Deps, access: Access): GraphqlHandler {
  const isAllowed = async (caller: Caller, right: 'read' | 'write', project_id: string): Promise<boolean> => {
    try {
      await access.authorize(caller, right, [project_id])
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'forbidden') return false
      throw error
    }
  }

  const resolvers: Readonly<Record<string, Resolver>> = {
    /** Returns null both for a project that does not exist and for one that the caller may not read. */
    'query project': async ({ args }, caller) => {
      const project_id = readProjectId(args.get('entityName'), args.get('name'))
      if (!(await isAllowed(caller, 'read', project_id)) || !(await projectExists(deps.db, project_id)))
        return null
      return { name: splitProjectId(project_id).project }
    },

    /** Requires only write permission. The authorized write itself creates the project. */
    'mutation upsertModel': async ({ args }, caller) => {
      const input = args.get('input')
      if (!(input instanceof Map)) throw new GraphqlError('BAD_REQUEST', SUPPORTED_OPERATIONS)
      const project_id = readProjectId(input.get('entityName'), input.get('name'))
      if (!(await isAllowed(caller, 'write', project_id)))
        throw new GraphqlError(
          'PERMISSION_ERROR',
          `you do not have permission to write to ${project_id}; ask an administrator of the project for the role "write"`,
        )
      return { model: { name: splitProjectId(project_id).project, description: null } }
    },

    /** Every user owns the entity named after them. */
    'query viewer': async (_field, { username }) => ({ username, defaultEntity: { name: username } }),
  }

  return async ({ query, variables }, caller) => {
    try {
      const document = parseGraphql(query, variables ?? {})
      const field = document?.fields[0]
      if (document === undefined || field === undefined || document.fields.length > 1)
        throw new GraphqlError('BAD_REQUEST', SUPPORTED_OPERATIONS)
      const name = `${document.type} ${field.name}`
      const resolve = Object.hasOwn(resolvers, name) ? resolvers[name] : undefined
      if (resolve === undefined) throw new GraphqlError('BAD_REQUEST', SUPPORTED_OPERATIONS)
      return { data: { [field.key]: selectFields(await resolve(field, caller), field.fields) } }
    } catch (error) {
      if (!(error instanceof GraphqlError)) throw error
      return { data: null, errors: [{ message: error.message, extensions: { code: error.code } }] }
    }
  }
}

function readProjectId(entity: unknown, project: unknown): string {
  const parsed = projectId.safeParse(
    typeof entity === 'string' && typeof project === 'string' ? `${entity}/${project}` : '',
  )
  if (!parsed.success)
    throw new GraphqlError('BAD_REQUEST', 'pass entityName and name, both non-empty and without a slash')
  return parsed.data
}

/** Returns only the requested fields. An unknown field is an error, as GraphQL specifies. */
function selectFields(value: object | null, fields: readonly GraphqlField[]): Record<string, unknown> | null {
  if (value === null) return null
  if (fields.length === 0) throw new GraphqlError('BAD_REQUEST', SUPPORTED_OPERATIONS)
  const result: Record<string, unknown> = {}
  for (const field of fields) {
    const member: unknown = Object.hasOwn(value, field.name)
      ? (value as Record<string, unknown>)[field.name]
      : undefined
    const isObject = typeof member === 'object' && member !== null
    if (member === undefined || (!isObject && field.fields.length > 0))
      throw new GraphqlError('BAD_REQUEST', `unknown field "${field.name}". ${SUPPORTED_OPERATIONS}`)
    result[field.key] = isObject ? selectFields(member, field.fields) : member
  }
  return result
}
