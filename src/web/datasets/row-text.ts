import { eachChild, type JsonKind, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

/** Reads and edits rows as JSON text, so that unchanged values keep their exact spelling. */

/** The values of a row by column, as JSON text. The last of duplicate keys wins, as in `JSON.parse`. */
export function rowCells(row: string): ReadonlyMap<string, string> {
  const cells = new Map<string, string>()
  const at = skipSpace(row, 0)
  if (kindAt(row, at) !== 'object') return cells
  eachChild(row, at, (keyAt, valueAt, end) => void cells.set(stringAt(row, keyAt), row.slice(valueAt, end)))
  return cells
}

export function jsonKind(text: string): JsonKind {
  return kindAt(text, skipSpace(text, 0))
}

interface Member {
  readonly keyAt: number
  readonly valueAt: number
  readonly end: number
}

/** The row with one value set or removed. Everything else keeps its order and spelling. */
export function withCell(row: string, name: string, value: string | undefined): string {
  const at = skipSpace(row, 0)
  const members: Member[] = []
  const matches: number[] = []
  eachChild(row, at, (keyAt, valueAt, end) => {
    if (stringAt(row, keyAt) === name) matches.push(members.length)
    members.push({ keyAt, valueAt, end })
  })
  if (value === undefined) {
    // All duplicates are removed, so that an earlier one does not reappear.
    return matches.reduceRight((text, index) => removeMember(text, members, index), row)
  }
  const existing = members[matches.at(-1) ?? -1]
  if (existing !== undefined) return row.slice(0, existing.valueAt) + value + row.slice(existing.end)
  const last = members.at(-1)
  const member = `${JSON.stringify(name)}: ${value}`
  return last === undefined ? `{${member}}` : `${row.slice(0, last.end)}, ${member}${row.slice(last.end)}`
}

/** Removes a member with its comma. Members are removed from last to first, so earlier offsets stay valid. */
function removeMember(text: string, members: readonly Member[], index: number): string {
  const member = members[index]
  if (member === undefined) return text
  const before = members[index - 1]
  if (before !== undefined) return text.slice(0, before.end) + text.slice(member.end)
  const rest = text.slice(member.end)
  return text.slice(0, member.keyAt) + rest.replace(/^\s*,\s*/, '')
}

/** Column names in order of first appearance. Returns `known` itself if the rows add no column. */
export function collectColumns(rows: Iterable<string>, known: readonly string[] = []): readonly string[] {
  const names = new Set(known)
  const before = names.size
  for (const row of rows) for (const name of rowCells(row).keys()) names.add(name)
  return names.size === before ? known : [...names]
}
