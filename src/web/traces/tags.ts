import { eachChild, kindAt, skipSpace } from '../../client/browser/json-scan.ts'
import { decodeTruncatedString } from '../call/preview-text.ts'

/** Path of the tags of a call. */
export const TAGS_PATH = 'attributes.tags'

/** Parses tags: an array of strings, or one string. The JSON may be truncated. */
export function parseTags(json: string): readonly string[] {
  const at = skipSpace(json, 0)
  if (at >= json.length) return []
  const kind = kindAt(json, at)
  if (kind === 'string') return [decodeTruncatedString(json, at, json.length)].filter((tag) => tag !== '')
  if (kind !== 'array') return []
  const tags = new Set<string>()
  eachChild(json, at, (_, valueAt, end) => {
    if (valueAt >= json.length) return false
    if (kindAt(json, valueAt) === 'string') tags.add(decodeTruncatedString(json, valueAt, end))
    return true
  })
  return [...tags].filter((tag) => tag !== '')
}
