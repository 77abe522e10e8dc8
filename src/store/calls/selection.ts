import type { CallsFilter } from '../../contract/calls/calls-filter.ts'
import type { SortBy } from '../../contract/fields.ts'
import type { Operand } from '../../core/query/ast.ts'
import { compileCondition } from '../query/compile.ts'
import { compileSort } from '../query/sort.ts'
import { from, fromEveryVersion } from '../query/scope.ts'
import { and, type Sql, sql } from '../query/sql.ts'
import { callFields } from './fields.ts'
import { compileFilter } from './filter.ts'
import { PulledOut } from './extracted-fields.ts'
import type { RefHops } from './ref-joins.ts'
import type { Direction } from './page-boundary.ts'

/** Which calls a request means: its filter and its query, both of which must hold. */
export function callConditions(
  project_id: string,
  filter: CallsFilter | null | undefined,
  query: Operand | undefined,
  hops?: RefHops,
): Sql[] {
  const { simple, exact, pulledOut } = compiled(project_id, filter, query, hops)
  if (pulledOut === undefined) return [...simple, ...exact]
  // Documents are read only of calls that were not pulled out whole, which are few: a value that is long or in an
  // array. Within one condition the engine would read them all.
  const { unsure, quick } = pulledOut
  const toAsk = sql`SELECT started_at, id ${from(project_id, 'calls')} AND ${and([...simple, unsure])}`
  const rest = sql`SELECT started_at, id ${from(project_id, 'calls')} AND (started_at, id) IN (${toAsk}) AND ${and([...simple, unsure, ...exact])}`
  return [...simple, sql`((NOT ${unsure} AND ${quick}) OR (${unsure} AND (started_at, id) IN (${rest})))`]
}

/** The same in one look at narrow columns; of no use if there are any that it is `unsure` of. */
export interface QuickConditions {
  readonly simple: readonly Sql[]
  readonly unsure: Sql
  readonly quick: Sql
}

/** Undefined if documents are not asked anyway, or must be. */
export function quickConditions(
  project_id: string,
  filter: CallsFilter | null | undefined,
  query: Operand | undefined,
  hops: RefHops,
): QuickConditions | undefined {
  const { simple, pulledOut } = compiled(project_id, filter, query, hops)
  return pulledOut && { simple, ...pulledOut }
}

/** For lists that look at some rows after the other: what few rows must fulfil, and what can be asked of all. */
export interface Sieve {
  /** Holds for every row that `exact` holds for, and perhaps for others; needs no documents. */
  readonly coarse: readonly Sql[]
  readonly exact: readonly Sql[]
  /** Those of both that are about the time alone. */
  readonly within: readonly Sql[]
}

export function callSieve(
  project_id: string,
  filter: CallsFilter | null | undefined,
  query: Operand | undefined,
  within: readonly Sql[] = [],
): Sieve {
  const { simple, exact, pulledOut } = compiled(project_id, filter, query)
  const plain = [...within, ...simple]
  const asked = pulledOut === undefined ? exact : [sql`(${pulledOut.unsure} OR ${pulledOut.quick})`]
  return { within, coarse: [...plain, ...asked], exact: [...plain, ...exact] }
}

interface Compiled {
  readonly simple: readonly Sql[]
  /** The query, as documents answer it. */
  readonly exact: readonly Sql[]
  /** The query, as `leaves` answers it where that is sure. */
  readonly pulledOut: { readonly unsure: Sql; readonly quick: Sql } | undefined
}

function compiled(
  project_id: string,
  filter: CallsFilter | null | undefined,
  query: Operand | undefined,
  hops?: RefHops,
): Compiled {
  const simple = [
    ...compileFilter(filter),
    ...placesOf(project_id, filter?.call_ids),
    ...spanOf(project_id, filter?.trace_ids),
  ]
  hops?.narrow(simple)
  if (query === undefined) return { simple, exact: [], pulledOut: undefined }
  const exact = [compileCondition(query, callFields(project_id, hops))]
  const leaves = new PulledOut()
  const quick = compileCondition(query, callFields(project_id, hops, leaves))
  const isUseful = !leaves.isEmpty && hops?.isEmpty !== false
  return { simple, exact, pulledOut: isUseful ? { unsure: leaves.unsure(), quick } : undefined }
}

/** Where calls named by id are: the key of calls begins with the time, which an id does not tell. */
function placesOf(project_id: string, ids: readonly string[] | null | undefined): Sql[] {
  if (ids === null || ids === undefined || ids.length === 0) return []
  return [
    sql`(started_at, id) IN (SELECT started_at, id ${from(project_id, 'call_ids')} AND id IN ${ids} AND is_part = 0)`,
  ]
}

/**
 * When these traces were: FINAL compares all rows of a time, so the shorter the better. Every version of a row lies
 * within, so the span needs no FINAL, and the index on traces finds it.
 */
function spanOf(project_id: string, trace_ids: readonly string[] | null | undefined): Sql[] {
  if (trace_ids === null || trace_ids === undefined || trace_ids.length === 0) return []
  // Twice the same statement, which the engine asks once.
  const span = sql`(SELECT (min(started_at), max(started_at)) ${fromEveryVersion(project_id, 'calls')} AND trace_id IN ${trace_ids})`
  return [sql`started_at BETWEEN ${span}.1 AND ${span}.2`]
}

/**
 * In which order. Without a wish: as they started. With one: as wished, then by id so that pages neither overlap
 * nor leave gaps; an empty list wishes for no order at all.
 */
export function callOrder(project_id: string, sort_by: SortBy, hops?: RefHops): Sql[] {
  if (sort_by === null || sort_by === undefined) return [sql`started_at`, sql`id`]
  const last = sort_by.at(-1)
  if (last === undefined) return []
  const direction = last.field === 'started_at' && last.direction === 'asc' ? sql`id` : sql`id DESC`
  return [...compileSort(sort_by, callFields(project_id, hops)), direction]
}

/** Which way, if calls are wanted in the order that they are stored in, and no index knows where they are. */
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
