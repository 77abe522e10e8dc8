import { columnNames, csvRecords, detectColumnKind, type ColumnKind, detectSeparator } from './csv.ts'
import { type InvalidLine, jsonRows } from './json-rows.ts'

/** The content of a file. The user can still change the kinds of CSV columns. */
export type ParsedFile =
  | {
      readonly kind: 'csv'
      readonly names: readonly string[]
      readonly records: readonly (readonly string[])[]
      readonly detectedKinds: ReadonlyMap<string, ColumnKind>
    }
  | { readonly kind: 'json'; readonly rows: readonly string[]; readonly invalid: readonly InvalidLine[] }

/** The page renders between time slices of this length. */
const TIME_SLICE_MS = 12

/** Parses a CSV, JSONL or JSON file in time slices, so that the page stays responsive with large files. */
export async function parseRowsFile(
  file: File,
  onRow: (count: number) => void,
  signal: AbortSignal,
): Promise<ParsedFile> {
  const text = await file.text()
  const isCsv =
    /\.(?:csv|tsv)$/i.test(file.name) || (!/\.jsonl?$|\.ndjson$/i.test(file.name) && !looksLikeJson(text))
  if (!isCsv) {
    const rows: string[] = []
    const invalid: InvalidLine[] = []
    await visitInTimeSlices(jsonRows(text), signal, onRow, (each) => {
      if ('row' in each) rows.push(each.row)
      else invalid.push(each.invalid)
    })
    return { kind: 'json', rows, invalid }
  }
  const records: string[][] = []
  await visitInTimeSlices(
    csvRecords(text, detectSeparator(text)),
    signal,
    onRow,
    (record) => void records.push(record),
  )
  const names = columnNames(records.shift() ?? [])
  const detectedKinds = new Map(
    names.map((name, i) => [name, detectColumnKind(records.map((record) => record[i] ?? ''))]),
  )
  return { kind: 'csv', names, records, detectedKinds }
}

function looksLikeJson(text: string): boolean {
  return /^\uFEFF?\s*[[{]/.test(text)
}

async function visitInTimeSlices<T>(
  items: Iterable<T>,
  signal: AbortSignal,
  onCount: (count: number) => void,
  visit: (item: T) => void,
): Promise<void> {
  let sliceStartMs = performance.now()
  let count = 0
  for (const item of items) {
    visit(item)
    count++
    if (performance.now() - sliceStartMs < TIME_SLICE_MS) continue
    onCount(count)
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
    sliceStartMs = performance.now()
  }
  onCount(count)
}
