import { splitPath } from '../../core/query/path.ts'
import { toText } from '../query/casts.ts'
import type { Field, Fields } from '../query/field.ts'
import { existsOf, fieldValue } from '../query/value.ts'
import { type Sql, sql } from '../query/sql.ts'
import { callFields, OP_NAME, STATUS, statusBy } from './fields.ts'
import { PulledOut } from './extracted-fields.ts'

/** What calls are grouped by when they are counted, as text; NULL for calls that have no such value. */
export interface GroupKey {
  /** Read from narrow columns. */
  readonly quick: Sql
  /** Read from documents, where `unsure` says that `quick` may be wrong. */
  readonly exact: Sql
  readonly unsure: Sql | undefined
}

/** `model` is none of these: a call may have used several. Any field of the query language is one. */
export function groupKey(project_id: string, name: string, timezone: string): GroupKey {
  switch (name) {
    case 'op':
      return sure(OP_NAME)
    case 'user':
      return sure(sql`nullIf(wb_user_id, '')`)
    case 'day':
      return sure(sql`toString(toDate32(toTimeZone(started_at, ${timezone})))`)
    case 'status':
    case 'summary.weave.status':
      return statusKey()
    default:
      return fieldKey(project_id, name)
  }
}

function sure(key: Sql): GroupKey {
  return { quick: key, exact: key, unsure: undefined }
}

function statusKey(): GroupKey {
  const pulledOut = new PulledOut()
  const { sql: errors } = fieldValue(pulledOut.field(['summary', 'status_counts', 'error']))
  return { quick: statusBy(errors), exact: STATUS, unsure: pulledOut.unsure() }
}

function fieldKey(project_id: string, name: string): GroupKey {
  const path = splitPath(name, ['group_by'])
  const read = (fields: Fields): Sql => keyOf(fields(path, name))
  const pulledOut = new PulledOut()
  const quick = read(callFields(project_id, undefined, pulledOut))
  if (pulledOut.isEmpty) return sure(quick)
  return { quick, exact: read(callFields(project_id)), unsure: pulledOut.unsure() }
}

function keyOf(field: Field): Sql {
  if (field.kind === 'many') return keyOf(field.one)
  const value = fieldValue(field)
  if (value.type === 'null') return sql`NULL`
  return sql`if(${existsOf(value)}, ${toText[value.type](value.sql)}, NULL)`
}
