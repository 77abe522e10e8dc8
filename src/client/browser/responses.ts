import { eachChild, kindAt, skipSpace, skipValue, stringAt } from './json-scan.ts'
import { JsonText } from './json-text.ts'

/**
 * Where payloads lie in an answer: `1` is one, a list holds what its items are, `*` what every member of an object is.
 * Everything that is not named is small and goes through `JSON.parse`.
 */
export type Payloads = 1 | readonly [Payloads] | { readonly [key: string]: Payloads }

/** An answer with its payloads kept as text; null stays null. */
export function readAnswer(text: string, payloads: Payloads | undefined): unknown {
  return payloads === undefined ? JSON.parse(text) : readAt(text, skipSpace(text, 0), text.length, payloads)
}

function readAt(text: string, at: number, end: number, payloads: Payloads | undefined): unknown {
  const kind = kindAt(text, at)
  if (payloads === 1 && kind !== 'null') return new JsonText(text.slice(at, skipValue(text, at)))
  if (payloads === undefined || payloads === 1) return plainAt(text, at, end)
  if (kind === 'array' && isList(payloads)) {
    const items: unknown[] = []
    eachChild(text, at, (_, valueAt, end) => void items.push(readAt(text, valueAt, end, payloads[0])))
    return items
  }
  if (kind === 'object' && !isList(payloads)) {
    const members: [string, unknown][] = []
    eachChild(text, at, (keyAt, valueAt, end) => {
      const key = stringAt(text, keyAt)
      const inner = Object.hasOwn(payloads, key) ? payloads[key] : payloads['*']
      members.push([key, readAt(text, valueAt, end, inner)])
    })
    return Object.fromEntries(members)
  }
  return JSON.parse(text.slice(at, end))
}

/** `JSON.parse` of one value; most are short text, null or numbers, for which it need not be asked. */
function plainAt(text: string, at: number, end: number): unknown {
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
