import { MAX_DEPTH } from '../core/json/scan.ts'
import { MAX_ITEMS, MAX_ROWS } from '../core/json/shape.ts'
import { HEADERS_TIMEOUT_MS, MAX_FORM_PARTS, REQUEST_TIMEOUT_MS } from './limits.ts'
import { type OperationDescription, describeOperations, type JsonSchema } from './openapi.ts'

/** Content of the API reference, rendered as HTML (docs-page.ts) and as docs/api.md (scripts/generate.ts). */

export interface Section {
  readonly tag: string
  readonly operations: readonly OperationDescription[]
}

export function sections(): Section[] {
  const byTag = new Map<string, OperationDescription[]>()
  for (const description of describeOperations()) {
    const { tag } = description.operation
    byTag.set(tag, [...(byTag.get(tag) ?? []), description])
  }
  return [...byTag].map(([tag, all]) => ({ tag, operations: all })).sort((a, b) => (a.tag < b.tag ? -1 : 1))
}

export interface FieldLine {
  /** Dotted path; `[]` stands for array items. */
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly note: string
}

/** Lists every field of a schema; nested fields follow their parent. */
export function fieldLines(schema: JsonSchema, prefix = '', depth = 0): FieldLine[] {
  const own = alternatives(schema).filter((alternative) => alternative.properties !== undefined)
  const lines = new Map<string, FieldLine>()
  for (const alternative of own) {
    for (const [name, field] of Object.entries(alternative.properties ?? {})) {
      const path = prefix + name
      const required = own.every((other) => other.required?.includes(name) ?? false)
      if (lines.has(path)) continue
      lines.set(path, { path, type: typeText(field), required, note: field.description ?? '' })
      if (depth > 4) continue
      for (const line of fieldLines(field, `${path}.`, depth + 1)) lines.set(line.path, line)
      for (const items of alternatives(field).map((alternative) => alternative.items)) {
        if (items === undefined) continue
        for (const line of fieldLines(items, `${path}[].`, depth + 1)) lines.set(line.path, line)
      }
    }
  }
  return [...lines.values()]
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const several = schema.anyOf ?? schema.oneOf
  return several === undefined ? [schema] : several.flatMap(alternatives)
}

function typeText(schema: JsonSchema): string {
  return [...new Set(alternatives(schema).map(typeName))].join(' or ')
}

function typeName(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (schema.format === 'date-time') return 'datetime'
  if (schema.format === 'binary') return 'bytes'
  if (schema.type === 'array')
    return `array of ${schema.items === undefined ? 'any' : typeText(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' or ')
}

export interface BodyLimits {
  readonly bodyLimitBytes: number
  readonly inFlightLimitBytes: number
  readonly memoryWaitMs: number
}

/** Rows of the limits table: resource, limit, what happens when it is exceeded. */
export function limitLines(limits: BodyLimits): [string, string, string][] {
  const s = (ms: number): string => `${ms / 1000} s`
  const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`
  const n = (count: number): string => count.toLocaleString('en-US')
  return [
    [
      'Request body, after decompression',
      `${mib(limits.bodyLimitBytes)} (HEDDLE_BODY_LIMIT_BYTES)`,
      '413 too_large',
    ],
    [
      'Bodies of all requests in memory',
      `${mib(limits.inFlightLimitBytes)} (HEDDLE_IN_FLIGHT_LIMIT_BYTES); at most 75 % per API key`,
      `the request waits ${s(limits.memoryWaitMs)} (HEDDLE_MEMORY_WAIT_MS), then 503 unavailable with Retry-After`,
    ],
    ['JSON nesting', `${MAX_DEPTH} levels`, '413 too_large'],
    ['Records in a batch', n(MAX_ITEMS), '413 too_large'],
    ['Rows, ids or digests in an array', n(MAX_ROWS), '413 too_large'],
    ['Parts of a multipart form', n(MAX_FORM_PARTS), '413 too_large'],
    ['Ids of calls, traces and feedback', '256 characters', '422 unprocessable'],
    ['project_id', '256 characters', '422 unprocessable'],
    ['Request headers', '16 KiB', '431'],
    ['Time to send the headers', s(HEADERS_TIMEOUT_MS), '408'],
    ['Time to send the whole request', s(REQUEST_TIMEOUT_MS), '408'],
  ]
}
