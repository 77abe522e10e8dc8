import { z } from 'zod'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { queryInt, queryList } from '../query-fields.ts'

/** Bulk export of a project. See docs/export.md for examples. */

export const EXPORT_KINDS = ['calls', 'feedback', 'objects', 'tables', 'files'] as const
export const EXPORT_FORMATS = ['jsonl', 'csv', 'parquet'] as const

export type ExportKind = (typeof EXPORT_KINDS)[number]
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/jsonl',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
}

/** Response headers of an export with a `limit`: its number of rows, and the URL-encoded cursor for the next page. */
export const EXPORT_ROWS_HEADER = 'x-export-rows'
export const EXPORT_NEXT_HEADER = 'x-export-next'

const selectionFields = {
  what: z.enum(EXPORT_KINDS),
  filter: z.string().nullish().meta({
    contentMediaType: 'application/json',
    description:
      'JSON filter, as in `calls/stream_query` or `objs/query`; `{"digests": […]}` for tables and files; not for feedback.',
  }),
  query: z.string().nullish().meta({
    contentMediaType: 'application/json',
    description: 'JSON query, as in `calls/stream_query` and `feedback/query`; for calls and feedback only.',
  }),
  after: z.string().max(1024).nullish().meta({
    description:
      'Start after the row with this key: `started_at,id` for calls, `created_at,id` for feedback, `created_at,object_id,digest` for objects, `digest,original_index` for tables, `digest,chunk` for files.',
  }),
}

const exportRequest = projectRequest({
  ...selectionFields,
  format: z
    .enum(EXPORT_FORMATS)
    .nullish()
    .transform((format) => format ?? 'jsonl'),
  columns: queryList
    .nullish()
    .meta({ description: 'Columns to export, such as `id,inputs`; key columns are always included.' }),
  limit: queryInt.pipe(z.int().min(1).nullish()).meta({
    description: `Maximum number of rows. The headers \`${EXPORT_ROWS_HEADER}\` and \`${EXPORT_NEXT_HEADER}\` return the number of rows and the next \`after\`.`,
    type: 'integer',
  }),
})

/** Selects tables or files by digest; all without `digests`. */
export const digestsFilter = z.object({ digests: z.array(z.string()).nullish() })

const exportCountRequest = projectRequest(selectionFields)

export type ExportRequest = z.output<typeof exportRequest>
export type ExportSelection = z.output<typeof exportCountRequest>

export const exportOperations = {
  project_export: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/export',
    summary: 'Export calls, feedback, objects, tables or files as JSONL, CSV or Parquet.',
    access: 'read',
    request: exportRequest,
    response: z.unknown(),
    responseFormat: 'stream',
    contentTypes: Object.values(EXPORT_CONTENT_TYPES),
  }),
  project_export_count: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/export/count',
    summary: 'Count the rows that an export would return.',
    access: 'read',
    request: exportCountRequest,
    response: z.object({ count: z.int() }),
  }),
}
