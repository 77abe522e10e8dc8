import type { CallsFilter } from '../../contract/calls/calls-filter.ts'
import { SEARCH_FIELDS } from '../../contract/calls/search.ts'
import type { TimeBuckets } from '../../core/metrics/time-buckets.ts'
import type { Operand } from '../../core/query/ast.ts'
import { type FieldReader, readFieldSources } from '../calls/read/field-sources.ts'
import { matchCondition } from '../calls/read/search.ts'
import { indexConditions, type SearchIndex } from '../calls/read/search-index.ts'
import { SearchPattern } from '../calls/read/search-pattern.ts'
import type { Sql } from '../query/sql.ts'
import { type MetricsSelection, resolveGroups } from './metrics.ts'

interface MetricsReader extends FieldReader {
  readonly searchIndex: SearchIndex
}

interface SelectedMetrics {
  readonly project_id: string
  readonly filter: CallsFilter | null | undefined
  readonly query: Operand | undefined
  /** Only calls that contain it. */
  readonly text: string | null | undefined
  readonly group_by: readonly string[]
  /** Fields that measures aggregate. */
  readonly fields: readonly string[] | undefined
  readonly buckets: TimeBuckets
}

/** Compiles which calls are measured, and by which groups. */
export async function selectMetrics(
  reader: MetricsReader,
  { project_id, filter, query, text, group_by, fields, buckets }: SelectedMetrics,
): Promise<MetricsSelection> {
  const groups = resolveGroups(project_id, group_by, buckets.timezone)
  const conditions = typeof text === 'string' ? [await textCondition(reader, project_id, text)] : []
  const sources = await readFieldSources(reader, project_id, query, { fields })
  return { project_id, filter, query, sources, conditions, buckets, groups }
}

async function textCondition(
  { db, searchIndex }: MetricsReader,
  project_id: string,
  text: string,
): Promise<Sql> {
  const pattern = new SearchPattern(text)
  const indexed = indexConditions(searchIndex, text)
  return matchCondition(db, { project_id, pattern, fields: new Set(SEARCH_FIELDS), conditions: [], indexed })
}
