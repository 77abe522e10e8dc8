import { z } from 'zod'
import { exactlyOneOf } from '../exactly-one-of.ts'
import { limit, nullableText, offset, projectId, sortByPath } from '../fields.ts'
import { operation } from '../operation.ts'
import { rawJson, rawObject } from '../raw-json.ts'

/** Tables: immutable lists of rows, identified by digest. */

const rowDigests = z.array(z.string())

const newTable = z.object({ project_id: projectId, rows: z.array(rawObject), expected_digest: nullableText })

/** Exactly one of the three keys. Updates are applied in order. */
const tableUpdate = z
  .object({
    append: z.object({ row: rawObject }).nullish(),
    pop: z.object({ index: z.int() }).nullish(),
    insert: z.object({ index: z.int(), row: rawObject }).nullish(),
  })
  .refine(
    (update) =>
      Object.values(update).filter((change) => change !== null && change !== undefined).length === 1,
    {
      message: 'must be one of append, pop, insert',
    },
  )
  .meta(exactlyOneOf('object', ['append'], ['pop'], ['insert']))

/** docs/specification.md, section 7. `original_index` is the row's index in the table, independent of sorting. */
const tableRow = z.object({ digest: z.string(), val: rawJson, original_index: z.int() })

const tableStats = z.object({
  count: z.int(),
  digest: z.string(),
  storage_size_bytes: z
    .int()
    .nullable()
    .meta({ description: 'Size of the rows in bytes; null unless `include_storage_size` is set.' }),
})

export type TableUpdate = z.output<typeof tableUpdate>

export const tablesOperations = {
  table_create: operation({
    path: '/table/create',
    summary: 'Create a table from rows.',
    access: 'write',
    storesRecords: true,
    errors: ['conflict'],
    request: z.object({ table: newTable }),
    response: z.object({ digest: z.string(), row_digests: rowDigests }),
    projects: (request) => [request.table.project_id],
  }),
  table_create_from_digests: operation({
    path: '/table/create_from_digests',
    summary: 'Create a table from row digests. The rows may be stored later.',
    access: 'write',
    errors: ['conflict'],
    request: z.object({ project_id: projectId, row_digests: rowDigests, expected_digest: nullableText }),
    response: z.object({ digest: z.string() }),
  }),
  table_update: operation({
    path: '/table/update',
    summary: 'Create a table by applying updates to an existing one.',
    access: 'write',
    errors: ['not_found'],
    request: z.object({ project_id: projectId, base_digest: z.string(), updates: z.array(tableUpdate) }),
    response: z.object({ digest: z.string(), updated_row_digests: rowDigests }),
  }),
  table_query: operation({
    path: '/table/query',
    summary: 'Read the rows of a table, by default in insertion order.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      digest: z.string(),
      filter: z.object({ row_digests: rowDigests.nullish() }).nullish(),
      limit,
      offset,
      sort_by: sortByPath,
    }),
    response: z.object({ rows: z.array(tableRow) }),
  }),
  table_query_stats: operation({
    path: '/table/query_stats',
    summary: 'Count the rows of a table.',
    access: 'read',
    request: z.object({ project_id: projectId, digest: z.string() }),
    response: z.object({ count: z.int() }),
  }),
  table_query_stats_batch: operation({
    path: '/table/query_stats_batch',
    summary: 'Count the rows of several tables. Missing tables are omitted.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      digests: z.array(z.string()).nullish(),
      include_storage_size: z.boolean().nullish(),
    }),
    response: z.object({ tables: z.array(tableStats) }),
  }),
}
