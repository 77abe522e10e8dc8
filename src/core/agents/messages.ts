import { isObject } from '../json/is-object.ts'

/** Messages of a span, in the form that src/otlp/messages.ts gives them: `{role, parts, finish_reason?}`. */

export interface Message {
  readonly role: string
  /** Its text; without reasoning and calls of tools. */
  readonly text: string
  readonly reasoning: string
  /** The text, or the parts as JSON if there are others. */
  readonly content: string
  readonly finish_reason: string
}

/** Empty for a value that is not a list of messages. */
export function messagesIn(document: unknown): Message[] {
  const list = isObject(document) ? document['messages'] : undefined
  return Array.isArray(list) ? list.flatMap((item: unknown) => (isObject(item) ? [message(item)] : [])) : []
}

function message(sent: Readonly<Record<string, unknown>>): Message {
  const parts = (Array.isArray(sent['parts']) ? (sent['parts'] as unknown[]) : []).filter(isObject)
  const contents = (type: string): string =>
    parts
      .filter((part) => part['type'] === type)
      .map((part) => textOf(part['content']))
      .join('\n')
  const text = contents('text')
  return {
    role: textOf(sent['role']),
    text,
    reasoning: contents('reasoning'),
    content: parts.every((part) => part['type'] === 'text') ? text : JSON.stringify(parts),
    finish_reason: textOf(sent['finish_reason']),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
