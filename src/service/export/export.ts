import {
  type ExportRequest,
  EXPORT_CONTENT_TYPES,
  EXPORT_NEXT_HEADER,
  EXPORT_ROWS_HEADER,
} from '../../contract/export/export.ts'
import type { StreamedBytes } from '../../contract/operation.ts'
import { writeExportCursor } from '../../core/export/export-cursor.ts'
import { countExport, findPiece, streamParquet } from '../../store/export/export.ts'
import type { Deps } from '../deps.ts'
import { selectedColumns, exportLines } from './export-rows.ts'
import { exportCursor, exportSource } from './export-selection.ts'
import type { Handlers } from '../handler.ts'

/** Handlers for exports of a project's data. */
export function exportHandlers(deps: Deps): Pick<Handlers, 'project_export' | 'project_export_count'> {
  return {
    project_export: async (request) => runExport(deps, request),
    project_export_count: async (request) => ({
      count: await countExport(deps.db, await exportSource(deps, request), exportCursor(request)),
    }),
  }
}

/**
 * With a limit, the end of the chunk is determined first. So the response headers can contain the cursor for the next
 * chunk: a Parquet file is read from its end and could not carry it in time.
 */
async function runExport(deps: Deps, request: ExportRequest): Promise<StreamedBytes> {
  const source = await exportSource(deps, request)
  const after = exportCursor(request)
  const { format, limit } = request
  const chunk = limit ? await findPiece(deps.db, source, after, limit) : undefined
  // The range after a key up to the same key is empty, so an empty chunk becomes an empty file.
  const until = chunk?.rows === 0 ? (after ?? chunk.until) : chunk?.until
  const range = { after: chunk?.rows === 0 ? until : after, until }
  const bytes =
    format === 'parquet'
      ? streamParquet(deps.db, source, selectedColumns(request, source), range)
      : exportLines(deps, request, source, range)
  const headers = {
    'content-type': EXPORT_CONTENT_TYPES[format],
    'content-disposition': disposition(request),
  }
  if (chunk === undefined) return { headers, bytes }
  const next =
    chunk.rows === 0 ? {} : { [EXPORT_NEXT_HEADER]: encodeURIComponent(writeExportCursor(chunk.until)) }
  return { headers: { ...headers, [EXPORT_ROWS_HEADER]: String(chunk.rows), ...next }, bytes }
}

function disposition({ project_id, what, format }: ExportRequest): string {
  const name = project_id.replaceAll(/[^A-Za-z0-9._-]+/g, '-')
  return `attachment; filename="${name}-${what}.${format}"`
}
