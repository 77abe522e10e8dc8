import type { CallsFilter } from '../../../contract/calls/calls-filter.ts'
import type { SortBy } from '../../../contract/fields.ts'
import type { Operand } from '../../../core/query/ast.ts'
import { compileCondition } from '../../query/compile.ts'
import { compileSort } from '../../query/sort.ts'
import { from, fromAllVersions } from '../../query/scope.ts'
import { and, type Sql, sql } from '../../query/sql.ts'
import { callFields, type FieldSources } from './field-resolver.ts'
import { compileFilter } from './filter.ts'
import { isTraceHead } from './trace-heads.ts'
import { type DocumentSteps, ExtractedFields } from './extracted-fields.ts'
import type { Direction } from './page-boundary.ts'

/** The same conditions on extracted fields only. Useless if `needsDocuments` holds for any call. */
export interface ExtractedConditions {
  readonly simple: readonly Sql[]
  readonly needsDocuments: Sql
  readonly steps: DocumentSteps
  readonly condition: Sql
}

/** Conditions for reads in two steps: a cheap prefilter over all rows, then the exact conditions on its candidates. */
export interface Prefilter {
  /** Holds for all rows that `exact` holds for, and possibly for others. Needs few documents, or none. */
  readonly coarse: readonly Sql[]
  readonly exact: readonly Sql[]
  /** The conditions of both that only concern the time. */
  readonly time: readonly Sql[]
  /** Only heads of traces hold, which neither `coarse` nor `exact` tests (trace-heads.ts). */
  readonly isTracesOnly: boolean
}

/** The filter and the query of a request, compiled once into the conditions of each way to read the calls. */
export interface CompiledSelection {
  /** For a single statement. All must hold. */
  readonly conditions: readonly Sql[]
  /** Undefined if the query needs no documents, or cannot be evaluated without them. */
  readonly extracted: ExtractedConditions | undefined
  readonly prefilter: (time?: readonly Sql[]) => Prefilter
}

export function callConditions(...request: Parameters<typeof compileSelection>): readonly Sql[] {
  return compileSelection(...request).conditions
}

export function compileSelection(
  project_id: string,
  filter: CallsFilter | null | undefined,
  query: Operand | undefined,
  sources: FieldSources = {},
  range: readonly Sql[] = [],
): CompiledSelection {
  const simple = [
    ...compileFilter(filter),
    ...positionsOfIds(project_id, filter?.call_ids),
    ...timeRangeOfTraces(project_id, filter?.trace_ids),
  ]
  const isTracesOnly = filter?.traces_only === true
  const calls = compileConditions(
    project_id,
    simple,
    query,
    isTracesOnly ? { ...sources, isTracesOnly } : sources,
  )
  if (!isTracesOnly) return calls
  const isHead = isTraceHead(project_id, [...range, ...simple])
  const extracted = calls.extracted && { ...calls.extracted, simple: [...calls.extracted.simple, isHead] }
  return {
    conditions: [...calls.conditions, isHead],
    extracted,
    prefilter: (time) => ({ ...calls.prefilter(time), isTracesOnly: true }),
  }
}

function compileConditions(
  project_id: string,
  simple: readonly Sql[],
  query: Operand | undefined,
  sources: FieldSources,
): CompiledSelection {
  const { refJoins } = sources
  refJoins?.narrow(simple)
  if (query === undefined) return withoutExtracted(simple)
  const fields = new ExtractedFields(sources.documentFields)
  const condition = compileCondition(query, callFields(project_id, sources, fields))
  // The same condition, without extracted fields.
  if (fields.isEmpty) return withoutExtracted([...simple, condition])
  const exact = [...simple, compileCondition(query, callFields(project_id, sources))]
  if (refJoins?.isEmpty === false) return withoutExtracted(exact)
  const steps = fields.needsDocumentsInSteps()
  const needsDocuments = fields.needsDocuments()
  return withExtracted(project_id, exact, { simple, needsDocuments, steps, condition })
}

function withoutExtracted(conditions: readonly Sql[]): CompiledSelection {
  const prefilter = (time: readonly Sql[] = []): Prefilter => {
    const exact = [...time, ...conditions]
    return { time, coarse: exact, exact, isTracesOnly: false }
  }
  return { conditions, extracted: undefined, prefilter }
}

function withExtracted(
  project_id: string,
  exact: readonly Sql[],
  extracted: ExtractedConditions,
): CompiledSelection {
  const { simple, needsDocuments, condition } = extracted
  // Documents are read only for calls whose value was not extracted (too long, or inside an array), which are few. In a
  // single condition ClickHouse would read the documents of all calls.
  const toRead = sql`SELECT started_at, id ${from(project_id, 'calls')} AND ${and([...simple, needsDocuments])}`
  const rest = sql`SELECT started_at, id ${from(project_id, 'calls')} AND (started_at, id) IN (${toRead}) AND ${and([...simple, needsDocuments, ...exact.slice(simple.length)])}`
  return {
    conditions: [
      ...simple,
      sql`((NOT ${needsDocuments} AND ${condition}) OR (${needsDocuments} AND (started_at, id) IN (${rest})))`,
    ],
    extracted,
    prefilter: (time = []) => ({
      time,
      coarse: [...time, ...simple, sql`(${needsDocuments} OR ${condition})`],
      exact: [...time, ...exact],
      isTracesOnly: false,
    }),
  }
}

/** The positions of calls that are named by id, because the sort key of calls starts with the time. */
function positionsOfIds(project_id: string, ids: readonly string[] | null | undefined): Sql[] {
  if (ids === null || ids === undefined || ids.length === 0) return []
  return [
    sql`(started_at, id) IN (SELECT started_at, id ${from(project_id, 'call_ids')} AND id IN ${ids} AND is_part = 0)`,
  ]
}

/**
 * The time range of these traces. FINAL compares all rows of the range, so a short one is faster. All versions of a row
 * are inside it, so finding the range needs no FINAL and uses the index on trace ids.
 */
function timeRangeOfTraces(project_id: string, trace_ids: readonly string[] | null | undefined): Sql[] {
  if (trace_ids === null || trace_ids === undefined || trace_ids.length === 0) return []
  // ClickHouse evaluates the repeated subquery once.
  const range = sql`(SELECT (min(started_at), max(started_at)) ${fromAllVersions(project_id, 'calls')} AND trace_id IN ${trace_ids})`
  return [sql`started_at BETWEEN ${range}.1 AND ${range}.2`]
}

/**
 * The ORDER BY terms. Without `sort_by`: by start time. With it: as requested, then by id, so that pages neither overlap
 * nor have gaps. An empty list means no order.
 */
export function callOrder(project_id: string, sort_by: SortBy, sources: FieldSources = {}): Sql[] {
  if (sort_by === null || sort_by === undefined) return [sql`started_at`, sql`id`]
  const last = sort_by.at(-1)
  if (last === undefined) return []
  const direction = last.field === 'started_at' && last.direction === 'asc' ? sql`id` : sql`id DESC`
  return [...compileSort(sort_by, callFields(project_id, sources)), direction]
}

/** The direction, if calls are requested in time order and no index on ids narrows them; otherwise undefined. */
export function timeDirection(
  filter: CallsFilter | null | undefined,
  sort_by: SortBy,
): Direction | undefined {
  const indexed = [filter?.call_ids, filter?.trace_ids, filter?.parent_ids]
  if (indexed.some((ids) => (ids ?? []).length > 0)) return undefined
  if (sort_by === null || sort_by === undefined) return 'asc'
  const [only] = sort_by
  return sort_by.length === 1 && only?.field === 'started_at' ? only.direction : undefined
}
