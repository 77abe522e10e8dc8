import { RawJson } from '../../contract/raw-json.ts'
import { entries, stringValue } from '../json/navigate.ts'

/** The attributes of a span that have no field of their own, flat and by type. */

export type AttributeType = 'string' | 'int' | 'float' | 'bool'

export interface CustomAttribute {
  readonly key: string
  readonly type: AttributeType
  /** A number keeps its spelling. */
  readonly value: string | boolean | RawJson
}

/** Attributes that are other fields of a span, or describe it (src/otlp/span-attributes.ts). */
const KNOWN: ReadonlySet<string> = new Set([
  'kind',
  'thread_id',
  'provider',
  'model',
  'model_requested',
  'response_id',
  'finish_reasons',
  'otel',
  'agent.name',
  'agent.id',
  'agent.version',
  'agent.description',
  'tool.name',
  'tool.type',
  'tool.call_id',
  'tool.description',
  'error.type',
  'gen_ai.operation_name',
  'gen_ai.conversation.name',
  'weave.parent_call.id',
  'weave.parent_call.trace_id',
  'weave.content_refs',
  'weave.artifact_refs',
  'weave.object_refs',
])

export function customAttributes(attributes: string): CustomAttribute[] {
  return attributes === '' ? [] : [...flatten(RawJson.fromText(attributes), '')]
}

function* flatten(object: RawJson, prefix: string): Generator<CustomAttribute> {
  for (const [name, value] of entries(object)) {
    const key = prefix + name
    if (KNOWN.has(key) || value.isNull) continue
    if (value.isObject) yield* flatten(value, `${key}.`)
    else yield { key, ...typed(value) }
  }
}

function typed(value: RawJson): Omit<CustomAttribute, 'key'> {
  const text = stringValue(value)
  if (text !== undefined) return { type: 'string', value: text }
  const spelled = value.text
  if (spelled === 'true' || spelled === 'false') return { type: 'bool', value: spelled === 'true' }
  if (spelled.startsWith('[')) return { type: 'string', value: spelled }
  // A double has a point or an exponent, an integer has neither.
  return { type: /[.eE]/.test(spelled) ? 'float' : 'int', value }
}
