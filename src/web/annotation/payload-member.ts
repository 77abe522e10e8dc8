import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import type { JsonText } from '../../client/browser/json-text.ts'

/** The raw JSON text of one member of a payload; undefined if it is missing. */
export function payloadMember({ text }: JsonText, key: string): string | undefined {
  const at = skipSpace(text, 0)
  if (kindAt(text, at) !== 'object') return undefined
  let found: string | undefined
  eachChild(text, at, (keyAt, valueAt, end) => {
    if (stringAt(text, keyAt) !== key) return true
    found = text.slice(valueAt, end)
    return false
  })
  return found
}
