import type { ExportRequest } from '../../contract/export/export.ts'
import { unprocessable } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { viewCall } from '../../core/calls/call-view.ts'
import { csvLine } from '../../core/export/csv.ts'
import { EXPORT_KEYS } from '../../core/export/export-cursor.ts'
import { type BatchedStream, encodeChunks } from '../../core/concurrency/batched-stream.ts'
import { toSingleLine } from '../../core/json/single-line.ts'
import { writeJson } from '../../core/json/write.ts'
import { streamExport } from '../../store/export/export.ts'
import { type ExportColumn, type ExportRange, type ExportSource } from '../../store/export/source.ts'
import { staleExtras } from '../calls/call-extras.ts'
import type { Deps } from '../deps.ts'

type Row = Readonly<Record<string, unknown>>

/** Streams the rows of an export as lines of CSV or JSON, in chunks of bytes. */
export async function* exportLines(
  deps: Deps,
  request: ExportRequest,
  source: ExportSource,
  range: ExportRange,
): AsyncGenerator<Buffer> {
  if (request.format === 'csv') {
    const columns = selectedColumns(request, source)
    const names = columns.map(({ name }) => name)
    const rows = storedRows(deps, source, columns, range)
    yield* encodeChunks(rows, (row) => csvLine(names.map((name) => row[name])), csvLine(names))
    return
  }
  const rows =
    viewedCalls(deps, request, source, range) ??
    storedRows(deps, source, selectedColumns(request, source), range)
  yield* encodeChunks(rows, (row) => `${toSingleLine(writeJson(row))}\n`)
}

/** Returns the requested columns and those of the sort key, which a client needs to resume. */
export function selectedColumns({ columns }: ExportRequest, source: ExportSource): readonly ExportColumn[] {
  const names = source.columns.map(({ name }) => name)
  const isSelected = columnFilter(columns, names, source.what)
  return source.columns.filter(({ name }) => isSelected(name))
}

function columnFilter(
  requested: readonly string[] | null | undefined,
  known: readonly string[],
  what: ExportSource['what'],
): (name: string) => boolean {
  if (requested === null || requested === undefined) return () => true
  const unknown = requested.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw unprocessable(['columns'], `there is no column "${unknown}"; choose from ${known.join(', ')}`)
  const selected = new Set([...requested, ...EXPORT_KEYS[what].map(({ name }) => name)])
  return (name) => selected.has(name)
}

/** Streams calls in the same form as `calls/stream_query`; undefined for other resources. */
function viewedCalls(
  deps: Deps,
  { columns }: ExportRequest,
  source: ExportSource,
  range: ExportRange,
): BatchedStream<Row> | undefined {
  if (source.streamCalls === undefined) return undefined
  const isSelected = columnFilter(columns, CALL_FIELDS, 'calls')
  const extras = staleExtras(deps)
  return source.streamCalls(deps.db, columns, range).map((row) => {
    const call = viewCall(row, extras)
    return columns === null || columns === undefined
      ? call
      : Object.fromEntries(Object.entries(call).filter(([name]) => isSelected(name)))
  })
}

const CALL_FIELDS = Object.keys(
  viewCall({ id: '', project_id: '', op_name: '', trace_id: '', started_at: '' }),
)

function storedRows(
  { db }: Deps,
  source: ExportSource,
  columns: readonly ExportColumn[],
  range: ExportRange,
): BatchedStream<Row> {
  return streamExport(db, source, columns, range).map((row) =>
    Object.fromEntries(columns.map((column) => [column.name, viewValue(column, row[column.name])])),
  )
}

function viewValue({ kind }: ExportColumn, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'json') return RawJson.fromText(value as string)
  return kind === 'number' ? Number(value) : value
}
