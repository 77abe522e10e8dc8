import { eachChild, kindAt, skipSpace, skipValue, stringAt } from '../../client/browser/json-scan.ts'
import type { ConversationDocument } from './message.ts'

const MAX_ITEMS = 400

/** A position in a JSON document. */
export interface DocumentCursor {
  readonly document: ConversationDocument
  readonly text: string
  readonly at: number
}

export function rootCursor(document: ConversationDocument, text: string): DocumentCursor {
  return { document, text, at: skipSpace(text, 0) }
}

export function cursorKind({ text, at }: DocumentCursor): string {
  return at < text.length ? kindAt(text, at) : 'null'
}

export function getMember(
  from: DocumentCursor | undefined,
  ...keys: readonly string[]
): DocumentCursor | undefined {
  let current = from
  for (const key of keys) {
    if (current === undefined || cursorKind(current) !== 'object') return undefined
    const { document, text, at } = current
    let found: DocumentCursor | undefined
    eachChild(text, at, (keyAt, valueAt) => {
      if (stringAt(text, keyAt) !== key) return true
      found = { document, text, at: valueAt }
      return false
    })
    current = found
  }
  return current
}

export function getItems(list: DocumentCursor | undefined): DocumentCursor[] {
  const found: DocumentCursor[] = []
  if (list === undefined || cursorKind(list) !== 'array') return found
  eachChild(list.text, list.at, (_, valueAt) => {
    found.push({ ...list, at: valueAt })
    return found.length < MAX_ITEMS
  })
  return found
}

export function stringValue(value: DocumentCursor | undefined): string | undefined {
  return value !== undefined && cursorKind(value) === 'string' ? stringAt(value.text, value.at) : undefined
}

export function jsonText({ text, at }: DocumentCursor): string {
  return text.slice(at, skipValue(text, at))
}
