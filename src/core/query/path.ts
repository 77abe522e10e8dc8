import { unprocessable } from '../../contract/api-error.ts'

/** Documents are nested at most so deep, so a longer path finds nothing in any of them. */
const MAX_PARTS = 200

/**
 * A field's dotted name as parts: `\.` is a dot inside a part, and the feedback type in `feedback.[a.b].payload`
 * is one part, brackets included. Integer parts index arrays; negative ones are refused.
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
      if (end === -1) throw unprocessable(loc, `"${raw}" misses the ] after the feedback type`)
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
    throw unprocessable(loc, `a field has at most ${MAX_PARTS} parts, not ${parts.length}`)
  if (parts.includes('')) throw unprocessable(loc, `"${raw}" has an empty part; write \\. for a dot in a key`)
  if (parts.some((name) => /^-\d+$/.test(name))) {
    throw unprocessable(loc, `"${raw}" has a negative index; count from the start of the array`)
  }
  return parts
}
