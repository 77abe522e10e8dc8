import type { Arguments, World } from './command.ts'

type Cell = string | boolean | null

/** Rows for a person as columns, with --json for a program. */
export function printRows<Column extends string>(
  rows: readonly Readonly<Record<Column, Cell>>[],
  columns: readonly Column[],
  args: Arguments,
  world: World,
): void {
  if (args.flag('json')) {
    world.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    return
  }
  const lines = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => textOf(row[column]))),
  ]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)))
  for (const line of lines) {
    const text = line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
    world.stdout.write(`${text.trimEnd()}\n`)
  }
}

function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  // Names come from other people: nothing in them may steer the terminal.
  return cell.replace(/\p{Cc}/gu, '?')
}
