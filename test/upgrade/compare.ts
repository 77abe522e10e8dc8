import { send } from './api.ts'
import type { Fixture, Read } from './fixture.ts'

/** Compares what reads return now with what they returned in the release of a fixture. */

interface DocumentedChange {
  /** The fixtures of releases before the change. */
  readonly fixtures: readonly string[]
  readonly path: RegExp
  /** Where the responses differ. */
  readonly at: RegExp
  readonly why: string
}

/** Responses that changed on purpose. Each is in CHANGELOG.md. */
const DOCUMENTED_CHANGES: readonly DocumentedChange[] = []

/** Facts about the server that runs now, not about stored records. */
const VOLATILE = /\/(?:last_run_at|server_max_days)$/

const CONCURRENT_READS = 4

/** The reads that return something else, except for documented changes. */
export async function findDifferences(url: string, fixture: Fixture): Promise<string[]> {
  const queue = fixture.reads.map((read, n) => ({ read, n }))
  const found: { readonly n: number; readonly text: string }[] = []
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const { read, n } = item
      const { status, text } = await send(url, read)
      for (const { at, change } of differences(read, { status, text })) {
        if (VOLATILE.test(at) || isDocumented(fixture, read, at)) continue
        found.push({ n, text: `${read.method} ${read.path} ${JSON.stringify(read.body)}: ${at} ${change}` })
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_READS }, worker))
  return found.sort((a, b) => a.n - b.n).map(({ text }) => text)
}

function isDocumented({ name }: Fixture, read: Read, at: string): boolean {
  return DOCUMENTED_CHANGES.some(
    (change) => change.fixtures.includes(name) && change.path.test(read.path) && change.at.test(at),
  )
}

interface Difference {
  readonly at: string
  readonly change: string
}

function differences(read: Read, actual: { readonly status: number; readonly text: string }): Difference[] {
  // The id of a request is new each time. Only errors contain it.
  if (read.status === actual.status && (read.response === actual.text || read.status >= 400)) return []
  const found = documentDifferences(
    { status: read.status, lines: parse(read.response) },
    { status: actual.status, lines: parse(actual.text) },
    '',
  )
  // Such as 1.0 and 1, or another order of members.
  return found.length > 0 ? found : [{ at: '', change: `was ${read.response}, is ${actual.text}` }]
}

/** JSON or JSON Lines; other formats as lines of text. */
function parse(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line !== '')
  try {
    return lines.map((line) => JSON.parse(line) as unknown)
  } catch {
    return lines
  }
}

function documentDifferences(expected: unknown, actual: unknown, at: string): Difference[] {
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
    return [...keys].flatMap((key) => documentDifferences(expected[key], actual[key], `${at}/${key}`))
  }
  return Object.is(expected, actual)
    ? []
    : [{ at, change: `was ${JSON.stringify(expected)}, is ${JSON.stringify(actual)}` }]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
