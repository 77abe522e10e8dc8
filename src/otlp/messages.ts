import type { Attribute } from './attribute.ts'
import { asText, isList, isObject, type Json, type JsonObject } from './json.ts'
import { parseJsonText } from './json-text.ts'
import { normalPart, textPart, toolCall } from './message-parts.ts'

/**
 * Messages in the normal form of the GenAI conventions: `{role, parts, name?, finish_reason?}`. Each message is read on
 * its own, so that one of an unknown format does not hide the others.
 */

/** The messages of an attribute; the text of the sender if they are in the normal form already. */
export function readMessages(attribute: Attribute, role: string): Json | undefined {
  const { json } = attribute
  const messages = normalMessages(json, role)
  if (messages.length === 0) return undefined
  return messages === json ? attribute.exact : messages
}

/** The same list if all are in the normal form. */
export function normalMessages(value: Json, role: string): readonly Json[] {
  if (!isList(value)) return value === null || value === '' ? [] : [normalMessage(value, role)]
  // LangChain sends batches, which are lists of lists.
  const list = value.some(isList) ? value.flatMap((item) => (isList(item) ? item : [item])) : value
  const messages = list.map((item) => normalMessage(item, role))
  return list === value && messages.every((message, i) => message === list[i]) ? value : messages
}

/** Whether a list looks like messages, for values that may be anything. */
export function isMessageList(value: Json | undefined): value is readonly Json[] {
  return (
    isList(value) &&
    value.length > 0 &&
    value.every(
      (item) =>
        isObject(item) &&
        typeof item['role'] === 'string' &&
        (item['content'] !== undefined || item['parts'] !== undefined || item['tool_calls'] !== undefined),
    )
  )
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ['model', 'assistant'],
  ['ai', 'assistant'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['human', 'user'],
  ['HumanMessage', 'user'],
  ['SystemMessage', 'system'],
  ['ToolMessage', 'tool'],
  ['ai_message', 'assistant'],
])

export function normalMessage(message: Json, role: string): JsonObject {
  if (typeof message === 'string') return { role, parts: [textPart(message)] }
  if (!isObject(message)) return { role, parts: [{ type: 'unknown', content: message }] }
  if (isNormal(message)) return message
  const item = responseItem(message)
  if (item !== undefined) return item
  const inner = innerMessage(message)
  const found = messageRole(message, inner) ?? role
  return {
    role: ROLES.get(found) ?? found,
    parts: messageParts(inner, found),
    name: inner['name'],
    finish_reason: message['finish_reason'] ?? message['finishReason'] ?? inner['finish_reason'],
  }
}

function isNormal(message: JsonObject): boolean {
  const { role, parts } = message
  return (
    typeof role === 'string' &&
    role !== 'model' &&
    isList(parts) &&
    message['content'] === undefined &&
    message['tool_calls'] === undefined &&
    parts.every((part) => normalPart(part) === part)
  )
}

/** The message itself, or what a wrapper of OpenAI, OpenInference or LangChain contains. */
function innerMessage(message: JsonObject): JsonObject {
  for (const key of ['message', 'kwargs', 'data']) {
    const inner = message[key]
    if (isObject(inner)) return inner
  }
  return message
}

function messageRole(message: JsonObject, inner: JsonObject): string | undefined {
  const role = asText(inner['role']) ?? asText(message['role'])
  if (role !== undefined) return role
  const { id, type } = message
  const name = isList(id) ? id.at(-1) : (type ?? inner['type'])
  return typeof name === 'string' && (ROLES.has(name) || name === 'system' || name === 'tool')
    ? (ROLES.get(name) ?? name.replace('Message', '').toLowerCase())
    : undefined
}

/** Items of the Responses API of OpenAI that are not messages. */
function responseItem(item: JsonObject): JsonObject | undefined {
  switch (item['type']) {
    case 'function_call':
    case 'reasoning':
      return item['role'] === undefined ? { role: 'assistant', parts: [normalPart(item)] } : undefined
    case 'function_call_output':
      return { role: 'tool', parts: [normalPart(item)] }
    default:
      return undefined
  }
}

function messageParts(message: JsonObject, role: string): JsonObject[] {
  const reasoning = asText(message['reasoning_content'] ?? message['reasoning'] ?? message['thinking'])
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...contentParts(message, role),
    ...listOf(message['tool_calls'] ?? message['toolCalls']).map(
      (call) => toolCall(call) ?? normalPart(call),
    ),
    ...functionCall(message),
    ...(typeof message['refusal'] === 'string' ? [{ type: 'refusal', content: message['refusal'] }] : []),
  ]
}

function contentParts(message: JsonObject, role: string): JsonObject[] {
  const content = parsedContent(message['parts'] ?? message['contents'] ?? message['content'])
  const id = message['tool_call_id'] ?? message['toolCallId'] ?? (role === 'tool' ? message['id'] : undefined)
  if (role === 'tool' && id !== undefined && message['parts'] === undefined && !hasToolResults(content))
    return [{ type: 'tool_call_response', id, name: message['name'], response: content ?? null }]
  if (content === undefined || content === null || content === '') return []
  return isList(content) ? content.map(normalPart) : [normalPart(content)]
}

function hasToolResults(content: Json | undefined): boolean {
  return isList(content) && content.some((part) => isObject(part) && part['type'] === 'tool-result')
}

/** A list of parts as text, which Traceloop writes for content that is no plain text. */
function parsedContent(content: Json | undefined): Json | undefined {
  if (typeof content !== 'string' || !content.startsWith('[{') || !content.endsWith(']')) return content
  const parts = parseJsonText(content)
  const isParts = isList(parts) && parts.every((part) => isObject(part) && typeof part['type'] === 'string')
  return isParts ? parts : content
}

/** The single function call of the first tool-calling models. */
function functionCall(message: JsonObject): JsonObject[] {
  const call = message['function_call']
  const name = asText(message['function_call_name'])
  if (name !== undefined)
    return [{ type: 'tool_call', name, arguments: message['function_call_arguments_json'] ?? {} }]
  const part = isObject(call) ? toolCall(call) : undefined
  return part === undefined ? [] : [part]
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : value === undefined || value === null ? [] : [value]
}
