import type { Operation } from '../../contract/operation.ts'
import { ERROR_STATUS, type ErrorCode } from '../../contract/api-error.ts'
import { IGNORED_FIELDS_HEADER } from '../../contract/unknown-keys.ts'
import { OTLP_JSON, OTLP_PROTOBUF } from '../../contract/otlp.ts'
import { PROJECT_HEADER } from '../../contract/project-header.ts'
import { MAX_HEADER_BYTES, MAX_PATH_PARAMETER_CHARACTERS } from '../limits.ts'
import { PARTIAL_RESPONSES, UNKNOWN_KEYS } from './reference.ts'
import { describeOperations, type JsonSchema, type OperationSchemas } from './operation-schemas.ts'
import { SESSION_COOKIE } from '../session-cookie.ts'

/** Generates the OpenAPI 3.1 document from the table of operations; `pages` are the paths outside of it. */
export function openApi(version: string, pages: Readonly<Record<string, string>>, basePath = ''): object {
  const { operations, graphql, components } = describeOperations()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const description of [...operations, graphql]) {
    const { path, aliases, method } = description.operation
    for (const [n, spelling] of [path, ...aliases].entries()) {
      paths[spelling] = {
        ...paths[spelling],
        [method.toLowerCase()]: pathItem(description, n === 0 ? '' : `_${n + 1}`),
      }
    }
  }
  for (const [path, summary] of Object.entries(pages)) paths[path] ??= { get: page(path, summary) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heddle',
      version,
      description: `${UNKNOWN_KEYS}\n\n${PARTIAL_RESPONSES}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }, { url: `${basePath}/traces` }],
    security: [{ basic: [] }, { bearer: [] }, { key: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: BASIC_NOTE },
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        key: { type: 'apiKey', in: 'header', name: 'wandb-api-key', description: 'An API key.' },
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: SESSION_NOTE },
      },
      schemas: { Error: ERROR_SCHEMA, ...components },
      responses: errorResponses(),
    },
  }
}

function pathItem(description: OperationSchemas, suffix: string): object {
  const { name, operation, request, errors } = description
  const inPath = pathNames(operation.path)
  const body = withoutFields(request, inPath)
  const parameters = [
    ...inPath.map((field) => pathParameter(field, request.properties?.[field])),
    ...(operation.body === 'none' ? queryParameters(body) : []),
    ...(operation.body === 'otlp' ? [projectHeaderParameter(body)] : []),
  ]
  return {
    operationId: name + suffix,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.access === 'public' ? { security: [] } : {}),
    'x-access': operation.access,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === 'none' ? {} : { requestBody: requestBody(operation, body) }),
    responses: {
      200: {
        description: 'Successful Response',
        headers: { ...REQUEST_ID_HEADER, ...IGNORED_FIELDS },
        content: responseContent(description),
      },
      ...Object.assign({}, ...errors.map((code) => errorReference(ERROR_STATUS[code]))),
      ...(parameters.length === 0 ? {} : errorReference(431)),
    },
  }
}

function page(path: string, summary: string): object {
  // What follows the project is read by the UI, not by the server.
  const isLimited = (name: string): boolean => name === 'entity' || name === 'project'
  const parameters = pathNames(path).map((name) =>
    isLimited(name) ? pathParameter(name) : { name, in: 'path', required: true, schema: NAME_SCHEMA },
  )
  return {
    operationId: path.slice(1),
    tags: ['server'],
    summary,
    security: [],
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: {
      200: { description: 'Successful Response' },
      ...(parameters.length === 0 ? {} : { ...errorReference(400), ...errorReference(431) }),
      ...(path === '/readyz' ? errorReference(503) : {}),
    },
  }
}

const NAME_SCHEMA = { type: 'string', minLength: 1 } as const

/** The names in braces. */
function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
}

function pathParameter(name: string, schema: JsonSchema = { type: 'string' }): object {
  const { minLength = 1, maxLength = MAX_PATH_PARAMETER_CHARACTERS } = schema
  return { name, in: 'path', required: true, schema: { ...schema, minLength, maxLength } }
}

function withoutFields(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([key]) => !names.includes(key)),
  )
  return { ...schema, properties, required: (schema.required ?? []).filter((key) => !names.includes(key)) }
}

function queryParameters(schema: JsonSchema): object[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { description, ...rest } = withoutNull(field)
    return {
      name,
      in: 'query',
      required: schema.required?.includes(name) ?? false,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function projectHeaderParameter({ properties }: JsonSchema): object {
  const { description } = properties?.['project_id'] ?? {}
  return { name: PROJECT_HEADER, in: 'header', required: false, description, schema: { type: 'string' } }
}

/** A query string cannot express null: the parameter is left out instead. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (anyOf === undefined) return schema
  const others = anyOf.filter(({ type }) => type !== 'null')
  return others.length === 1 ? { ...others[0], ...rest } : { ...rest, anyOf: others }
}

const BINARY = { type: 'string', format: 'binary' } as const

function requestBody(operation: Operation, schema: JsonSchema): object {
  if (operation.body === 'otlp')
    return {
      required: true,
      content: { [OTLP_PROTOBUF]: { schema: BINARY }, [OTLP_JSON]: { schema: { type: 'object' } } },
    }
  const type = operation.body === 'multipart' ? 'multipart/form-data' : 'application/json'
  return { required: true, content: { [type]: { schema } } }
}

function responseContent({ operation, response }: OperationSchemas): object {
  switch (operation.responseFormat) {
    case 'json':
      return { 'application/json': { schema: response } }
    case 'otlp':
      return {
        [OTLP_PROTOBUF]: { schema: BINARY },
        [OTLP_JSON]: { schema: response },
      }
    case 'jsonl':
      return { 'application/jsonl': { schema: { ...response, description: 'one document per line' } } }
    case 'events':
      return { 'text/event-stream': { schema: eventSchema(response) } }
    case 'stream':
    case 'bytes':
      return Object.fromEntries(operation.contentTypes.map((type) => [type, { schema: BINARY }]))
  }
}

/** One event of a stream. */
function eventSchema(document: JsonSchema): object {
  return {
    type: 'object',
    required: ['data'],
    properties: {
      event: { type: 'string', description: 'the kind of the document' },
      id: { type: 'string', description: 'its cursor' },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: document },
    },
  }
}

/** One response for each error status. */
function errorResponses(): Record<string, object> {
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[]
  const statuses = [...new Set<number>([...Object.values(ERROR_STATUS), 431])]
  return Object.fromEntries(
    statuses.map((status) => [
      responseName(status),
      {
        description:
          status === 431 ? HEADERS_NOTE : codes.filter((code) => ERROR_STATUS[code] === status).join(', '),
        headers: { ...REQUEST_ID_HEADER, ...ERROR_HEADERS[status] },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

function errorReference(status: number): object {
  return { [status]: { $ref: `#/components/responses/${responseName(status)}` } }
}

function responseName(status: number): string {
  return `Error${status}`
}

const HEADERS_NOTE = `invalid_request: the URL and the headers are larger than ${MAX_HEADER_BYTES / 1024} KiB`
const BASIC_NOTE = 'A username and password, or `api` and an API key.'
const SESSION_NOTE = 'For browsers. Methods other than GET and HEAD also need the header "x-heddle-web: 1".'

const REQUEST_ID_HEADER = {
  'X-Request-Id': {
    description: 'The id of the request, also in the server log.',
    required: true,
    schema: { type: 'string' },
  },
}

const IGNORED_FIELDS = {
  [IGNORED_FIELDS_HEADER]: {
    description: 'Keys of the request that are unknown and had no effect; absent if there are none.',
    required: false,
    schema: { type: 'string' },
  },
}

const RETRY_AFTER_HEADER = {
  'Retry-After': {
    description: 'Seconds to wait before the request is sent again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
}

const ERROR_HEADERS: Readonly<Record<number, object>> = {
  405: { Allow: { description: 'The methods of this path.', required: true, schema: { type: 'string' } } },
  429: RETRY_AFTER_HEADER,
  503: RETRY_AFTER_HEADER,
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['reason', 'code', 'request_id'],
  properties: {
    reason: { type: 'string', description: 'what is wrong and how to fix it' },
    code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
    request_id: { type: 'string', description: 'the value of the header X-Request-Id' },
    detail: {
      type: 'array',
      description: 'the invalid fields; only with status 422',
      items: {
        type: 'object',
        required: ['loc', 'msg', 'type'],
        properties: {
          loc: { type: 'array', items: { type: ['string', 'integer'] } },
          msg: { type: 'string' },
          type: { type: 'string' },
        },
      },
    },
  },
} as const
