import { from } from '../../query/scope.ts'
import { and, type Sql, sql } from '../../query/sql.ts'

/**
 * The head of a trace is the call that stands for it in lists: its root, or as long as no root is stored, its earliest call
 * without a stored parent. Roots are missing where another service has them, where they were not sampled, or where an export
 * failed.
 */

/** Holds for heads of traces, among calls that satisfy these conditions. */
export function isTraceHead(project_id: string, conditions: readonly Sql[]): Sql {
  const selected = (condition: Sql): Sql =>
    sql`SELECT trace_id ${from(project_id, 'calls')} AND ${and([...conditions, condition])}`
  return isHeadAmong(
    project_id,
    // Few, unless roots are missing: those whose root is outside of the conditions.
    sql`(${selected(sql`parent_id != ''`)} AND trace_id NOT IN (${selected(sql`parent_id = ''`)}))`,
  )
}

/** Holds for roots, and for the heads of these traces. */
export function isHeadOf(project_id: string, trace_ids: readonly string[]): Sql {
  return trace_ids.length === 0 ? sql`parent_id = ''` : isHeadAmong(project_id, sql`${trace_ids}`)
}

/** `trace_ids` is an array or a subquery. The index on trace ids finds their calls. */
function isHeadAmong(project_id: string, trace_ids: Sql): Sql {
  const calls = sql`${from(project_id, 'calls')} AND trace_id IN ${trace_ids}`
  return sql`(parent_id = '' OR (started_at, id) IN (SELECT head.1, head.2 FROM (
    SELECT min((started_at, id)) AS head ${calls} AND trace_id NOT IN (SELECT trace_id ${calls} AND parent_id = '')
      AND (trace_id, parent_id) NOT IN (SELECT trace_id, id ${calls})
    GROUP BY trace_id)))`
}

/**
 * Holds for all heads of traces in a range of time, and for at most one other call of each trace: of a trace whose root is
 * outside of the range, the earliest call inside.
 */
export function mayBeTraceHead(project_id: string, range: readonly Sql[]): Sql {
  const calls = sql`${from(project_id, 'calls')} AND ${and(range)}`
  return sql`(parent_id = '' OR (started_at, id) IN (SELECT head.1, head.2 FROM (
    SELECT argMin((started_at, id), ((trace_id, parent_id) IN (SELECT trace_id, id ${calls}), started_at, id)) AS head ${calls}
    GROUP BY trace_id HAVING min(parent_id) != '')))`
}
