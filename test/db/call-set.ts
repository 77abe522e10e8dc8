import { isDeepStrictEqual } from 'node:util'
import { placesIn } from './json-arbitraries.ts'
import type { Place } from './query-arbitraries.ts'
import type { RandomCall } from './random-calls.ts'
import { seenCalls, type SeenCall } from './stored-calls.ts'

/** The calls of one project, and where the server and the interpreter disagree about them. */
export class CallSet {
  readonly project_id: string
  readonly calls: readonly SeenCall[]
  readonly places: readonly Place[]
  readonly differences: string[] = []

  constructor(project_id: string, drawn: readonly RandomCall[]) {
    this.project_id = project_id
    this.calls = seenCalls(project_id, drawn)
    this.places = placesOf(drawn)
  }

  /** Notes a request with the first call that is missing or too much. */
  compareIds(request: string, found: readonly string[], calls: readonly SeenCall[]): void {
    const expected = calls.map(({ id }) => id)
    if (isDeepStrictEqual(found, expected)) return
    const wrong = this.calls.find(({ id }) => expected.includes(id) !== found.includes(id))
    if (wrong === undefined) return this.compare(request, found, expected)
    const how = expected.includes(wrong.id) ? 'missing' : 'too much'
    this.differences.push(`${request}\n${this.project_id}, ${how}: ${written([...wrong.row])}`)
  }

  compare(request: string, found: unknown, expected: unknown): void {
    if (isDeepStrictEqual(found, expected)) return
    this.differences.push(
      `${request}\n${this.project_id}, found: ${written(found)}\nexpected: ${written(expected)}`,
    )
  }
}

function written(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))
}

function placesOf(calls: readonly RandomCall[]): Place[] {
  const places = calls.flatMap((call) => [
    ...placesIn('inputs', call.inputs),
    ...placesIn('attributes', call.attributes),
    ...call.ends.flatMap((end) => [...placesIn('output', end.output), ...placesIn('summary', end.summary)]),
  ])
  // Of the many members of wide objects a few will do.
  return places.filter(({ field }) => !/\.k[0-5]\d$/.test(field))
}
