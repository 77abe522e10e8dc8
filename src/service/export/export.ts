import {
  type ExportFormat,
  type ExportRequest,
  NEXT_HEADER,
  ROWS_HEADER,
} from '../../contract/export/export.ts'
import type { StreamedBytes } from '../../contract/operation.ts'
import { writeExportCursor } from '../../core/export/export-cursor.ts'
import { countExport, findPiece, streamParquet } from '../../store/export/export.ts'
import type { Deps } from '../deps.ts'
import { chosenColumns, exportLines } from './export-rows.ts'
import { cursorOf, sourceOf } from './export-selection.ts'
import type { Handlers } from '../handler.ts'

export function exportHandlers(deps: Deps): Pick<Handlers, 'project_export' | 'project_export_count'> {
  return {
    project_export: async (request, _caller, signal) => exported(deps, request, signal),
    project_export_count: async (request) => ({
      count: await countExport(deps.db, sourceOf(request), cursorOf(request)),
    }),
  }
}

const TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/jsonl',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
}

/**
 * With a limit it is looked up first where the piece ends. So the answer can say where to go on before its first
 * byte: a Parquet file, which is read from its end, could not tell it in time.
 */
async function exported(
  deps: Deps,
  request: ExportRequest,
  signal: AbortSignal | undefined,
): Promise<StreamedBytes> {
  const source = sourceOf(request)
  const after = cursorOf(request)
  const { format, limit } = request
  const piece = limit ? await findPiece(deps.db, source, after, limit, signal) : undefined
  // Nothing comes after a key and up to the same: an empty piece is an empty file.
  const until = piece?.rows === 0 ? (after ?? piece.until) : piece?.until
  const range = { after: piece?.rows === 0 ? until : after, until }
  const bytes =
    format === 'parquet'
      ? streamParquet(deps.db, source, chosenColumns(request, source), range, signal)
      : exportLines(deps, request, source, range, signal)
  const headers = { 'content-type': TYPES[format], 'content-disposition': disposition(request) }
  if (piece === undefined) return { headers, bytes }
  const next = piece.rows === 0 ? {} : { [NEXT_HEADER]: encodeURIComponent(writeExportCursor(piece.until)) }
  return { headers: { ...headers, [ROWS_HEADER]: String(piece.rows), ...next }, bytes }
}

function disposition({ project_id, what, format }: ExportRequest): string {
  const name = project_id.replaceAll(/[^A-Za-z0-9._-]+/g, '-')
  return `attachment; filename="${name}-${what}.${format}"`
}
