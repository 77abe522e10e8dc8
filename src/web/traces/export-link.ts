import type { Project } from '../api/project.ts'
import type { ListQuery } from './list-query.ts'
import { rangeConditions, withConditions } from './query-bounds.ts'

export type ExportFormat = 'jsonl' | 'csv' | 'parquet'

/** URL that downloads all calls of the list, not only the loaded rows. The server streams the file. */
export function exportLink(
  { entity, project }: Project,
  listQuery: ListQuery,
  format: ExportFormat,
  nowMs: number,
): string {
  const filter = JSON.stringify({ traces_only: listQuery.rootsOnly })
  const search = new URLSearchParams({ what: 'calls', format, filter })
  const query = withConditions(listQuery.query, rangeConditions(listQuery.range, nowMs))
  if (query !== undefined) search.set('query', query.text)
  return `/api/v1/projects/${encodeURIComponent(entity)}/${encodeURIComponent(project)}/export?${search}`
}

/** Why the list cannot be exported: an export accepts queries, but no text search. */
export function exportUnavailableReason(listQuery: ListQuery): string | undefined {
  if (listQuery.filterError !== undefined) return 'Cannot export: the filter is invalid'
  if (listQuery.text !== undefined) return 'To export search results, select them'
  return undefined
}
