import { isDeepStrictEqual } from 'node:util'
import { fieldValuesIn } from './json-arbitraries.ts'
import type { FieldValue } from './query-arbitraries.ts'
import type { RandomCall } from './random-calls.ts'
import { visibleCalls, type VisibleCall } from './stored-calls.ts'

/** The calls of one project, and the differences between the server and the reference interpreter. */
export class CallSet {
  readonly project_id: string
  readonly calls: readonly VisibleCall[]
  readonly fieldValues: readonly FieldValue[]
  readonly differences: string[] = []

  constructor(project_id: string, randomCalls: readonly RandomCall[]) {
    this.project_id = project_id
    this.calls = visibleCalls(project_id, randomCalls)
    this.fieldValues = collectFieldValues(randomCalls)
  }

  /** Records a request whose result differs, with the first call that is missing or unexpected. */
  compareIds(request: string, found: readonly string[], calls: readonly VisibleCall[]): void {
    const expected = calls.map(({ id }) => id)
    if (isDeepStrictEqual(found, expected)) return
    const wrong = this.calls.find(({ id }) => expected.includes(id) !== found.includes(id))
    if (wrong === undefined) return this.compare(request, found, expected)
    const kind = expected.includes(wrong.id) ? 'missing' : 'unexpected'
    this.differences.push(`${request}\n${this.project_id}, ${kind}: ${stringify([...wrong.row])}`)
  }

  compare(request: string, found: unknown, expected: unknown): void {
    if (isDeepStrictEqual(found, expected)) return
    this.differences.push(
      `${request}\n${this.project_id}, found: ${stringify(found)}\nexpected: ${stringify(expected)}`,
    )
  }
}

function stringify(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))
}

function collectFieldValues(calls: readonly RandomCall[]): FieldValue[] {
  const fieldValues = calls.flatMap((call) => [
    ...fieldValuesIn('inputs', call.inputs),
    ...fieldValuesIn('attributes', call.attributes),
    ...call.ends.flatMap((end) => [
      ...fieldValuesIn('output', end.output),
      ...fieldValuesIn('summary', end.summary),
    ]),
  ])
  // Keeps only a few of the many members of wide objects.
  return fieldValues.filter(({ field }) => !/\.k[0-5]\d$/.test(field))
}
