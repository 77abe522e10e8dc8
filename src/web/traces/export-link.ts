import type { Project } from '../api/project.ts'
import type { ListQuestion } from './list-question.ts'
import { rangeConditions, withBounds } from './query-bounds.ts'

export type ExportFormat = 'jsonl' | 'csv' | 'parquet'

/** Where a browser downloads what the list counts: the server writes the file while it is read. */
export function exportLink(
  { entity, project }: Project,
  question: ListQuestion,
  format: ExportFormat,
  nowMs: number,
): string {
  const filter = JSON.stringify({ trace_roots_only: question.rootsOnly })
  const search = new URLSearchParams({ what: 'calls', format, filter })
  const query = withBounds(question.query, rangeConditions(question.range, nowMs))
  if (query !== undefined) search.set('query', query.text)
  return `/api/v1/projects/${encodeURIComponent(entity)}/${encodeURIComponent(project)}/export?${search}`
}

/** Why there is no such link: an export has the query language, and no search for texts. */
export function whyNoExport(question: ListQuestion): string | undefined {
  if (question.trouble !== undefined) return 'Nothing to export: the filter cannot be read'
  if (question.text !== undefined) return 'To export what was found, select it'
  return undefined
}
