import { eachChild, kindAt, skipSpace } from '../../client/browser/json-scan.ts'

/** A line that is not a row, and the reason. */
export interface InvalidLine {
  readonly line: number
  readonly reason: string
}

export type RowOrInvalid = { readonly row: string } | { readonly invalid: InvalidLine }

/**
 * Parses rows from JSON: one object per line, or one list of objects. Rows stay JSON text, so that numbers keep their
 * exact spelling.
 */
export function* jsonRows(text: string): Generator<RowOrInvalid> {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  const at = skipSpace(text, start)
  if (at >= text.length) return
  if (kindAt(text, at) === 'array' && isJson(text.slice(start))) {
    yield* listRows(text, at)
    return
  }
  let from = start
  for (let line = 1; from < text.length; line++) {
    const end = text.indexOf('\n', from)
    const stop = end === -1 ? text.length : end
    const row = text.slice(from, stop).trim()
    from = stop + 1
    if (row !== '') yield parseLine(row, line)
  }
}

function* listRows(text: string, at: number): Generator<RowOrInvalid> {
  const rows: string[] = []
  eachChild(text, at, (_, valueAt, end) => void rows.push(text.slice(valueAt, end)))
  for (const [i, row] of rows.entries()) {
    yield row.startsWith('{') ? { row } : { invalid: { line: i + 1, reason: 'not an object' } }
  }
}

function parseLine(row: string, line: number): RowOrInvalid {
  try {
    JSON.parse(row)
  } catch (error) {
    return { invalid: { line, reason: error instanceof Error ? error.message : String(error) } }
  }
  return row.startsWith('{') ? { row } : { invalid: { line, reason: 'not an object' } }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
