import { eachChild, kindAt, skipSpace, skipValue, stringAt } from './json-scan.ts'
import { JsonText } from './json-text.ts'

/**
 * Locates payloads in a response: `1` is a payload, a list describes its items, `*` describes every member of an
 * object. Everything else is small and parsed with `JSON.parse`.
 */
export type Payloads = 1 | readonly [Payloads] | { readonly [key: string]: Payloads }

/** Parses a response and keeps its payloads as text; null stays null. */
export function parseResponse(text: string, payloads: Payloads | undefined): unknown {
  return payloads === undefined ? JSON.parse(text) : parseAt(text, skipSpace(text, 0), text.length, payloads)
}

function parseAt(text: string, at: number, end: number, payloads: Payloads | undefined): unknown {
  const kind = kindAt(text, at)
  if (payloads === 1 && kind !== 'null') return new JsonText(text.slice(at, skipValue(text, at)))
  if (payloads === undefined || payloads === 1) return parsePlainAt(text, at, end)
  if (kind === 'array' && isList(payloads)) {
    const items: unknown[] = []
    eachChild(text, at, (_, valueAt, end) => void items.push(parseAt(text, valueAt, end, payloads[0])))
    return items
  }
  if (kind === 'object' && !isList(payloads)) {
    const members: [string, unknown][] = []
    eachChild(text, at, (keyAt, valueAt, end) => {
      const key = stringAt(text, keyAt)
      const inner = Object.hasOwn(payloads, key) ? payloads[key] : payloads['*']
      members.push([key, parseAt(text, valueAt, end, inner)])
    })
    return Object.fromEntries(members)
  }
  return JSON.parse(text.slice(at, end))
}

/** Parses one value. Most are short strings, null or numbers, which need no `JSON.parse`. */
function parsePlainAt(text: string, at: number, end: number): unknown {
  switch (kindAt(text, at)) {
    case 'string':
      return stringAt(text, at, end)
    case 'null':
      return null
    case 'number':
      return Number(text.slice(at, end))
    default:
      return JSON.parse(text.slice(at, end))
  }
}

function isList(payloads: Payloads): payloads is readonly [Payloads] {
  return Array.isArray(payloads)
}
