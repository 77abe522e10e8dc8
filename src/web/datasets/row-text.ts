import { eachChild, type JsonKind, kindAt, skipSpace, stringAt } from '../../client/browser/json-scan.ts'

/** Rows are JSON objects kept as text: what nobody touches stays as it is spelled. */

/** The values of a row by name, each as it is spelled. Of two with one name the later counts, as everywhere. */
export function cellsOf(row: string): ReadonlyMap<string, string> {
  const cells = new Map<string, string>()
  const at = skipSpace(row, 0)
  if (kindAt(row, at) !== 'object') return cells
  eachChild(row, at, (keyAt, valueAt, end) => void cells.set(stringAt(row, keyAt), row.slice(valueAt, end)))
  return cells
}

export function kindOfJson(text: string): JsonKind {
  return kindAt(text, skipSpace(text, 0))
}

interface Member {
  readonly keyAt: number
  readonly valueAt: number
  readonly end: number
}

/** The row with one value set, or taken away. Everything else keeps its place and its spelling. */
export function withCell(row: string, name: string, value: string | undefined): string {
  const at = skipSpace(row, 0)
  const members: Member[] = []
  const found: number[] = []
  eachChild(row, at, (keyAt, valueAt, end) => {
    if (stringAt(row, keyAt) === name) found.push(members.length)
    members.push({ keyAt, valueAt, end })
  })
  if (value === undefined) {
    // All that have the name: what an earlier one says must not come to light.
    return found.reduceRight((text, index) => without(text, members, index), row)
  }
  const there = members[found.at(-1) ?? -1]
  if (there !== undefined) return row.slice(0, there.valueAt) + value + row.slice(there.end)
  const last = members.at(-1)
  const member = `${JSON.stringify(name)}: ${value}`
  return last === undefined ? `{${member}}` : `${row.slice(0, last.end)}, ${member}${row.slice(last.end)}`
}

/** Cuts a member with the comma that it needs no more. Those after it have been cut already, or stay. */
function without(text: string, members: readonly Member[], index: number): string {
  const member = members[index]
  if (member === undefined) return text
  const before = members[index - 1]
  if (before !== undefined) return text.slice(0, before.end) + text.slice(member.end)
  const rest = text.slice(member.end)
  return text.slice(0, member.keyAt) + rest.replace(/^\s*,\s*/, '')
}

/** Names in the order in which rows first have them. */
export function columnsOf(rows: Iterable<string>, known: readonly string[] = []): readonly string[] {
  const names = new Set(known)
  const before = names.size
  for (const row of rows) for (const name of cellsOf(row).keys()) names.add(name)
  return names.size === before ? known : [...names]
}
