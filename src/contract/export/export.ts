import { z } from 'zod'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import { queryInt, queryList } from '../query-fields.ts'

/** A project's data as files. docs/export.md tells by example. */

export const EXPORTED = ['calls', 'feedback', 'objects', 'tables', 'files'] as const
export const EXPORT_FORMATS = ['jsonl', 'csv', 'parquet'] as const

export type Exported = (typeof EXPORTED)[number]
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** How many rows an answer with a `limit` holds, and the cursor to go on after, encoded as it stands in a URL. */
export const ROWS_HEADER = 'x-export-rows'
export const NEXT_HEADER = 'x-export-next'

const selection = {
  what: z.enum(EXPORTED),
  filter: z.string().nullish().meta({
    description:
      'JSON, as in `calls/stream_query` or `objs/query`; for tables and files `{"digests": […]}`, for feedback none',
  }),
  query: z
    .string()
    .nullish()
    .meta({ description: 'JSON, as in `calls/stream_query` and `feedback/query`; for calls and feedback' }),
  after: z.string().max(1024).nullish().meta({
    description:
      'only what comes after this row, told by its key: `started_at,id` of a call, `created_at,id` of feedback, `created_at,object_id,digest`, `digest,original_index` of a row of a table, `digest,chunk` of a file',
  }),
}

const exportRequest = inProject({
  ...selection,
  format: z
    .enum(EXPORT_FORMATS)
    .nullish()
    .transform((format) => format ?? 'jsonl'),
  columns: queryList
    .nullish()
    .meta({ description: '`id,inputs`: only these, and those that tell where to go on' }),
  limit: queryInt.pipe(z.int().min(1).nullish()).meta({
    description: `at most so many rows; the headers \`${ROWS_HEADER}\` and \`${NEXT_HEADER}\` tell how many, and where to go on`,
    type: 'integer',
  }),
})

/** Which tables or files: all of them where none is named. */
export const digestsFilter = z.object({ digests: z.array(z.string()).nullish() })

const exportCountRequest = inProject(selection)

export type ExportRequest = z.output<typeof exportRequest>
export type ExportSelection = z.output<typeof exportCountRequest>

export const exportOperations = {
  project_export: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/export',
    summary: 'Take calls, feedback, objects, tables or files out as JSONL, CSV or Parquet.',
    access: 'read',
    request: exportRequest,
    response: z.unknown(),
    responseFormat: 'stream',
  }),
  project_export_count: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/export/count',
    summary: 'Count the rows that an export would hold.',
    access: 'read',
    request: exportCountRequest,
    response: z.object({ count: z.int() }),
  }),
}
