import type { CallsFilter } from '../../../contract/calls/calls-filter.ts'
import { ApiError } from '../../../contract/api-error.ts'
import { identifier, join, type Sql, sql } from '../../query/sql.ts'
import { MAX_FILTER_ITEMS } from '../../../contract/limits.ts'

/** Compiles the `filter` of a request into conditions, all of which must hold; none for an empty filter. */
export function compileFilter(filter: CallsFilter | null | undefined): Sql[] {
  if (filter === null || filter === undefined) return []
  for (const [key, list] of Object.entries(filter)) {
    if (Array.isArray(list) && list.length > MAX_FILTER_ITEMS) {
      const reason = `filter.${key} has ${list.length} items, more than ${MAX_FILTER_ITEMS}; split it into several requests`
      throw new ApiError('invalid_request', reason)
    }
  }
  return [
    ...nameIn(filter.op_names),
    ...anyRefIn('input_refs', filter.input_refs),
    ...anyRefIn('output_refs', filter.output_refs),
    ...isIn('parent_id', filter.parent_ids),
    ...isIn('trace_id', filter.trace_ids),
    ...isIn('id', filter.call_ids),
    ...(filter.thread_ids?.length === 0 ? [sql`0`] : isIn('thread_id', filter.thread_ids)),
    ...isIn('turn_id', filter.turn_ids),
    ...(filter.trace_roots_only === true ? [sql`parent_id = ''`] : []),
    ...isIn('wb_user_id', filter.wb_user_ids),
    ...runIn(filter.wb_run_ids),
  ]
}

type Items = readonly string[] | null | undefined

function isIn(column: string, items: Items): Sql[] {
  // '' means "not set" in the columns, so it never matches.
  const known = items?.filter((item) => item !== '') ?? []
  if (known.length > 0) return [sql`${identifier(column)} IN ${known}`]
  return items === null || items === undefined || items.length === 0 ? [] : [sql`0`]
}

/** Exact names, and the prefixes of those that end with `:*`. */
function splitWildcards(items: readonly string[]): { exact: string[]; prefixes: string[] } {
  return {
    exact: items.filter((item) => !item.endsWith(':*')),
    prefixes: items.filter((item) => item.endsWith(':*')).map((item) => item.slice(0, -1)),
  }
}

function nameIn(names: Items): Sql[] {
  if (!names?.length) return []
  const { exact, prefixes } = splitWildcards(names)
  const tests: Sql[] = []
  if (exact.length > 0) tests.push(sql`op_name IN ${exact}`)
  if (prefixes.length > 0) tests.push(sql`arrayExists(prefix -> startsWith(op_name, prefix), ${prefixes})`)
  return [join(tests, ' OR ')]
}

function anyRefIn(column: 'input_refs' | 'output_refs', refs: Items): Sql[] {
  if (!refs?.length) return []
  const { exact, prefixes } = splitWildcards(refs)
  const tests: Sql[] = []
  if (exact.length > 0) tests.push(sql`hasAny(${identifier(column)}, ${exact})`)
  if (prefixes.length > 0) {
    const begins = sql`arrayExists(prefix -> startsWith(ref, prefix), ${prefixes})`
    tests.push(sql`arrayExists(ref -> ${begins}, ${identifier(column)})`)
  }
  return [join(tests, ' OR ')]
}

/** A run id without a slash belongs to this project. Both the filter and the stored call may have either form. */
function runIn(runs: Items): Sql[] {
  if (!runs?.length) return []
  const qualified = runs.filter((run) => run.includes('/'))
  const unqualified = runs.filter((run) => !run.includes('/') && run !== '')
  const own = sql`startsWith(wb_run_id, concat(project_id, '/'))`
  const tests = [sql`wb_run_id IN ${[...qualified, ...unqualified]}`]
  if (unqualified.length > 0)
    tests.push(sql`(${own} AND substring(wb_run_id, length(project_id) + 2) IN ${unqualified})`)
  if (qualified.length > 0)
    tests.push(sql`(wb_run_id != '' AND concat(project_id, '/', wb_run_id) IN ${qualified})`)
  return [join(tests, ' OR ')]
}
