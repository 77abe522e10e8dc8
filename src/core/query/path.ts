import { unprocessable } from '../../contract/api-error.ts'

/** The maximum nesting of documents; a longer path matches nothing. */
const MAX_PARTS = 200

/**
 * Splits a dotted field name: `\.` is a dot inside a part, and the feedback type in `feedback.[a.b].payload` is one
 * part, brackets included. Integer parts index arrays; negative ones are rejected.
 */
export function splitPath(raw: string, loc: readonly (string | number)[] = ['query']): string[] {
  const parts: string[] = []
  let part = ''
  for (let i = 0; i < raw.length; i++) {
    const c = raw[i]
    if (c === '\\' && raw[i + 1] === '.') {
      part += '.'
      i++
    } else if (c === '[' && part === '' && parts.length === 1 && parts[0] === 'feedback') {
      const end = raw.indexOf(']', i)
      if (end === -1) throw unprocessable(loc, `"${raw}" lacks the ] after the feedback type`)
      part = raw.slice(i, end + 1)
      i = end
    } else if (c === '.') {
      parts.push(part)
      part = ''
    } else {
      part += c
    }
  }
  parts.push(part)
  if (parts.length > MAX_PARTS)
    throw unprocessable(loc, `the field has ${parts.length} parts; the maximum is ${MAX_PARTS}`)
  if (parts.includes('')) throw unprocessable(loc, `"${raw}" has an empty part; write \\. for a dot in a key`)
  if (parts.some((name) => /^-\d+$/.test(name))) {
    throw unprocessable(loc, `"${raw}" has a negative index; count from the start of the array`)
  }
  return parts
}
