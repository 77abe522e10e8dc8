import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { TableUpdate } from '../../contract/objects/tables.ts'
import { ChunkedList } from '../../core/objects/chunked-list.ts'
import { tableDigest, valueDigest } from '../../core/objects/digest.ts'
import { requestedPage } from '../../store/query/page.ts'
import {
  countRows,
  findRowDigests,
  insertRows,
  insertTable,
  listTableStats,
  type NewRow,
  queryRows,
} from '../../store/objects/tables.ts'
import type { Deps } from '../deps.ts'
import { checkExpectedDigest } from './expected-digest.ts'
import type { Handlers } from '../handler.ts'

type TablesOperation =
  | 'table_create'
  | 'table_create_from_digests'
  | 'table_update'
  | 'table_query'
  | 'table_query_stats'
  | 'table_query_stats_batch'

/** Handlers for tables: create, update, query, statistics. */
export function tablesHandlers({ db, now }: Deps): Pick<Handlers, TablesOperation> {
  return {
    table_create: async ({ table: { project_id, rows: vals, expected_digest } }) => {
      const rows = vals.map(newRow)
      const row_digests = rows.map((row) => row.digest)
      const digest = tableDigest(row_digests)
      checkExpectedDigest(expected_digest, digest)
      // Rows are inserted first, so that a table never lists missing rows.
      await insertRows(db, project_id, rows, now())
      await insertTable(db, project_id, digest, row_digests, now())
      return { digest, row_digests }
    },

    table_create_from_digests: async ({ project_id, row_digests, expected_digest }) => {
      const digest = tableDigest(row_digests)
      checkExpectedDigest(expected_digest, digest)
      await insertTable(db, project_id, digest, row_digests, now())
      return { digest }
    },

    table_update: async ({ project_id, base_digest, updates }) => {
      const base = await findRowDigests(db, project_id, base_digest)
      if (base === undefined) throw new ApiError('not_found', `Table ${base_digest} not found`)
      const { rows, row_digests, updated_row_digests } = applyUpdates(base, updates)
      const digest = tableDigest(row_digests)
      await insertRows(db, project_id, rows, now())
      await insertTable(db, project_id, digest, row_digests, now())
      return { digest, updated_row_digests }
    },

    table_query: async (request) => {
      const { limit, offset } = requestedPage(request)
      const rows = await queryRows(db, request.project_id, {
        digest: request.digest,
        row_digests: request.filter?.row_digests ?? [],
        sort_by: request.sort_by,
        limit,
        offset,
      })
      return { rows: rows.map((row) => ({ ...row, val: RawJson.fromText(row.val) })) }
    },

    table_query_stats: async ({ project_id, digest }) => ({ count: await countRows(db, project_id, digest) }),

    table_query_stats_batch: async ({ project_id, digests, include_storage_size }) => {
      const found = await listTableStats(db, project_id, digests ?? [])
      const byDigest = new Map(found.map((table) => [table.digest, table]))
      const tables = [...new Set(digests ?? [])].flatMap((digest) => {
        const table = byDigest.get(digest)
        if (table === undefined) return []
        const storage_size_bytes = include_storage_size === true ? table.size_bytes : null
        return [{ digest, count: table.count, storage_size_bytes }]
      })
      return { tables }
    },
  }
}

function newRow(val: RawJson): NewRow {
  return { digest: valueDigest(val), val }
}

interface UpdatedTable {
  readonly rows: NewRow[]
  readonly row_digests: string[]
  readonly updated_row_digests: string[]
}

/** Applies the updates in sequence, each to the result of the previous one. */
function applyUpdates(base: readonly string[], updates: readonly TableUpdate[]): UpdatedTable {
  const digests = new ChunkedList(base)
  const rows: NewRow[] = []
  const updated_row_digests: string[] = []
  const insertAt = (index: number, val: RawJson): void => {
    if (index < 0 || index > digests.length) throw outOfRange(index, digests.length)
    const row = newRow(val)
    digests.insert(index, row.digest)
    rows.push(row)
    updated_row_digests.push(row.digest)
  }
  for (const { append, pop, insert } of updates) {
    if (append) insertAt(digests.length, append.row)
    if (insert) insertAt(insert.index, insert.row)
    if (pop) {
      const digest = digests.remove(pop.index)
      if (digest === undefined) throw outOfRange(pop.index, digests.length)
      updated_row_digests.push(digest)
    }
  }
  return { rows, row_digests: digests.toArray(), updated_row_digests }
}

function outOfRange(index: number, length: number): ApiError {
  return new ApiError(
    'invalid_request',
    `index ${index} is out of range: the table has ${length} rows at this update`,
  )
}
