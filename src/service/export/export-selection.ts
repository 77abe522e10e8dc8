import type { z } from 'zod'
import { callsFilter } from '../../contract/calls/calls-filter.ts'
import { digestsFilter, type ExportSelection } from '../../contract/export/export.ts'
import { objectFilter } from '../../contract/objects/objects.ts'
import { unprocessable } from '../../contract/api-error.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { EXPORT_KEYS, type ExportCursor, readExportCursor } from '../../core/export/export-cursor.ts'
import { readJson } from '../../core/json/read.ts'
import { rejectUnknownKeys } from '../../core/json/unknown-keys.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { readExportedCalls } from '../../store/export/calls.ts'
import { exportedFeedback } from '../../store/export/feedback.ts'
import { exportedFiles } from '../../store/export/files.ts'
import { exportedObjects } from '../../store/export/objects.ts'
import type { ExportSource } from '../../store/export/source.ts'
import { exportedTables } from '../../store/export/tables.ts'
import type { Deps } from '../deps.ts'

/** Returns the source of the rows that the request selects. */
export async function exportSource(deps: Deps, request: ExportSelection): Promise<ExportSource> {
  const { project_id, what, query } = request
  switch (what) {
    case 'calls':
      return readExportedCalls(deps, {
        project_id,
        filter: readFilter(request, callsFilter),
        query: parseQueryText(query),
      })
    case 'feedback':
      rejectField(request, 'filter', 'select feedback with `query`')
      return exportedFeedback(project_id, parseQueryText(query))
    case 'objects':
      rejectField(request, 'query', 'select objects with `filter`')
      return exportedObjects(project_id, readFilter(request, objectFilter) ?? {})
    case 'tables':
    case 'files': {
      rejectField(request, 'query', 'select tables and files with `filter`')
      const digests = readFilter(request, digestsFilter)?.digests ?? []
      return what === 'tables' ? exportedTables(project_id, digests) : exportedFiles(project_id, digests)
    }
  }
}

export function exportCursor({ what, after }: ExportSelection): ExportCursor | undefined {
  if (after === null || after === undefined) return undefined
  const cursor = readExportCursor(what, after)
  if (cursor !== undefined) return cursor
  const parts = EXPORT_KEYS[what].map(({ name }) => name)
  throw unprocessable(['after'], `must be ${parts.join(',')} of the last row received`)
}

function rejectField(request: ExportSelection, field: 'filter' | 'query', hint: string): void {
  if (request[field] !== null && request[field] !== undefined)
    throw unprocessable([field], `is not supported here; ${hint}`)
}

function readFilter<Schema extends z.ZodObject>(
  { filter }: ExportSelection,
  schema: Schema,
): z.output<Schema> | undefined {
  if (filter === null || filter === undefined) return undefined
  const document = parseFilter(filter)
  if (typeof document === 'object' && document !== null)
    rejectUnknownKeys(Object.keys(document), Object.keys(schema.shape), ['filter'])
  const result = schema.safeParse(document)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw unprocessable(['filter', ...(issue?.path.map(String) ?? [])], issue?.message ?? 'is invalid')
}

function parseFilter(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unprocessable(['filter'], 'must be a JSON object')
  }
}

function parseQueryText(text: string | null | undefined) {
  if (text === null || text === undefined) return undefined
  return parseQuery(readJson(Buffer.from(text), { kind: 'raw', nullable: false }) as RawJson)
}
