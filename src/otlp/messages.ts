import type { Attribute } from './attribute.ts'
import { asText, isList, isObject, type Json, type JsonObject } from './json.ts'
import { parseJsonText } from './json-text.ts'
import { areBlocks, isKnownPart, normalPart, textPart, toolCall } from './message-parts.ts'
import { memberAt, nonEmpty } from './readers.ts'

/**
 * Messages in the normal form of the GenAI conventions: `{role, parts, name?, finish_reason?}`. Each message is read on
 * its own, so that one of an unknown format does not hide the others.
 */

/** The messages of an attribute; the text of the sender if they are in the normal form already. */
export function readMessages(attribute: Attribute, role: string): Json | undefined {
  const { json } = attribute
  if (!mayBeMessages(json)) return undefined
  const messages = normalMessages(json, role)
  if (messages.length === 0) return undefined
  return messages === json && emptyMessages(messages) === 0 ? attribute.exact : messages
}

/** Whether a value of an attribute for messages has any. Senders use the older ones for all inputs and outputs. */
function mayBeMessages(value: Json): boolean {
  if (isList(value)) return value.some(mayBeMessages)
  if (!isObject(value)) return typeof value === 'string'
  if (isMessage(value) || isKnownPart(value)) return true
  return hasContent(value) && Object.keys(value).every((key) => CONTENT.has(key) || NO_CONTENT.has(key))
}

/** How many of the messages say nothing. */
export function emptyMessages(messages: readonly Json[]): number {
  return messages.filter((message) => {
    const parts = isObject(message) ? message['parts'] : undefined
    return isList(parts) && parts.every((part) => isObject(part) && part['content'] === '')
  }).length
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
    value.every((item) => (isList(item) ? isMessageList(item) : isMessage(item) || isResponseItem(item)))
  )
}

function isResponseItem(value: Json): boolean {
  return isObject(value) && responseItem(value) !== undefined
}

/** A message of any format that says whose it is. */
function isMessage(value: Json): boolean {
  if (!isObject(value)) return false
  const inner = innerMessage(value)
  return messageRole(value, inner) !== undefined && hasContent(inner)
}

/** Whether an object has a member that messages have their content in. */
export function hasContent(message: JsonObject): boolean {
  for (const key of CONTENT) if (message[key] !== undefined) return true
  return false
}

const CONTENT: ReadonlySet<string> = new Set([
  'content',
  'parts',
  'contents',
  'tool_calls',
  'toolCalls',
  'function_call',
  'function_call_name',
])

/** What messages have besides their content. */
const NO_CONTENT: ReadonlySet<string> = new Set([
  ...CONTENT,
  'role',
  'type',
  'id',
  'name',
  'index',
  'status',
  'finish_reason',
  'finishReason',
  'stop_reason',
  'tool_call_id',
  'toolCallId',
  'refusal',
  'annotations',
  'logprobs',
  'model',
  'usage',
  'timestamp',
  'created',
  'metadata',
  'example',
  'additional_kwargs',
  'response_metadata',
  'usage_metadata',
  'invalid_tool_calls',
  'lc',
])

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
    finish_reason: finishReason(message) ?? finishReason(inner),
  }
}

function finishReason(message: JsonObject): Json | undefined {
  const details = message['generation_info'] ?? message['response_metadata']
  return message['finish_reason'] ?? message['finishReason'] ?? memberAt(details, 'finish_reason')
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

/** The message itself, or what a wrapper of OpenAI, OpenInference or LangChain contains; a generation has two. */
function innerMessage(message: JsonObject): JsonObject {
  const wrapped = message['message']
  const outer = isObject(wrapped) ? wrapped : message
  for (const key of ['kwargs', 'data']) {
    const inner = outer[key]
    if (isObject(inner)) return inner
  }
  return outer
}

function messageRole(message: JsonObject, inner: JsonObject): string | undefined {
  const role = asText(inner['role']) ?? asText(message['role'])
  if (role !== undefined) return role
  const { id, type } = message
  for (const name of [isList(id) ? id.at(-1) : undefined, type, inner['type']]) {
    if (typeof name !== 'string') continue
    const known = ROLES.get(name)
    if (known !== undefined) return known
    if (name === 'system' || name === 'tool') return name
  }
  return undefined
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
  const parts = knownParts(message, role)
  return parts.length === 0 ? otherParts(message) : parts
}

/** What a message of an unknown format contains, as sent. */
function otherParts(message: JsonObject): JsonObject[] {
  const others = Object.entries(message).filter(
    ([key, value]) => !NO_CONTENT.has(key) && nonEmpty(value) !== undefined,
  )
  if (others.length === 0) return []
  const isPart = message['role'] === undefined && typeof message['type'] === 'string'
  return [isPart ? normalPart(message) : { type: 'unknown', content: Object.fromEntries(others) }]
}

function knownParts(message: JsonObject, role: string): JsonObject[] {
  const reasoning = asText(message['reasoning_content'] ?? message['reasoning'] ?? message['thinking'])
  const content = contentParts(message, role)
  const known = new Set(content.flatMap(({ type, id }) => (type === 'tool_call' ? (asText(id) ?? []) : [])))
  // Anthropic's calls are parts of the content; some senders list them again.
  const calls = listOf(message['tool_calls'] ?? message['toolCalls'])
    .map((call) => toolCall(call) ?? normalPart(call))
    .filter(({ id }) => typeof id !== 'string' || !known.has(id))
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...content,
    ...calls,
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
  return (isList(content) ? content : [content]).map(normalPart).filter((part) => !isEmptyPart(part))
}

/** LlamaIndex sends a text without content next to the call of a tool. */
function isEmptyPart(part: JsonObject): boolean {
  return part['type'] === 'text' && Object.keys(part).length === 1
}

function hasToolResults(content: Json | undefined): boolean {
  return isList(content) && content.some((part) => isObject(part) && part['type'] === 'tool-result')
}

/** A list of parts as text, which Traceloop and Strands write for content that is not plain text. */
function parsedContent(content: Json | undefined): Json | undefined {
  if (typeof content !== 'string' || !content.startsWith('[{') || !content.endsWith(']')) return content
  const parts = parseJsonText(content)
  if (!isList(parts)) return content
  const isTyped = parts.every((part) => isObject(part) && typeof part['type'] === 'string')
  return isTyped || areBlocks(parts) ? parts : content
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
