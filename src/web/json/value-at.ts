import { eachChild, kindAt, skipSpace, skipValue, stringAt } from '../../client/browser/json-scan.ts'

/** The JSON text of the value at a path; `undefined` if there is none. A number is an array index. */
export function valueAt(text: string, steps: readonly string[]): string | undefined {
  let at = skipSpace(text, 0)
  for (const step of steps) {
    const kind = kindAt(text, at)
    if (kind !== 'object' && kind !== 'array') return undefined
    let found = -1
    let index = 0
    eachChild(text, at, (keyAt, valueAt) => {
      const isMatch = keyAt === -1 ? String(index) === step : stringAt(text, keyAt) === step
      if (isMatch) found = valueAt
      index++
      return !isMatch
    })
    if (found === -1) return undefined
    at = found
  }
  return text.slice(at, skipValue(text, at))
}
