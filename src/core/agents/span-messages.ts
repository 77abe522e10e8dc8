import { createHash } from 'node:crypto'
import type { StoredCallRow } from '../calls/call-view.ts'
import { documentText, jsonAt, parseDocument, textAt, valueAt } from './document.ts'
import { messagesIn } from './messages.ts'

/** All messages of a span: what it was asked, what it responded, and what a tool got and returned. */

interface RoleText {
  readonly role: string
  readonly content: string
}

export interface SpanMessages {
  /** Empty if the span names none. */
  readonly agent_name: string
  readonly conversation_name: string
  readonly messages: readonly RoleText[]
}

export function readSpanMessages(row: StoredCallRow): SpanMessages {
  const attributes = parseDocument(row.attributes)
  const inputs = parseDocument(row.inputs)
  const isTool = valueAt(attributes, 'kind') === 'tool'
  const messages: [string, string | null][] = [
    ['system', jsonAt(inputs, 'system')],
    ...[...messagesIn(inputs), ...messagesIn(parseDocument(row.output))].map(
      ({ role, content }): [string, string] => [role, content],
    ),
    ['tool_call', isTool ? documentText(row.inputs) : null],
    ['tool_result', isTool ? documentText(row.output) : null],
  ]
  return {
    agent_name: textAt(attributes, 'agent.name') ?? '',
    conversation_name: textAt(attributes, 'gen_ai.conversation.name') ?? '',
    messages: messages.flatMap(([role, content]) =>
      content === null || content === '' ? [] : [{ role, content }],
    ),
  }
}

/** The same for equal texts. */
export function contentDigest(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32)
}

/** The first characters; none is cut in half. */
export function startOfText(text: string, characters: number): string {
  const end = (text.codePointAt(characters - 1) ?? 0) > 0xffff ? characters - 1 : characters
  return text.slice(0, end)
}
