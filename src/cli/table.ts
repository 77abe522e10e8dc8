import type { Arguments, Environment } from './command.ts'

type Cell = string | boolean | null

/** Prints rows as a table, or as JSON with --json. */
export function printTable<Column extends string>(
  rows: readonly Readonly<Record<Column, Cell>>[],
  columns: readonly Column[],
  args: Arguments,
  environment: Environment,
): void {
  if (args.flag('json')) {
    environment.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    return
  }
  const lines = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => cellText(row[column]))),
  ]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)))
  for (const line of lines) {
    const text = line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')
    environment.stdout.write(`${text.trimEnd()}\n`)
  }
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  // Names are user input: control characters must not reach the terminal.
  return cell.replace(/\p{Cc}/gu, '?')
}
