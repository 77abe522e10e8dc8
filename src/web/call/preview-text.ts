import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

export interface PreviewPart {
  /** Member name or message role; `undefined` if the document has only one member. */
  readonly key: string | undefined
  readonly text: string
}

/** A preview of a JSON document with as little JSON syntax as possible. The document may be truncated. */
export function previewParts(json: string): readonly PreviewPart[] {
  const at = skipSpace(json, 0)
  if (at >= json.length) return []
  const message = lastMessage(json)
  if (message !== undefined) return [message]
  switch (kindAt(json, at)) {
    case 'null':
      return []
    case 'object': {
      const members = memberPreviews(json, at)
      const [only, ...others] = members
      return only !== undefined && others.length === 0 ? [{ key: undefined, text: only.text }] : members
    }
    case 'string':
      return [{ key: undefined, text: oneLine(decodeTruncatedString(json, at, json.length)) }]
    default:
      return [{ key: undefined, text: oneLine(json.slice(at)) }]
  }
}

/** Members that contain the messages of a conversation. */
const CONVERSATION = /"(?:messages|choices|contents|candidates)"\s*:\s*\[/
const ROLE_OR_TEXT = /"(role|content|text)"\s*:\s*"((?:[^"\\]|\\.)*)/g

/**
 * The last user message of a conversation, else the last message: it distinguishes one model call from the next. The
 * document may be truncated anywhere, so this searches for strings instead of parsing the structure.
 */
function lastMessage(json: string): PreviewPart | undefined {
  if (!CONVERSATION.test(json)) return undefined
  let role: string | undefined
  let last: PreviewPart | undefined
  let lastUserMessage: PreviewPart | undefined
  for (const { 1: name, 2: inner = '' } of json.matchAll(ROLE_OR_TEXT)) {
    if (name === 'role') {
      role = inner
      continue
    }
    const text = oneLine(decodeTruncatedString(`"${inner}`, 0, inner.length + 1))
    if (text === '') continue
    last = { key: role, text }
    if (role === 'user') lastUserMessage = last
  }
  return lastUserMessage ?? last
}

/** The preview as one string. */
export function previewText(json: string): string {
  return previewParts(json)
    .map(({ key, text }) => (key === undefined ? text : `${key}: ${text}`))
    .join(' ')
}

function memberPreviews(json: string, at: number): PreviewPart[] {
  const members: PreviewPart[] = []
  eachChild(json, at, (keyAt, valueAt, end) => {
    if (valueAt >= json.length) return false
    const isString = kindAt(json, valueAt) === 'string'
    const text = isString ? decodeTruncatedString(json, valueAt, end) : json.slice(valueAt, end)
    members.push({ key: stringAt(json, keyAt), text: oneLine(text) })
    return true
  })
  return members
}

/** Decodes a JSON string that may be truncated, even within an escape sequence. */
export function decodeTruncatedString(json: string, at: number, end: number): string {
  const inner = json.slice(at, end)
  if (inner.length > 1 && inner.endsWith('"')) return tryParse(inner) ?? inner.slice(1)
  return tryParse(`${inner.replace(/\\(?:u[0-9a-f]{0,3})?$/i, '')}"`) ?? inner.slice(1)
}

function tryParse(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
