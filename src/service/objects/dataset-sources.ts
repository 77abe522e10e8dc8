import { ApiError } from '../../contract/api-error.ts'
import type { DatasetSource, SourceRef } from '../../contract/objects/dataset-sources.ts'
import { MAX_DATASET_SOURCES } from '../../contract/limits.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { contentId } from '../../core/objects/content-id.ts'
import { formatTime } from '../../core/time/time.ts'
import {
  type DatasetSourceRow,
  findDatasetSources,
  listDatasetSources,
  listSourceDatasets,
  MAX_ROW_DIGESTS,
  type StoredDatasetSource,
  writeDatasetSources,
} from '../../store/objects/dataset-sources.ts'
import { requestedPage } from '../../store/query/page.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { findSources, firstNames } from './source-calls.ts'

/** Handlers for dataset sources: link, delete, list by dataset, list by source. */

type Operation =
  | 'dataset_sources_link'
  | 'dataset_sources_link_delete'
  | 'dataset_sources_query'
  | 'source_datasets_query'

export function datasetSourcesHandlers(deps: Deps): Pick<Handlers, Operation> {
  const { db } = deps
  return {
    dataset_sources_link: (request, caller) => link(deps, request, caller),

    dataset_sources_link_delete: async ({ project_id, link_ids }) => {
      const stored = await findDatasetSources(db, project_id, link_ids)
      const unknown = link_ids.filter((id) => !stored.has(id))
      if (unknown.length > 0)
        throw new ApiError('invalid_request', `there are no links with these ids: ${firstNames(unknown)}`)
      const now = deps.now()
      const alive = [...stored.values()].filter(({ deleted_at }) => deleted_at === null)
      const deleted = alive.map((row) => ({ ...row, deleted_at: formatTime(now) }))
      await writeDatasetSources(db, deleted, stored, now)
      return {
        entries: link_ids.map((id) => ({ link_id: id, deleted: stored.get(id)?.deleted_at === null })),
      }
    },

    dataset_sources_query: async (request) => {
      const rows = await listDatasetSources(db, request.project_id, request.dataset_object_id, {
        row_digests: request.row_digests ?? undefined,
        source_kinds: request.source_kinds ?? undefined,
        include_deleted: request.include_deleted ?? false,
        ...requestedPage(request),
      })
      return { links: rows.map(viewLink) }
    },

    source_datasets_query: async ({ project_id, sources, include_deleted }) => {
      const rows = await listSourceDatasets(db, project_id, sources, include_deleted ?? false)
      return {
        memberships: rows.map(({ total, row_digests, ...row }) => ({
          ...row,
          row_digests: [...row_digests],
          row_digests_truncated: Number(total) > MAX_ROW_DIGESTS,
          row_digests_total_count: Number(total),
        })),
      }
    },
  }
}

/** Stores the links that are new, deleted, or have other metadata; a resend changes nothing. */
async function link(
  deps: Deps,
  request: RequestOf<'dataset_sources_link'>,
  { user_id }: Caller,
): Promise<{ entries: { link_id: string; created: boolean | null }[] }> {
  const { project_id, dataset_object_id } = request
  const linked = request.links.flatMap(({ row_digest, sources, link_metadata }) =>
    sources.map((source) => ({ row_digest, source, link_metadata: link_metadata?.text ?? '' })),
  )
  if (linked.length > MAX_DATASET_SOURCES)
    throw new ApiError(
      'too_large',
      `a request can link at most ${MAX_DATASET_SOURCES} sources, not ${linked.length}; send several`,
    )
  const found = await findSources(
    deps,
    project_id,
    linked.map(({ source }) => source),
  )
  const now = deps.now()
  const rows = linked.map(({ row_digest, link_metadata }, i): DatasetSourceRow => {
    const source = found[i]!
    const key = { dataset_object_id, row_digest, ...sourceKey(source) }
    const id = contentId([project_id, ...Object.values(key)])
    const { call_id, source_started_at, source_display_name } = source
    const details = { id, call_id, source_started_at, source_display_name, link_metadata }
    const created_at = formatTime(now)
    return { project_id, ...key, ...details, added_by: user_id, created_at, deleted_at: null }
  })
  const ids = rows.map(({ id }) => id)
  const stored = await findDatasetSources(deps.db, project_id, ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const changed = [...byId.values()].filter((row) => !isStored(row, stored.get(row.id)))
  const written = changed.map((row) => ({
    ...row,
    created_at: stored.get(row.id)?.created_at ?? row.created_at,
  }))
  await writeDatasetSources(deps.db, written, stored, now)
  const created = (id: string): boolean | null =>
    request.include_created_status === true ? !stored.has(id) : null
  return { entries: ids.map((id) => ({ link_id: id, created: created(id) })) }
}

function sourceKey({ source_kind, source_id, source_trace_id }: SourceRef): SourceRef {
  return { source_kind, source_id, source_trace_id }
}

function isStored(row: DatasetSourceRow, stored: StoredDatasetSource | undefined): boolean {
  return stored !== undefined && stored.deleted_at === null && stored.link_metadata === row.link_metadata
}

function viewLink(row: StoredDatasetSource): DatasetSource {
  return {
    id: row.id,
    row_digest: row.row_digest,
    ...sourceKey(row),
    source_started_at: row.source_started_at,
    source_display_name: row.source_display_name,
    link_metadata: row.link_metadata === '' ? null : RawJson.fromText(row.link_metadata),
    added_by: row.added_by === '' ? null : row.added_by,
    created_at: row.created_at,
    updated_at: formatTime(BigInt(row.version)),
    deleted_at: row.deleted_at,
  }
}
