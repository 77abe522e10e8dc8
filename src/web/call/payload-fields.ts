import { skipValue } from '../../client/browser/json-scan.ts'
import { JsonIndex } from '../json/json-index.ts'
import type { JsonNode } from '../json/json-source.ts'
import { readMessages } from './conversation.ts'
import type { Message } from './message.ts'

/**
 * What people read in the inputs or the output of a call: texts, conversations and media, each under its name. Numbers and
 * other scalars keep their spelling, and what has no better form stays JSON.
 */
export type PayloadValue =
  | { readonly kind: 'text'; readonly node: JsonNode }
  | { readonly kind: 'scalar'; readonly node: JsonNode }
  | { readonly kind: 'media'; readonly node: JsonNode }
  /** `source` is the document that the positions of media in the messages refer to. */
  | { readonly kind: 'conversation'; readonly messages: readonly Message[]; readonly source: JsonIndex }
  | { readonly kind: 'fields'; readonly fields: readonly PayloadField[] }
  | { readonly kind: 'json'; readonly node: JsonNode }

interface PayloadField {
  readonly name: string
  readonly value: PayloadValue
}

const MAX_FIELDS = 40
/** An object within an object is shown as fields while it is that small. */
const MAX_NESTED_FIELDS = 12
const MAX_DEPTH = 2

/** Undefined if nothing in the document is better read than as JSON. */
export function readPayload(source: JsonIndex): PayloadValue | undefined {
  const value = readValue(source, source.root(), 0)
  return isReadable(value) ? value : undefined
}

function isReadable(value: PayloadValue): boolean {
  if (value.kind === 'fields') return value.fields.some((field) => isReadable(field.value))
  return value.kind === 'text' || value.kind === 'media' || value.kind === 'conversation'
}

function readValue(source: JsonIndex, node: JsonNode, depth: number): PayloadValue {
  if (node.media !== undefined) return { kind: 'media', node }
  if (node.kind === 'string') return { kind: 'text', node }
  if (node.kind === 'array') return readConversationList(source, node) ?? { kind: 'json', node }
  if (node.kind !== 'object') return { kind: 'scalar', node }
  const { count, nodes } = source.children(node.at, 0, MAX_FIELDS)
  const maxFields = depth === 0 ? MAX_FIELDS : MAX_NESTED_FIELDS
  if (count === 0 || count > maxFields || depth > MAX_DEPTH) return { kind: 'json', node }
  return {
    kind: 'fields',
    fields: nodes.map((child) => ({ name: child.key ?? '', value: readValue(source, child, depth + 1) })),
  }
}

/** A list of roles and contents, under whatever name. */
function readConversationList(source: JsonIndex, node: JsonNode): PayloadValue | undefined {
  const { count, nodes } = source.children(node.at, 0, 1)
  const [first] = nodes
  if (first?.kind !== 'object') return undefined
  if (!source.children(first.at, 0, MAX_FIELDS).nodes.some(({ key }) => key === 'role')) return undefined
  const text = `{"messages":${source.slice(node.at, skipValue(source.text, node.at))}}`
  const messages = readMessages(text)
  // Some other list of things with a role would lose items.
  return messages.length < count ? undefined : { kind: 'conversation', messages, source: new JsonIndex(text) }
}
