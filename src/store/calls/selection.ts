import type { CallsFilter } from '../../contract/calls-filter.ts'
import type { SortBy } from '../../contract/fields.ts'
import type { Operand } from '../../core/query/ast.ts'
import { compileCondition } from '../query/compile.ts'
import { compileSort } from '../query/sort.ts'
import { from } from '../scope.ts'
import { type Sql, sql } from '../sql.ts'
import { callFields } from './fields.ts'
import { compileFilter } from './filter.ts'
import type { RefHops } from './ref-hops.ts'

/** Which calls a request means: its filter and its query, both of which must hold. */
export function callConditions(
  project_id: string,
  filter: CallsFilter | null | undefined,
  query: Operand | undefined,
  hops?: RefHops,
): Sql[] {
  const conditions = [...compileFilter(filter), ...placesOf(project_id, filter?.call_ids)]
  hops?.narrow(conditions)
  return query === undefined
    ? conditions
    : [...conditions, compileCondition(query, callFields(project_id, hops))]
}

/** Where calls named by id are: the key of calls begins with the time, which an id does not tell. */
function placesOf(project_id: string, ids: readonly string[] | null | undefined): Sql[] {
  if (ids === null || ids === undefined || ids.length === 0) return []
  return [
    sql`(started_at, id) IN (SELECT started_at, id ${from(project_id, 'call_ids')} AND id IN ${ids} AND is_part = 0)`,
  ]
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
