import type { ExportRequest } from '../../contract/export/export.ts'
import { unprocessable } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { viewCall } from '../../core/calls/call-view.ts'
import { csvLine } from '../../core/export/csv.ts'
import { EXPORT_KEYS } from '../../core/export/export-cursor.ts'
import { type Grouped, inChunks } from '../../core/concurrency/grouped.ts'
import { onOneLine } from '../../core/json/one-line.ts'
import { writeJson } from '../../core/json/write.ts'
import { callColumns, streamCalls } from '../../store/calls/read.ts'
import { callOrder } from '../../store/calls/selection.ts'
import { streamExport } from '../../store/export/export.ts'
import {
  type ExportColumn,
  type ExportRange,
  type ExportSource,
  withinRange,
} from '../../store/export/source.ts'
import { staleExtras } from '../calls/call-extras.ts'
import type { Deps } from '../deps.ts'
import { conditionsOf } from './export-selection.ts'

type Row = Readonly<Record<string, unknown>>

/** Rows of an export as lines of text. */
export async function* exportLines(
  deps: Deps,
  request: ExportRequest,
  source: ExportSource,
  range: ExportRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  if (request.format === 'csv') {
    const columns = chosenColumns(request, source)
    const names = columns.map(({ name }) => name)
    const rows = storedRows(deps, source, columns, range, signal)
    yield* inChunks(rows, (row) => csvLine(names.map((name) => row[name])), csvLine(names))
    return
  }
  const rows =
    request.what === 'calls'
      ? shownCalls(deps, request, range, signal)
      : storedRows(deps, source, chosenColumns(request, source), range, signal)
  yield* inChunks(rows, (row) => `${onOneLine(writeJson(row))}\n`)
}

/** Those that were asked for, and those of the key: without them nobody could go on. */
export function chosenColumns({ columns }: ExportRequest, source: ExportSource): readonly ExportColumn[] {
  const names = source.columns.map(({ name }) => name)
  const isChosen = choice(columns, names, source.what)
  return source.columns.filter(({ name }) => isChosen(name))
}

function choice(
  wanted: readonly string[] | null | undefined,
  known: readonly string[],
  what: ExportSource['what'],
): (name: string) => boolean {
  if (wanted === null || wanted === undefined) return () => true
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw unprocessable(['columns'], `there is no column "${unknown}"; there are ${known.join(', ')}`)
  const chosen = new Set([...wanted, ...EXPORT_KEYS[what].map(({ name }) => name)])
  return (name) => chosen.has(name)
}

/** Calls exactly as `calls/stream_query` shows them. */
function shownCalls(
  deps: Deps,
  request: ExportRequest,
  range: ExportRange,
  signal: AbortSignal | undefined,
): Grouped<Row> {
  const { project_id, columns } = request
  const isChosen = choice(columns, CALL_FIELDS, 'calls')
  const extras = staleExtras(deps)
  const rows = streamCalls(
    deps.db,
    {
      project_id,
      conditions: [withinRange('calls', range), ...conditionsOf(request)],
      order: callOrder(project_id, undefined),
      columns: callColumns(columns),
      page: { limit: undefined, offset: undefined },
    },
    signal,
    'export',
  )
  return rows.map((row) => {
    const call = viewCall(row, extras)
    return columns === null || columns === undefined
      ? call
      : Object.fromEntries(Object.entries(call).filter(([name]) => isChosen(name)))
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
  signal: AbortSignal | undefined,
): Grouped<Row> {
  return streamExport(db, source, columns, range, signal).map((row) =>
    Object.fromEntries(columns.map((column) => [column.name, shown(column, row[column.name])])),
  )
}

function shown({ kind }: ExportColumn, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'json') return RawJson.fromText(value as string)
  return kind === 'number' ? Number(value) : value
}
