import { RawJson } from '../../contract/raw-json.ts'
import { writeJson } from '../json/write.ts'

/**
 * Spreadsheets take a cell that begins so for a formula, and run it: whoever can put text into a trace could run
 * commands on the machine of whoever opens the export. An apostrophe before it makes it text. The wide forms count
 * too where the input method is Japanese or Chinese.
 */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/** A line of CSV: texts in quotes, nothing for null, numbers and times as they are, anything else as its JSON. */
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
