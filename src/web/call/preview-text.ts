import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

export interface PreviewPart {
  /** Of a member of the document, where there are several. */
  readonly key: string | undefined
  readonly text: string
}

/** The beginning of a document, without the signs of JSON where it can do without. It may be cut off. */
export function previewParts(json: string): readonly PreviewPart[] {
  const at = skipSpace(json, 0)
  if (at >= json.length) return []
  const said = lastSaid(json)
  if (said !== undefined) return [said]
  switch (kindAt(json, at)) {
    case 'null':
      return []
    case 'object': {
      const members = membersOf(json, at)
      const [only, ...others] = members
      return only !== undefined && others.length === 0 ? [{ key: undefined, text: only.text }] : members
    }
    case 'string':
      return [{ key: undefined, text: oneLine(cutStringText(json, at, json.length)) }]
    default:
      return [{ key: undefined, text: oneLine(json.slice(at)) }]
  }
}

/** Members that hold what was said to a model, or what it said. */
const IS_CONVERSATION = /"(?:messages|choices|contents|candidates)"\s*:\s*\[/
const ROLE_OR_TEXT = /"(role|content|text)"\s*:\s*"((?:[^"\\]|\\.)*)/g

/**
 * Of a conversation what the user said last, else whatever was said last: what tells one call of a model from the next.
 * The document may be cut off anywhere, so that this looks for texts and not for a structure.
 */
function lastSaid(json: string): PreviewPart | undefined {
  if (!IS_CONVERSATION.test(json)) return undefined
  let role: string | undefined
  let last: PreviewPart | undefined
  let lastOfUser: PreviewPart | undefined
  for (const { 1: name, 2: inner = '' } of json.matchAll(ROLE_OR_TEXT)) {
    if (name === 'role') {
      role = inner
      continue
    }
    const text = oneLine(cutStringText(`"${inner}`, 0, inner.length + 1))
    if (text === '') continue
    last = { key: role, text }
    if (role === 'user') lastOfUser = last
  }
  return lastOfUser ?? last
}

/** The same as one text. */
export function previewText(json: string): string {
  return previewParts(json)
    .map(({ key, text }) => (key === undefined ? text : `${key}: ${text}`))
    .join(' ')
}

function membersOf(json: string, at: number): PreviewPart[] {
  const members: PreviewPart[] = []
  eachChild(json, at, (keyAt, valueAt, end) => {
    if (valueAt >= json.length) return false
    const isString = kindAt(json, valueAt) === 'string'
    const text = isString ? cutStringText(json, valueAt, end) : json.slice(valueAt, end)
    members.push({ key: stringAt(json, keyAt), text: oneLine(text) })
    return true
  })
  return members
}

/** A string whose closing quote, or half an escape, may be missing. */
export function cutStringText(json: string, at: number, end: number): string {
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
