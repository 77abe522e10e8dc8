import { isObject } from '../json/is-object.ts'

/** Reads documents whose members may be anything. */

/** Undefined for a document that is absent. */
export function parseDocument(text: string | undefined): unknown {
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as unknown)
}

/** The value at a dotted path. */
export function valueAt(document: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), document)
}

/** The text at a dotted path; null for other values and the empty text. */
export function textAt(document: unknown, path: string): string | null {
  const value = valueAt(document, path)
  return typeof value === 'string' && value !== '' ? value : null
}

export function textsAt(document: unknown, path: string): string[] {
  const value = valueAt(document, path)
  return Array.isArray(value) ? value.filter((item: unknown) => typeof item === 'string') : []
}

/** The value at a dotted path as text: a text as it is, anything else as JSON; null if there is none. */
export function jsonAt(document: unknown, path: string): string | null {
  const value = valueAt(document, path)
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A document as text: the text that it is, or else its JSON as sent; null if it is absent. */
export function documentText(json: string | undefined): string | null {
  if (json === undefined || json === '' || json === 'null') return null
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}
