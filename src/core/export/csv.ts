import { RawJson } from '../../contract/raw-json.ts'
import { writeJson } from '../json/write.ts'

/**
 * Spreadsheets evaluate cells that start with these characters as formulas (CSV injection): text in a trace could run
 * commands on the machine that opens the export. A leading apostrophe makes the cell text. The full-width forms are
 * formulas too with a Japanese or Chinese input method.
 */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/** A line of CSV: strings are quoted, null is empty, numbers and booleans are plain, other values are JSON. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  return quoted(typeof value === 'string' ? value : value instanceof RawJson ? value.text : writeJson(value))
}

function quoted(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
