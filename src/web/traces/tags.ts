import { completeJson } from '../json/complete-json.ts'

/** Path of the tags of a call. */
export const TAGS_PATH = 'attributes.tags'

/** Parses tags: an array of strings, or one string. The JSON may be truncated. */
export function parseTags(json: string): readonly string[] {
  if (json === '') return []
  const value: unknown = JSON.parse(completeJson(json))
  const tags: unknown[] = Array.isArray(value) ? value : [value]
  return [...new Set(tags.filter((tag): tag is string => typeof tag === 'string' && tag !== ''))]
}
