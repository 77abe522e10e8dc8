import { unprocessable } from '../../contract/api-error.ts'
import { MAX_FIELD_INDEXES, MAX_FIELD_PARTS } from '../../contract/limits.ts'

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
  if (parts.length > MAX_FIELD_PARTS)
    throw unprocessable(loc, `the field has ${parts.length} parts; the maximum is ${MAX_FIELD_PARTS}`)
  if (parts.filter((name) => /^\d+$/.test(name)).length > MAX_FIELD_INDEXES)
    throw unprocessable(loc, `the field has more than ${MAX_FIELD_INDEXES} numbers between dots`)
  if (parts.includes('')) throw unprocessable(loc, `"${raw}" has an empty part; write \\. for a dot in a key`)
  if (parts.some((name) => /^-\d+$/.test(name))) {
    throw unprocessable(loc, `"${raw}" has a negative index; count from the start of the array`)
  }
  return parts
}
