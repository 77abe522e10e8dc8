import { eachChild, kindAt, skipSpace, skipValue, stringAt } from '../../client/browser/json-scan.ts'

/** The text of the value that steps lead to, or undefined. A number is a place in a list. */
export function valueAt(text: string, steps: readonly string[]): string | undefined {
  let at = skipSpace(text, 0)
  for (const step of steps) {
    const kind = kindAt(text, at)
    if (kind !== 'object' && kind !== 'array') return undefined
    let found = -1
    let index = 0
    eachChild(text, at, (keyAt, valueAt) => {
      const isIt = keyAt === -1 ? String(index) === step : stringAt(text, keyAt) === step
      if (isIt) found = valueAt
      index++
      return !isIt
    })
    if (found === -1) return undefined
    at = found
  }
  return text.slice(at, skipValue(text, at))
}
