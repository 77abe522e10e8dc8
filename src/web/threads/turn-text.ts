import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { readConversation } from '../call/conversation.ts'
import type { Message } from '../call/message.ts'
import { previewText } from '../call/preview-text.ts'
import { completeJson } from '../json/complete-json.ts'

/** Extracts the user and assistant text of a turn from the inputs and output of its call, which may be truncated. */

/** Input fields that may hold the user text, most likely first. */
const USER_FIELDS = [
  'message',
  'question',
  'input',
  'prompt',
  'query',
  'user_message',
  'user_input',
  'text',
  'content',
]
/** Output fields that may hold the assistant text, most likely first. */
const ASSISTANT_FIELDS = ['answer', 'reply', 'response', 'output', 'text', 'content', 'message', 'result']

export function userText(inputs: string): string {
  const messages = readConversation(completeJson(inputs), 'null') ?? []
  const last = messages.findLast(({ role }) => role === 'user')
  return (last === undefined ? undefined : messageText(last)) ?? likelyText(inputs, USER_FIELDS)
}

export function assistantText(inputs: string, output: string): string {
  const messages = readConversation(completeJson(inputs), completeJson(output)) ?? []
  const outputs = messages.filter(({ isOutput }) => isOutput)
  const texts = outputs.flatMap((message) => messageText(message) ?? [])
  return texts.length > 0 ? texts.join('\n\n') : likelyText(output, ASSISTANT_FIELDS)
}

function messageText({ parts }: Message): string | undefined {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** A string as it is, the most likely member of an object, or else a preview of the whole document. */
function likelyText(json: string, names: readonly string[]): string {
  const document = completeJson(json)
  const at = skipSpace(document, 0)
  if (at >= document.length) return ''
  const kind = kindAt(document, at)
  if (kind === 'string') return stringAt(document, at)
  if (kind !== 'object') return previewText(json)
  const texts = new Map<string, string>()
  eachChild(document, at, (keyAt, valueAt) => {
    if (kindAt(document, valueAt) === 'string')
      texts.set(stringAt(document, keyAt), stringAt(document, valueAt))
  })
  const name = names.find((each) => texts.has(each))
  return (name === undefined ? undefined : texts.get(name)) ?? previewText(json)
}
