import { eachChild, kindAt, skipSpace } from '../../client/browser/json-scan.ts'

/** A line that is no row, and why. */
export interface BadLine {
  readonly line: number
  readonly reason: string
}

export type RowOrBad = { readonly row: string } | { readonly bad: BadLine }

/**
 * Rows out of JSON: one object a line, or one list of objects. Each keeps its text, so that numbers stay as they are
 * spelled.
 */
export function* jsonRows(text: string): Generator<RowOrBad> {
  const begin = text.startsWith('\uFEFF') ? 1 : 0
  const at = skipSpace(text, begin)
  if (at >= text.length) return
  if (kindAt(text, at) === 'array' && isJson(text.slice(begin))) {
    yield* listRows(text, at)
    return
  }
  let from = begin
  for (let line = 1; from < text.length; line++) {
    const end = text.indexOf('\n', from)
    const stop = end === -1 ? text.length : end
    const row = text.slice(from, stop).trim()
    from = stop + 1
    if (row !== '') yield checked(row, line)
  }
}

function* listRows(text: string, at: number): Generator<RowOrBad> {
  const rows: string[] = []
  eachChild(text, at, (_, valueAt, end) => void rows.push(text.slice(valueAt, end)))
  for (const [i, row] of rows.entries()) {
    yield row.startsWith('{') ? { row } : { bad: { line: i + 1, reason: 'it is no object' } }
  }
}

function checked(row: string, line: number): RowOrBad {
  try {
    JSON.parse(row)
  } catch (error) {
    return { bad: { line, reason: error instanceof Error ? error.message : String(error) } }
  }
  return row.startsWith('{') ? { row } : { bad: { line, reason: 'it is no object' } }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
