import { columnNames, csvRecords, guessKind, type ColumnKind, separatorOf } from './csv.ts'
import { type BadLine, jsonRows } from './json-rows.ts'

/** What was read from a file, before it is known how its columns are meant. */
export type ReadFile =
  | {
      readonly kind: 'csv'
      readonly names: readonly string[]
      readonly records: readonly (readonly string[])[]
      readonly guesses: ReadonlyMap<string, ColumnKind>
    }
  | { readonly kind: 'json'; readonly rows: readonly string[]; readonly bad: readonly BadLine[] }

/** The page is drawn between pieces of work of this length. */
const WORK_MS = 12

/** Reads a file of rows. The page stays usable meanwhile: a file may be large. */
export async function readRowsFile(
  file: File,
  onRow: (count: number) => void,
  signal: AbortSignal,
): Promise<ReadFile> {
  const text = await file.text()
  const isCsv =
    /\.(?:csv|tsv)$/i.test(file.name) || (!/\.jsonl?$|\.ndjson$/i.test(file.name) && !looksLikeJson(text))
  if (!isCsv) {
    const rows: string[] = []
    const bad: BadLine[] = []
    await inPieces(jsonRows(text), signal, onRow, (each) => {
      if ('row' in each) rows.push(each.row)
      else bad.push(each.bad)
    })
    return { kind: 'json', rows, bad }
  }
  const records: string[][] = []
  await inPieces(csvRecords(text, separatorOf(text)), signal, onRow, (record) => void records.push(record))
  const names = columnNames(records.shift() ?? [])
  const guesses = new Map(names.map((name, i) => [name, guessKind(records.map((record) => record[i] ?? ''))]))
  return { kind: 'csv', names, records, guesses }
}

function looksLikeJson(text: string): boolean {
  return /^\uFEFF?\s*[[{]/.test(text)
}

async function inPieces<T>(
  items: Iterable<T>,
  signal: AbortSignal,
  onCount: (count: number) => void,
  visit: (item: T) => void,
): Promise<void> {
  let began = performance.now()
  let count = 0
  for (const item of items) {
    visit(item)
    count++
    if (performance.now() - began < WORK_MS) continue
    onCount(count)
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
    began = performance.now()
  }
  onCount(count)
}
