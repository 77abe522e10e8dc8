import type { Attribute } from './attribute.ts'
import { isAbsent, isObject, type Json, type JsonObject, toJson } from './json.ts'
import { looksLikeJson, parseJsonText } from './json-text.ts'
import { hasContent, normalMessage, normalMessages, readMessages } from './messages.ts'
import type { Attributes, AttributeValue, SpanEvent } from './model.ts'
import { indexed, memberAt } from './readers.ts'

/** Messages in the forms that the GenAI conventions have had, see genai.ts. */

export function inputMessages(attribute: Attribute): Json | undefined {
  return readMessages(attribute, 'user')
}

export function outputMessages(attribute: Attribute): Json | undefined {
  return readMessages(attribute, 'assistant')
}

/** `gen_ai.prompt.0.role` and so on. */
export function promptMessages(members: readonly Attribute[]): Json | undefined {
  return list(normalMessages(indexed(members), 'user'))
}

export function choiceMessages(members: readonly Attribute[]): Json | undefined {
  return list(normalMessages(indexed(members), 'assistant'))
}

function list(messages: readonly Json[]): Json | undefined {
  return messages.length === 0 ? undefined : messages
}

/** Events of one message each, such as `gen_ai.user.message`. */
export function messageEvents(events: readonly SpanEvent[]): Json | undefined {
  return list(events.map(({ name, attributes }) => eventMessage(name, attributes, undefined)))
}

/** The message of an event or log record; the members are in the body or among the attributes. */
export function eventMessage(name: string, attributes: Attributes, body: AttributeValue | undefined): Json {
  const parsed = body === undefined || isAbsent(body) ? undefined : parsedValue(body)
  const role = EVENT_ROLES.get(name) ?? 'user'
  if (parsed !== undefined && !isObject(parsed)) return normalMessage(parsed, role)
  const members: Record<string, Json | undefined> = { ...parsed }
  for (const key of MESSAGE_KEYS) {
    const value = attributes.get(key) ?? attributes.get(`gen_ai.${key}`)
    if (value !== undefined && !isAbsent(value)) members[key] ??= parsedMember(key, value)
  }
  // Strands has the content of a choice here.
  const { message, ...others } = members
  if (message !== undefined && !isObject(message))
    return eventMessageOf(role, { ...others, content: others['content'] ?? message })
  return eventMessageOf(role, members)
}

function eventMessageOf(role: string, members: JsonObject): Json {
  // A tool message has the id of the call in `id`.
  return normalMessage(
    role === 'tool' && members['role'] === undefined ? { ...members, role } : members,
    role,
  )
}

const MESSAGE_KEYS = [
  'role',
  'content',
  'tool_calls',
  'id',
  'name',
  'message',
  'finish_reason',
  'tool_call_id',
]

const EVENT_ROLES: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
  ['gen_ai.choice', 'assistant'],
])

/** Content is text, whatever it looks like, unless it is a list of parts, which messages.ts finds. */
function parsedMember(key: string, value: AttributeValue): Json {
  if (key === 'tool_calls') return parsedValue(value)
  if (key !== 'message') return toJson(value)
  const message = parsedValue(value)
  return isObject(message) && hasContent(message) ? message : toJson(value)
}

export function parsedValue(value: AttributeValue): Json {
  if (typeof value !== 'string') return toJson(value)
  return looksLikeJson(value) ? (parseJsonText(value) ?? value) : value
}

/** Events with all messages in one attribute. */
export function messageListEvents(role: string, ...keys: readonly string[]) {
  const read = contentEvents(...keys)
  return (events: readonly SpanEvent[]): Json | undefined => {
    const content = read(events)
    return content === undefined
      ? undefined
      : list(normalMessages(memberAt(content, 'messages') ?? content, role))
  }
}

/** Events with a value in one of these attributes. */
export function contentEvents(...keys: readonly string[]) {
  return (events: readonly SpanEvent[]): Json | undefined => {
    for (const { attributes } of events) {
      for (const key of keys) {
        const value = attributes.get(key)
        if (value !== undefined && !isAbsent(value)) return parsedValue(value)
      }
    }
    return undefined
  }
}
