import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

/** Values of an example by path, as JSON text; undefined for text that is too long to name a slice. */
export type ExampleFields = ReadonlyMap<string, string | undefined>

const MAX_VALUE_CHARACTERS = 200
/** Objects that are nested deeper are one value. */
const MAX_DEPTH = 4

/** Collects the values of an example. A list is one value. */
export function exampleFields(example: string): ExampleFields {
  const fields = new Map<string, string | undefined>()
  const at = skipSpace(example, 0)
  if (at < example.length && kindAt(example, at) === 'object') collectFields(example, at, [], fields)
  return fields
}

function collectFields(
  text: string,
  at: number,
  path: readonly string[],
  fields: Map<string, string | undefined>,
): void {
  eachChild(text, at, (keyAt, valueAt, end) => {
    const own = [...path, stringAt(text, keyAt)]
    if (kindAt(text, valueAt) === 'object' && own.length < MAX_DEPTH)
      collectFields(text, valueAt, own, fields)
    else
      fields.set(own.join('.'), end - valueAt > MAX_VALUE_CHARACTERS ? undefined : text.slice(valueAt, end))
  })
}
