import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { valueAt } from '../json/value-at.ts'

/** The documents of a call that rows are made of. */
export interface CallDocuments {
  readonly id: string
  readonly inputs: string
  readonly output: string | undefined
}

/** A part of calls that becomes a column. */
export interface CallField {
  /** `inputs.question`, `output`; the id of the call as a ref is `call`. */
  readonly label: string
  readonly path: readonly string[]
  /** What the column is called, unless somebody calls it otherwise. */
  readonly column: string
  readonly isUsual: boolean
}

const CALL: CallField = { label: 'call', path: ['call'], column: 'call', isUsual: false }
const OUTPUT: CallField = { label: 'output', path: ['output'], column: 'output', isUsual: true }

/** What calls have to offer: each of their inputs, the output, its members, and the way back to the call. */
export function fieldsOf(calls: readonly CallDocuments[]): readonly CallField[] {
  const inputs = new Set<string>()
  const outputs = new Set<string>()
  for (const call of calls) {
    for (const key of keysOf(call.inputs)) inputs.add(key)
    if (call.output !== undefined) for (const key of keysOf(call.output)) outputs.add(key)
  }
  const isTaken = (name: string): boolean => inputs.has(name) || name === 'output' || name === 'call'
  return [
    ...[...inputs].map((key) => ({
      label: `inputs.${key}`,
      path: ['inputs', key],
      column: key === 'output' || key === 'call' ? `input_${key}` : key,
      // The model or evaluation that a method belongs to is no question for another one.
      isUsual: key !== 'self',
    })),
    OUTPUT,
    ...[...outputs].map((key) => ({
      label: `output.${key}`,
      path: ['output', key],
      column: isTaken(key) ? `output_${key}` : key,
      isUsual: false,
    })),
    CALL,
  ]
}

/** SDKs put what is known of an object among its values; those names begin so. */
function keysOf(document: string): string[] {
  const keys: string[] = []
  const at = skipSpace(document, 0)
  if (kindAt(document, at) !== 'object') return keys
  eachChild(document, at, (keyAt) => void keys.push(stringAt(document, keyAt)))
  return keys.filter((key) => !key.startsWith('_'))
}

/** The row of a call. What the call does not have, its row has not either; values keep their spelling. */
export function rowOf(
  call: CallDocuments,
  columns: readonly { readonly field: CallField; readonly column: string }[],
  refOf: (id: string) => string,
): string {
  const members = columns.flatMap(({ field, column }) => {
    const value = valueOf(call, field, refOf)
    return value === undefined ? [] : [`${JSON.stringify(column)}: ${value}`]
  })
  return `{${members.join(', ')}}`
}

function valueOf(
  call: CallDocuments,
  { path: [root, ...steps] }: CallField,
  refOf: (id: string) => string,
): string | undefined {
  if (root === 'call') return JSON.stringify(refOf(call.id))
  const document = root === 'inputs' ? call.inputs : call.output
  return document === undefined ? undefined : valueAt(document, steps)
}
