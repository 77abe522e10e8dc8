import { z } from 'zod'
import { graphqlOperation } from '../contract/graphql.ts'
import type { Operation } from '../contract/operation.ts'
import { operationNames, operations } from '../contract/operations.ts'
import { ERROR_STATUS, type ErrorCode } from '../contract/api-error.ts'
import { SESSION_COOKIE } from './session-cookie.ts'

/** Generates the OpenAPI document from the table of operations. */

/** The keywords of JSON Schema that we read. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly additionalProperties?: JsonSchema | boolean
}

/** One operation with its schemas as JSON Schema. */
export interface OperationDescription {
  readonly name: string
  readonly operation: Operation
  readonly request: JsonSchema
  readonly response: JsonSchema
  readonly errors: readonly ErrorCode[]
}

export function describeOperations(): OperationDescription[] {
  return operationNames().map((name) => describe(name, operations[name] as unknown as Operation))
}

function describe(name: string, operation: Operation): OperationDescription {
  return {
    name,
    operation,
    request: jsonSchema(operation.request, 'input'),
    response: jsonSchema(operation.response, 'output'),
    errors: errorCodes(operation),
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io,
    // Files of a multipart form, and other values that are not JSON.
    override: ({ zodSchema, jsonSchema }) => {
      const { type } = zodSchema._zod.def
      if (type === 'custom' && Object.keys(jsonSchema).length === 0) {
        Object.assign(jsonSchema, { type: 'string', format: 'binary' })
      }
      // Later versions may add fields to a response, so clients must accept unknown ones.
      if (type === 'object' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties
    },
  })
  return rest as JsonSchema
}

function errorCodes(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['invalid_request']
  if (operation.access !== 'public') codes.push('unauthenticated')
  if (operation.access !== 'public' && operation.access !== 'user') codes.push('forbidden')
  if (operation.body !== 'none') codes.push('too_large')
  codes.push('unprocessable', 'rate_limited', 'internal', 'unavailable', 'timeout')
  return codes
}

/** Returns the OpenAPI 3.1 document; `pages` are the paths outside the table of operations. */
export function openApi(version: string, pages: Readonly<Record<string, string>>): object {
  const paths: Record<string, Record<string, unknown>> = {}
  const graphql = describe('graphql', graphqlOperation as unknown as Operation)
  for (const description of [...describeOperations(), graphql]) {
    const { path, aliases, method } = description.operation
    for (const [n, spelling] of [path, ...aliases].entries()) {
      paths[spelling] = {
        ...paths[spelling],
        [method.toLowerCase()]: pathItem(description, n === 0 ? '' : `_${n + 1}`),
      }
    }
  }
  for (const [path, summary] of Object.entries(pages)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
    paths[path] ??= {
      get: {
        operationId: path.slice(1),
        tags: ['server'],
        summary,
        security: [],
        ...(inPath.length === 0 ? {} : { parameters: inPath.map(pathParameter) }),
        responses: PAGE,
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Heddle', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }, { url: '/traces' }],
    security: [{ basic: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: SESSION_NOTE },
      },
      schemas: { Error: ERROR_SCHEMA },
    },
  }
}

function pathItem(description: OperationDescription, suffix: string): object {
  const { name, operation, request, errors } = description
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  const body = withoutFields(request, inPath)
  return {
    operationId: name + suffix,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.access === 'public' ? { security: [] } : {}),
    'x-access': operation.access,
    parameters: [...inPath.map(pathParameter), ...(operation.body === 'none' ? queryParameters(body) : [])],
    ...(operation.body === 'none' ? {} : { requestBody: requestBody(operation, body) }),
    responses: {
      200: { description: 'Successful Response', content: responseContent(description) },
      ...Object.fromEntries(
        [...new Set(errors.map((code) => ERROR_STATUS[code]))].map((status) => [
          status,
          errorResponse(status, errors),
        ]),
      ),
    },
  }
}

function pathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

function withoutFields(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([key]) => !names.includes(key)),
  )
  return { ...schema, properties, required: (schema.required ?? []).filter((key) => !names.includes(key)) }
}

function queryParameters(schema: JsonSchema): object[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: field,
  }))
}

function requestBody(operation: Operation, schema: JsonSchema): object {
  const type = operation.body === 'multipart' ? 'multipart/form-data' : 'application/json'
  return { required: true, content: { [type]: { schema } } }
}

function responseContent({ operation, response }: OperationDescription): object {
  switch (operation.responseFormat) {
    case 'json':
      return { 'application/json': { schema: response } }
    case 'jsonl':
      return { 'application/jsonl': { schema: { ...response, description: 'one document per line' } } }
    case 'events':
      return {
        'text/event-stream': {
          schema: {
            ...response,
            description: 'one document per event; `event` is its kind, `id` its cursor',
          },
        },
      }
    case 'stream':
    case 'bytes':
      return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  }
}

function errorResponse(status: number, codes: readonly ErrorCode[]): object {
  return {
    description: codes.filter((code) => ERROR_STATUS[code] === status).join(', '),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

const SESSION_NOTE = 'For browsers. Methods other than GET and HEAD also need the header "x-heddle-web: 1".'

const PAGE = { 200: { description: 'Successful Response' } }

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
