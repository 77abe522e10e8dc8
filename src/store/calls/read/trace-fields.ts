import type { Field } from '../../query/field.ts'
import { from } from '../../query/scope.ts'
import { identifier, type Sql, sql } from '../../query/sql.ts'

/**
 * Fields that a trace has if any of its calls has them, because instrumentations often record them with inner calls only. In lists
 * of traces a condition holds if it holds for any of the values.
 */
const COLUMNS: ReadonlyMap<string, Sql> = new Map([
  ['end_user', identifier('field_end_user')],
  ['session', identifier('field_session')],
  ['environment', identifier('field_environment')],
  ['thread', identifier('thread_id')],
  ['thread_id', identifier('thread_id')],
])

export function isTraceField(name: string): boolean {
  return COLUMNS.has(name)
}

/** Undefined if the field has its own value in each call. */
export function traceField(project_id: string, name: string): Field | undefined {
  const column = COLUMNS.get(name)
  if (column === undefined) return undefined
  return {
    kind: 'many',
    each: { kind: 'column', type: 'text', sql: column, unset: 'never' },
    one: { kind: 'column', type: 'text', sql: column, unset: 'empty' },
    matches: (condition) =>
      sql`trace_id IN (SELECT trace_id ${from(project_id, 'calls')} AND ${column} != '' AND ${condition})`,
  }
}
