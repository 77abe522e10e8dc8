import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { readConversation } from '../call/conversation.ts'
import type { Message } from '../call/message.ts'
import { cutStringText, previewText } from '../call/preview-text.ts'

/** What was said in a turn, out of the inputs and the output of its call, which may be cut off at their end. */

const ASKED = [
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
const ANSWERED = ['answer', 'reply', 'response', 'output', 'text', 'content', 'message', 'result']

export function askedText(inputs: string): string {
  const messages = conversationOf(inputs, 'null')
  const last = messages.findLast(({ role }) => role === 'user')
  return (last === undefined ? undefined : wordsOf(last)) ?? saidText(inputs, ASKED)
}

export function answeredText(inputs: string, output: string): string {
  const answers = conversationOf(inputs, output).filter(({ isOutput }) => isOutput)
  const words = answers.flatMap((message) => wordsOf(message) ?? [])
  return words.length > 0 ? words.join('\n\n') : saidText(output, ANSWERED)
}

/** A document that was cut off may end within anything. */
function conversationOf(inputs: string, output: string): readonly Message[] {
  try {
    return readConversation(inputs, output) ?? []
  } catch {
    return []
  }
}

function wordsOf({ parts }: Message): string | undefined {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** A text itself, or the member that is most likely what was said; else the whole document, in short. */
function saidText(json: string, names: readonly string[]): string {
  const at = skipSpace(json, 0)
  if (at >= json.length) return ''
  const kind = kindAt(json, at)
  if (kind === 'string') return cutStringText(json, at, json.length)
  if (kind !== 'object') return previewText(json)
  const texts = new Map<string, string>()
  eachChild(json, at, (keyAt, valueAt, end) => {
    if (valueAt >= json.length) return false
    if (kindAt(json, valueAt) === 'string')
      texts.set(stringAt(json, keyAt), cutStringText(json, valueAt, end))
    return true
  })
  const name = names.find((each) => texts.has(each))
  return (name === undefined ? undefined : texts.get(name)) ?? previewText(json)
}
