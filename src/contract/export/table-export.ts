import { z } from 'zod'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { EXPORT_CONTENT_TYPES, EXPORT_FORMATS } from './export.ts'

/** Download of one table, such as the rows of a dataset version. */
export const tableExportOperations = {
  table_export: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/tables/{digest}/export',
    summary:
      'Download the rows of a table: JSONL has each row as stored, CSV a column for each member of the rows, Parquet each row as JSON.',
    access: 'read',
    errors: ['not_found'],
    request: projectRequest({
      digest: z.string().min(1).max(256),
      format: z
        .enum(EXPORT_FORMATS)
        .nullish()
        .transform((format) => format ?? 'jsonl'),
      name: z.string().max(200).nullish().meta({ description: 'Name of the file; the digest by default.' }),
    }),
    response: z.unknown(),
    responseFormat: 'stream',
    contentTypes: Object.values(EXPORT_CONTENT_TYPES),
  }),
}
