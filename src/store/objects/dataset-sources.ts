import type { SourceKind, SourceRef } from '../../contract/objects/dataset-sources.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { type Page, page } from '../query/page.ts'
import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { nextVersion } from '../query/versions.ts'

/** Links from rows of datasets to the calls, spans and conversations that they were made from. */

export interface DatasetSourceRow {
  readonly project_id: string
  readonly dataset_object_id: string
  readonly row_digest: string
  readonly source_kind: SourceKind
  readonly source_id: string
  readonly source_trace_id: string
  /** Derived from the fields above. */
  readonly id: string
  /** Empty for a conversation. */
  readonly call_id: string
  readonly source_started_at: string
  readonly source_display_name: string
  /** JSON as sent; empty if there is none. */
  readonly link_metadata: string
  readonly added_by: string
  readonly created_at: string
  readonly deleted_at: string | null
}

export interface StoredDatasetSource extends DatasetSourceRow {
  /** Microseconds of the last change, as text. */
  readonly version: string
}

const ROW = sql`SELECT project_id, dataset_object_id, row_digest, source_kind, source_id, source_trace_id, id, call_id, source_started_at, source_display_name, link_metadata, added_by, created_at, deleted_at, version`

/** By id, deleted ones too. */
export async function findDatasetSources(
  db: Database,
  project_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredDatasetSource>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<StoredDatasetSource>(selectDatasetSourcesById(project_id, ids), {
    name: 'dataset sources by id',
    kind: 'point',
  })
  return new Map(rows.map((row) => [row.id, row]))
}

export function selectDatasetSourcesById(project_id: string, ids: readonly string[]): Sql {
  return sql`${ROW} ${from(project_id, 'dataset_sources')} AND id IN ${ids}`
}

export interface DatasetSourcesFilter extends Page {
  readonly row_digests: readonly string[] | undefined
  readonly source_kinds: readonly SourceKind[] | undefined
  readonly include_deleted: boolean
}

export async function listDatasetSources(
  db: Database,
  project_id: string,
  dataset_object_id: string,
  filter: DatasetSourcesFilter,
): Promise<StoredDatasetSource[]> {
  return db.rows<StoredDatasetSource>(selectDatasetSources(project_id, dataset_object_id, filter), {
    name: 'dataset sources',
    kind: 'list',
  })
}

export function selectDatasetSources(
  project_id: string,
  dataset_object_id: string,
  { row_digests, source_kinds, include_deleted, ...limits }: DatasetSourcesFilter,
): Sql {
  const ofRows = row_digests === undefined ? sql`` : sql` AND row_digest IN ${row_digests}`
  const ofKinds = source_kinds === undefined ? sql`` : sql` AND source_kind IN ${source_kinds}`
  return sql`${ROW} ${from(project_id, 'dataset_sources')} AND dataset_object_id = ${dataset_object_id}${ofRows}${ofKinds}${unlessDeleted(include_deleted)}
ORDER BY row_digest, source_kind, source_id, source_trace_id ${page(limits)}`
}

/** A source, with a dataset that has rows linked to it. */
export interface SourceDatasetRow extends SourceRef {
  readonly dataset_object_id: string
  readonly row_digests: readonly string[]
  /** UInt64, as text. */
  readonly total: string
  readonly first_seen_at: string
}

export const MAX_ROW_DIGESTS = 100

export async function listSourceDatasets(
  db: Database,
  project_id: string,
  sources: readonly SourceRef[],
  include_deleted: boolean,
): Promise<SourceDatasetRow[]> {
  if (sources.length === 0) return []
  return db.rows<SourceDatasetRow>(selectSourceDatasets(project_id, sources, include_deleted), {
    name: 'source datasets',
    kind: 'list',
  })
}

/** The id of a call is unique in its project, so its trace is not compared. */
export function selectSourceDatasets(
  project_id: string,
  sources: readonly SourceRef[],
  include_deleted: boolean,
): Sql {
  const ids = sources.map(({ source_id }) => source_id)
  const kinds = sources.map(({ source_kind }) => source_kind)
  const traces = sources.map((each) => (each.source_kind === 'call' ? '' : each.source_trace_id))
  return sql`SELECT source_kind, source_id, source_trace_id, dataset_object_id, groupArraySorted(100)(row_digest) AS row_digests, count() AS total, min(created_at) AS first_seen_at
${from(project_id, 'dataset_sources')} AND source_id IN ${ids} AND (source_kind, source_id, if(source_kind = 'call', '', source_trace_id)) IN arrayZip(${kinds}, ${ids}, ${traces})${unlessDeleted(include_deleted)}
GROUP BY source_kind, source_id, source_trace_id, dataset_object_id ORDER BY source_kind, source_id, source_trace_id, dataset_object_id`
}

function unlessDeleted(include_deleted: boolean): Sql {
  return include_deleted ? sql`` : sql` AND deleted_at IS NULL`
}

/** Inserts links, or replaces those in `stored`. */
export async function writeDatasetSources(
  db: Database,
  rows: readonly DatasetSourceRow[],
  stored: ReadonlyMap<string, StoredDatasetSource>,
  now: Micros,
): Promise<void> {
  if (rows.length === 0) return
  const versionOf = (id: string): bigint | undefined => {
    const version = stored.get(id)?.version
    return version === undefined ? undefined : BigInt(version)
  }
  await db.insert(
    'dataset_sources',
    rows.map((row) => ({ ...row, version: nextVersion(now, versionOf(row.id)) })),
  )
}
