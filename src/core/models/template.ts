import { RawJson } from '../../contract/raw-json.ts'
import { isObject } from '../json/is-object.ts'

/** Variables of prompts: `{name}` in the texts of messages. Braces around anything else stay. */

export function fillMessages(messages: unknown, variables: Readonly<Record<string, unknown>>): RawJson {
  return RawJson.fromValue(
    Array.isArray(messages) ? messages.map((each) => fillMessage(each, variables)) : [],
  )
}

/** What a model said is no template. */
function fillMessage(message: unknown, variables: Readonly<Record<string, unknown>>): unknown {
  if (!isObject(message) || message['role'] === 'assistant') return message
  return { ...message, content: fillContent(message['content'], variables) }
}

function fillContent(content: unknown, variables: Readonly<Record<string, unknown>>): unknown {
  if (typeof content === 'string') return fillText(content, variables)
  if (!Array.isArray(content)) return content
  return content.map((part: unknown) =>
    isObject(part) && typeof part['text'] === 'string'
      ? { ...part, text: fillText(part['text'], variables) }
      : part,
  )
}

function fillText(text: string, variables: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{([A-Za-z_][\w-]*)\}/g, (whole, name: string) => {
    if (!Object.hasOwn(variables, name)) return whole
    const value = variables[name]
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}
