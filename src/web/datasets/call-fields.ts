import { eachChild, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { valueAt } from '../json/value-at.ts'

/** The inputs and output of a call, as JSON text. */
export interface CallDocuments {
  readonly id: string
  readonly inputs: string
  readonly output: string | undefined
}

/** A field of calls that can become a column. */
export interface CallField {
  /** Such as `inputs.question` or `output`; `call` is a ref to the call itself. */
  readonly label: string
  readonly path: readonly string[]
  /** The default column name. */
  readonly column: string
  /** Whether it is selected by default. */
  readonly isDefault: boolean
}

const CALL: CallField = { label: 'call', path: ['call'], column: 'call', isDefault: false }
const OUTPUT: CallField = { label: 'output', path: ['output'], column: 'output', isDefault: true }

/** The fields of calls: each input, the output, its members, and the ref to the call. */
export function callFields(calls: readonly CallDocuments[]): readonly CallField[] {
  const inputs = new Set<string>()
  const outputs = new Set<string>()
  for (const call of calls) {
    for (const key of objectKeys(call.inputs)) inputs.add(key)
    if (call.output !== undefined) for (const key of objectKeys(call.output)) outputs.add(key)
  }
  const isTaken = (name: string): boolean => inputs.has(name) || name === 'output' || name === 'call'
  return [
    ...[...inputs].map((key) => ({
      label: `inputs.${key}`,
      path: ['inputs', key],
      column: key === 'output' || key === 'call' ? `input_${key}` : key,
      // `self` is the model or evaluation that owns the method; it is rarely useful in a dataset.
      isDefault: key !== 'self',
    })),
    OUTPUT,
    ...[...outputs].map((key) => ({
      label: `output.${key}`,
      path: ['output', key],
      column: isTaken(key) ? `output_${key}` : key,
      isDefault: false,
    })),
    CALL,
  ]
}

/** The keys of an object. Keys with a leading underscore are SDK metadata and are left out. */
function objectKeys(document: string): string[] {
  const keys: string[] = []
  const at = skipSpace(document, 0)
  if (kindAt(document, at) !== 'object') return keys
  eachChild(document, at, (keyAt) => void keys.push(stringAt(document, keyAt)))
  return keys.filter((key) => !key.startsWith('_'))
}

/** The row of a call, as JSON text. Missing values are omitted; values keep their exact spelling. */
export function callRow(
  call: CallDocuments,
  columns: readonly { readonly field: CallField; readonly column: string }[],
  toRef: (id: string) => string,
): string {
  const members = columns.flatMap(({ field, column }) => {
    const value = fieldValue(call, field, toRef)
    return value === undefined ? [] : [`${JSON.stringify(column)}: ${value}`]
  })
  return `{${members.join(', ')}}`
}

function fieldValue(
  call: CallDocuments,
  { path: [root, ...steps] }: CallField,
  toRef: (id: string) => string,
): string | undefined {
  if (root === 'call') return JSON.stringify(toRef(call.id))
  const document = root === 'inputs' ? call.inputs : call.output
  return document === undefined ? undefined : valueAt(document, steps)
}
