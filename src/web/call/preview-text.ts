import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { completeJson } from '../json/complete-json.ts'
import { mediaAt } from '../media/media-value.ts'
import { refLabel } from '../ui/ref-label.ts'
import { readMessages } from './conversation.ts'
import type { Message, MessagePart } from './message.ts'

export interface PreviewPart {
  /** Member name, message role or tool; `undefined` if the document has only one member. */
  readonly key: string | undefined
  readonly text: string
}

/**
 * A preview of a JSON document with as little JSON syntax as possible: of a conversation the last message, which
 * distinguishes one call of a model from the next, else the members. The document may be truncated.
 */
export function previewParts(json: string): readonly PreviewPart[] {
  const document = completeJson(json)
  const at = skipSpace(document, 0)
  if (at >= document.length) return []
  const kind = kindAt(document, at)
  if (kind === 'null') return []
  if (kind !== 'object') return [{ key: undefined, text: valueText(json, document, at, json.length) }]
  const message = readMessages(document).findLast((each) => messageText(each) !== '')
  if (message !== undefined) return [{ key: messageKey(message), text: messageText(message) }]
  if (mediaAt(document, at) !== undefined)
    return [{ key: undefined, text: valueText(json, document, at, json.length) }]
  return memberPreviews(json, document, at)
}

/** The preview as one string. */
export function previewText(json: string): string {
  return previewParts(json)
    .map(({ key, text }) => (key === undefined ? text : `${key}: ${text}`))
    .join(' ')
}

/** The object of a method, and the type names that SDKs add, say little about a call. */
const HIDDEN_MEMBERS: ReadonlySet<string> = new Set(['self', '_type', '_class_name', '_bases'])

/** The members; of a single one its members or its text. */
function memberPreviews(json: string, document: string, at: number): readonly PreviewPart[] {
  const members: { key: string; at: number; end: number }[] = []
  eachChild(document, at, (keyAt, valueAt, end) => {
    members.push({ key: stringAt(document, keyAt), at: valueAt, end })
  })
  const visible = members.filter(({ key }) => !HIDDEN_MEMBERS.has(key))
  const shown = visible.length === 0 ? members : visible
  const [only] = shown
  if (only !== undefined && shown.length === 1 && isPlainObject(document, only.at, only.end))
    return memberPreviews(json, document, only.at)
  return shown.map(({ key, at: valueAt, end }) => ({
    key: shown.length === 1 ? undefined : key,
    text: valueText(json, document, valueAt, end),
  }))
}

function isPlainObject(document: string, at: number, end: number): boolean {
  return kindAt(document, at) === 'object' && end - at > 2 && mediaAt(document, at, end) === undefined
}

/** `document` is the completed `json`. */
function valueText(json: string, document: string, at: number, end: number): string {
  const media = mediaAt(document, at, end)
  if (media !== undefined) {
    if (media.kind === 'remote') return media.url
    return media.kind === 'stored' ? `[${media.file.name}]` : `[${media.declaredType}]`
  }
  if (kindAt(document, at) === 'string') return withRefLabels(oneLine(stringAt(document, at)))
  return withRefLabels(oneLine(json.slice(at, end)))
}

/** Replaces refs by names: `weave:///admin/shop/object/assistant:HYBIBmFOb…` by `assistant`. */
function withRefLabels(text: string): string {
  return text.replaceAll(/weave:\/\/\/[^\s"'\\]+/g, refLabel)
}

function messageKey({ role, parts, isOutput }: Message): string | undefined {
  const result = parts.find((part) => part.kind === 'tool result')
  if (result !== undefined) return result.name
  // A role that the SDK has replaced by a ref is not known here.
  return role.startsWith('weave:///') || (isOutput && role === 'assistant') ? undefined : role
}

function messageText({ parts }: Message): string {
  return oneLine(parts.map(partText).join(' '))
}

function partText(part: MessagePart): string {
  switch (part.kind) {
    case 'text':
    case 'tool result':
      return part.text
    case 'tool call':
      return `${part.name}(${previewText(part.json)})`
    case 'media':
      return `[${part.name}]`
    case 'json':
      return part.json
    case 'thinking':
      return ''
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
