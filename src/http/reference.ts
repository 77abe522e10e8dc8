import { MAX_DEPTH } from '../core/json/scan.ts'
import { MAX_ITEMS, MAX_ROWS } from '../core/json/shape.ts'
import { HEADERS_TIMEOUT_MS, MAX_FORM_PARTS, REQUEST_TIMEOUT_MS } from './limits.ts'
import { type Description, describeOperations, type JsonSchema } from './openapi.ts'

/** What the reference says, before it becomes a page (docs-page.ts) or docs/api.md (scripts/generate.ts). */

export interface Section {
  readonly noun: string
  readonly operations: readonly Description[]
}

export function sections(): Section[] {
  const byNoun = new Map<string, Description[]>()
  for (const description of describeOperations()) {
    const { tag } = description.operation
    byNoun.set(tag, [...(byNoun.get(tag) ?? []), description])
  }
  return [...byNoun]
    .map(([noun, all]) => ({ noun, operations: all }))
    .sort((a, b) => (a.noun < b.noun ? -1 : 1))
}

export interface FieldLine {
  /** Dotted, `[]` for items. */
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly note: string
}

/** Every field of a document, nested ones under their parents. */
export function fieldLines(schema: JsonSchema, prefix = '', deep = 0): FieldLine[] {
  const own = alternatives(schema).filter((alternative) => alternative.properties !== undefined)
  const lines = new Map<string, FieldLine>()
  for (const alternative of own) {
    for (const [name, field] of Object.entries(alternative.properties ?? {})) {
      const path = prefix + name
      const required = own.every((other) => other.required?.includes(name) ?? false)
      if (lines.has(path)) continue
      lines.set(path, { path, type: typeOf(field), required, note: field.description ?? '' })
      if (deep > 4) continue
      for (const line of fieldLines(field, `${path}.`, deep + 1)) lines.set(line.path, line)
      for (const items of alternatives(field).map((alternative) => alternative.items)) {
        if (items === undefined) continue
        for (const line of fieldLines(items, `${path}[].`, deep + 1)) lines.set(line.path, line)
      }
    }
  }
  return [...lines.values()]
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const several = schema.anyOf ?? schema.oneOf
  return several === undefined ? [schema] : several.flatMap(alternatives)
}

function typeOf(schema: JsonSchema): string {
  return [...new Set(alternatives(schema).map(wordOf))].join(' or ')
}

function wordOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (schema.format === 'date-time') return 'datetime'
  if (schema.format === 'binary') return 'bytes'
  if (schema.type === 'array') return `array of ${schema.items === undefined ? 'any' : typeOf(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' or ')
}

export interface BodyLimits {
  readonly bodyLimitBytes: number
  readonly inFlightLimitBytes: number
  readonly memoryWaitMs: number
}

/** The limits, as their constants and the settings say. */
export function limitLines(limits: BodyLimits): [string, string, string][] {
  const s = (ms: number): string => `${ms / 1000} s`
  const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`
  const n = (count: number): string => count.toLocaleString('en-US')
  return [
    ['Body, decoded', `${mib(limits.bodyLimitBytes)} (HEDDLE_BODY_LIMIT_BYTES)`, '413 too_large'],
    [
      'Bodies of all requests in memory',
      `${mib(limits.inFlightLimitBytes)} (HEDDLE_IN_FLIGHT_LIMIT_BYTES), three quarters of it for one key`,
      `waits ${s(limits.memoryWaitMs)} (HEDDLE_MEMORY_WAIT_MS), then 503 unavailable, Retry-After`,
    ],
    ['Depth of JSON', `${MAX_DEPTH} levels`, '413 too_large'],
    ['Items of an array of records (a batch)', n(MAX_ITEMS), '413 too_large'],
    ['Items of an array of rows, ids or digests', n(MAX_ROWS), '413 too_large'],
    ['Parts of a multipart form', n(MAX_FORM_PARTS), '413 too_large'],
    ['Ids of calls, traces and feedback', '256 characters', '422 unprocessable'],
    ['project_id', '256 characters', '422 unprocessable'],
    ['Headers of a request', '16 KiB', '431'],
    ['Time to send the headers', s(HEADERS_TIMEOUT_MS), '408'],
    ['Time to send the whole request', s(REQUEST_TIMEOUT_MS), '408'],
  ]
}
