import type { Attribute } from './attribute.ts'
import { asText, isList, isObject, type Json, type JsonObject } from './json.ts'
import { parseJsonText } from './json-text.ts'
import { emptyMessages, isMessageList, normalMessages } from './messages.ts'
import type { Span } from './model.ts'
import { exact, indexed, memberAt, nonEmpty } from './readers.ts'

/** Readers of whole inputs and outputs, documents and embeddings. */

export function inputPayload(attribute: Attribute): Json | undefined {
  return payload(attribute, 'user')
}

export function outputPayload(attribute: Attribute): Json | undefined {
  return payload(attribute, 'assistant')
}

/**
 * Messages become `{messages}` in the normal form; an object with messages keeps what else it has. Any other value stays
 * as sent, and so do messages without content.
 */
function payload(attribute: Attribute, role: string): Json | undefined {
  const json = stateOf(attribute.json)
  const list = isMessageList(json) ? json : isMessageList([json]) ? [json] : undefined
  if (list === undefined) return (isObject(json) ? withMessages(json, role) : undefined) ?? exact(attribute)
  const messages = normalMessages(list, role)
  return emptyMessages(messages) === messages.length ? exact(attribute) : { messages }
}

/** Nodes of LangGraph return commands, whose updates are parts of the state; LangSmith wraps them. */
function stateOf(value: Json): Json {
  const list = isObject(value) && Object.keys(value).length === 1 ? value['output'] : value
  if (!isList(list) || list.length === 0) return value
  const updates = list.map((item) =>
    isObject(item) && Object.hasOwn(item, 'graph') ? memberAt(item, 'update', 'messages') : undefined,
  )
  return updates.every(isList) ? { messages: updates.flat() } : value
}

/**
 * Members that contain messages: of a state or a request, of a result of LangChain, and of a response or request of
 * OpenAI.
 */
const MESSAGE_MEMBERS = ['messages', 'generations', 'choices', 'output', 'input']

function withMessages(value: JsonObject, role: string): Json | undefined {
  const name = MESSAGE_MEMBERS.find((each) => isMessageList(value[each]))
  const list = name === undefined ? undefined : value[name]
  if (!isList(list)) return undefined
  const others = Object.entries(value).filter(
    ([key, member]) => key !== name && nonEmpty(member) !== undefined,
  )
  const messages = normalMessages(list, role)
  return emptyMessages(messages) === messages.length ? undefined : { messages, ...Object.fromEntries(others) }
}

/** OpenInference says whether a value is JSON. */
export function typedPayload(mimeTypeKey: string, role: string) {
  return (attribute: Attribute, span: Span): Json | undefined => {
    const type = span.attributes.get(mimeTypeKey)
    return typeof type === 'string' && !type.includes('json') ? attribute.plain : payload(attribute, role)
  }
}

/** A list of one kind of wrapper, such as `{document: {…}}`, without the wrapper. */
export function unwrapped(name: string) {
  return (members: readonly Attribute[]): Json | undefined =>
    nonEmpty(indexed(members).flatMap((item) => (isObject(item) ? [item[name] ?? item] : [])))
}

/** Documents; their metadata is often JSON in a string. */
export function documents(members: readonly Attribute[]): Json | undefined {
  const list = unwrapped('document')(members)
  if (!isList(list)) return undefined
  return list.map((item) => {
    if (!isObject(item)) return item
    const { metadata } = item
    return typeof metadata === 'string' ? { ...item, metadata: parsed(metadata) } : item
  })
}

export function parsed(text: string): Json {
  return parseJsonText(text) ?? text
}

/** Texts and the sizes of their vectors: vectors are large, and no one reads them. */
export function embeddingTexts(members: readonly Attribute[]): Json | undefined {
  return nonEmpty(embeddings(members).flatMap((item) => asText(item['text']) ?? []))
}

export function embeddingSizes(members: readonly Attribute[]): Json | undefined {
  return nonEmpty(vectorSizes(embeddings(members).map((item) => item['vector'] ?? null)))
}

function embeddings(members: readonly Attribute[]): JsonObject[] {
  return indexed(members).flatMap((item) => {
    const embedding = isObject(item) ? item['embedding'] : undefined
    return isObject(embedding) ? [embedding] : []
  })
}

export function vectorSizes(vectors: readonly Json[]): readonly JsonObject[] {
  const lists = vectors.map((vector) => (typeof vector === 'string' ? parseJsonText(vector) : vector))
  return lists.filter(isList).map((list) => ({ dimensions: list.length }))
}
