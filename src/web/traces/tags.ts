import { eachChild, kindAt, skipSpace } from '../../client/browser/json-scan.ts'
import { cutStringText } from '../call/preview-text.ts'

/** Where programs put the tags of a call. */
export const TAGS_PATH = 'attributes.tags'

/** Tags are a list of texts, or one text. The JSON may be cut off. */
export function tagsOf(json: string): readonly string[] {
  const at = skipSpace(json, 0)
  if (at >= json.length) return []
  const kind = kindAt(json, at)
  if (kind === 'string') return [cutStringText(json, at, json.length)].filter((tag) => tag !== '')
  if (kind !== 'array') return []
  const tags = new Set<string>()
  eachChild(json, at, (_, valueAt, end) => {
    if (valueAt >= json.length) return false
    if (kindAt(json, valueAt) === 'string') tags.add(cutStringText(json, valueAt, end))
    return true
  })
  return [...tags].filter((tag) => tag !== '')
}
