import { z } from 'zod'
import type { ErrorCode } from '../../contract/api-error.ts'
import { graphqlOperation } from '../../contract/graphql.ts'
import type { Operation } from '../../contract/operation.ts'
import { operationNames, operations } from '../../contract/operations.ts'
import { type UnknownKeyRule, unknownKeyRule } from '../../contract/unknown-keys.ts'
import { QUERY_COMPONENTS } from './query-schema.ts'

/** The operations with their schemas as JSON Schema, for the OpenAPI document and the API reference. */

/** The keywords of JSON Schema that we read. */
export interface JsonSchema {
  readonly $ref?: string
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
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: unknown
  readonly additionalProperties?: JsonSchema | boolean
}

/** One operation with its schemas as JSON Schema. */
export interface OperationSchemas {
  readonly name: string
  readonly operation: Operation
  readonly request: JsonSchema
  readonly response: JsonSchema
  readonly errors: readonly ErrorCode[]
}

export interface DescribedOperations {
  readonly operations: readonly OperationSchemas[]
  readonly graphql: OperationSchemas
  /** Schemas that others refer to as `#/components/schemas/<name>`. */
  readonly components: Readonly<Record<string, JsonSchema>>
}

const COMPONENTS_PATH = '#/components/schemas/'

export function describeOperations(): DescribedOperations {
  const components: Record<string, JsonSchema> = { ...QUERY_COMPONENTS }
  const describe = (name: string, operation: Operation): OperationSchemas => ({
    name,
    operation,
    request: jsonSchema(operation.request, 'input', components, unknownKeyRule(operation)),
    response: jsonSchema(operation.response, 'output', components),
    errors: errorCodes(operation),
  })
  return {
    operations: operationNames().map((name) => describe(name, operations[name] as unknown as Operation)),
    graphql: describe('graphql', graphqlOperation as unknown as Operation),
    components,
  }
}

/** The schema that `$ref` names; other schemas as they are. */
export function resolveSchema(schema: JsonSchema, { components }: DescribedOperations): JsonSchema {
  const name = componentName(schema)
  return name === undefined ? schema : (components[name] ?? {})
}

export function componentName({ $ref }: JsonSchema): string | undefined {
  return $ref?.slice(COMPONENTS_PATH.length)
}

/** Schemas with an `id` in their metadata are moved to `components`. */
function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
  unknownKeys?: UnknownKeyRule,
): JsonSchema {
  const document = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io,
    // Files of a multipart form, and other values that are not JSON.
    override: ({ zodSchema, jsonSchema, path }) => {
      const { type } = zodSchema._zod.def
      if (type === 'custom' && Object.keys(jsonSchema).length === 0) {
        Object.assign(jsonSchema, { type: 'string', format: 'binary' })
      }
      // Later versions may add fields to a response, so clients must accept unknown ones.
      if (type === 'object' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties
      const policy = path.length === 0 ? unknownKeys?.top : unknownKeys?.nested
      if (type === 'object' && policy === 'refused') jsonSchema.additionalProperties = false
      if (type === 'tuple') simplifyTuple(jsonSchema)
      delete jsonSchema.id
    },
  })
  const { $schema: _, $defs = {}, ...rest } = moveReferences(document)
  Object.assign(components, $defs)
  return rest
}

/** Writes a tuple of equal items as an array with a fixed length, which more tools can read than `prefixItems`. */
function simplifyTuple(schema: { prefixItems?: unknown; items?: unknown }): void {
  const [first, ...others] = schema.prefixItems as unknown[]
  if (!others.every((item) => JSON.stringify(item) === JSON.stringify(first))) return
  schema.items = first
  delete schema.prefixItems
}

function moveReferences(
  document: object,
): JsonSchema & { $schema?: string; $defs?: Record<string, JsonSchema> } {
  return JSON.parse(JSON.stringify(document).replaceAll('"#/$defs/', `"${COMPONENTS_PATH}`)) as JsonSchema
}

/** The errors that an operation may return, by what it does, and those that it declares. */
export function errorCodes(operation: Operation): ErrorCode[] {
  const { access, body, errors, session } = operation
  const codes: ErrorCode[] = ['invalid_request']
  if (access !== 'public') codes.push('unauthenticated')
  if (access !== 'public' && access !== 'user') codes.push('forbidden')
  if (body !== 'none') codes.push('too_large')
  codes.push('unprocessable')
  if (access !== 'public' || session !== undefined) codes.push('rate_limited')
  codes.push('internal', 'unavailable')
  if (access === 'write') codes.push('storage_full')
  if (access !== 'public') codes.push('timeout')
  return [...new Set([...codes, ...errors])]
}
