import { JsonLine } from '../json/json-line.ts'
import { UNICODE_LINE_ENDS } from '../json/single-line.ts'
import { writeJson } from '../json/write.ts'
import { type StoredCallRow, viewCall } from './call-view.ts'

/**
 * Copies calls from the rows of ClickHouse to the response as text. Parsing a row, building the view and writing it takes
 * four times as long.
 */

/** How a column is shown, if not as it is: '' as null, or the digits of a quoted number. */
type Column = 'as is' | 'empty is null' | 'number'

const COLUMNS: ReadonlyMap<string, Column> = new Map([
  ...(['id', 'project_id', 'op_name', 'trace_id', 'started_at', 'ended_at', 'exception'] as const).map(
    (name) => [name, 'as is'] as const,
  ),
  ...(
    ['display_name', 'parent_id', 'thread_id', 'turn_id', 'wb_user_id', 'sent_by', 'wb_run_id'] as const
  ).map((name) => [name, 'empty is null'] as const),
  ...(['wb_run_step', 'wb_run_step_end'] as const).map((name) => [name, 'number'] as const),
])

/** Longer numbers are rounded in the view. */
const MAX_EXACT_DIGITS = 15

/** Copies one row, a JSON object with the columns in their order; undefined for a row that must be parsed. */
export type CallCopier = (row: string) => StoredCallRow | undefined

/** Undefined if some of the columns are not shown as they are stored. */
export function callCopier(columns: readonly string[]): CallCopier | undefined {
  if (!columns.every((name) => COLUMNS.has(name))) return undefined
  const prefixes = columns.map((name, i) => `${i === 0 ? '{' : ','}"${name}":`)
  const kinds = columns.map((name) => COLUMNS.get(name))
  const { texts, slots } = template(columns)
  return (row) => {
    // Without escapes every string ends at the next quote.
    if (NOT_COPIED.some((character) => row.includes(character))) return undefined
    const values: string[] = []
    let at = 0
    for (let i = 0; i < prefixes.length; i++) {
      const prefix = prefixes[i]!
      if (!row.startsWith(prefix, at)) return undefined
      at += prefix.length
      const isText = row.charCodeAt(at) === QUOTE
      const end = isText ? row.indexOf('"', at + 1) + 1 : at + NULL.length
      const value = row.slice(at, end)
      if (end === 0 || (!isText && value !== NULL)) return undefined
      const shown = shownValue(kinds[i]!, value)
      if (shown === undefined) return undefined
      values.push(shown)
      at = end
    }
    if (row.slice(at) !== '}') return undefined
    let json = texts[0]!
    for (let i = 0; i < slots.length; i++) json += values[slots[i]!]! + texts[i + 1]!
    return { line: new JsonLine(json) } as StoredCallRow
  }
}

/** Escapes, and characters that a line must not contain. */
const NOT_COPIED = ['\\', ...UNICODE_LINE_ENDS]

const QUOTE = 0x22
const NULL = 'null'

function shownValue(kind: Column, value: string): string | undefined {
  if (kind === 'as is' || value === NULL) return value
  if (kind === 'empty is null') return value === '""' ? NULL : value
  return value.length > MAX_EXACT_DIGITS + 2 ? undefined : value.slice(1, -1)
}

/** The view of a call as constant texts, with the value of a column (its position) between each two of them. */
function template(columns: readonly string[]): { texts: string[]; slots: number[] } {
  const call = viewCall({ id: '', project_id: '', op_name: '', trace_id: '', started_at: '' })
  const texts = ['']
  const slots: number[] = []
  for (const [i, [name, value]] of Object.entries(call).entries()) {
    const slot = columns.indexOf(name)
    const key = `${i === 0 ? '{' : ','}"${name}":`
    texts.push(`${texts.pop()!}${key}${slot === -1 ? writeJson(value) : ''}`)
    if (slot === -1) continue
    slots.push(slot)
    texts.push('')
  }
  return { texts: [...texts.slice(0, -1), `${texts.at(-1)!}}`], slots }
}
