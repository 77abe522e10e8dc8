import { splitPath } from '../../core/query/path.ts'
import { toText } from '../query/casts.ts'
import type { Field, Fields } from '../query/field.ts'
import { existsCondition, fieldValue } from '../query/value.ts'
import { type Sql, sql } from '../query/sql.ts'
import { callFields, OP_NAME, STATUS, statusBy } from './fields.ts'
import { ExtractedFields } from './extracted-fields.ts'

/** A key that calls are grouped by, as text; NULL for calls without the value. */
export interface GroupKey {
  /** Read from extracted fields and other narrow columns. */
  readonly extracted: Sql
  /** Read from documents; needed where `needsDocuments` holds, because `extracted` may be wrong there. */
  readonly exact: Sql
  readonly needsDocuments: Sql | undefined
}

/** Any field of the query language is a key. `model` is not, because a call may have used several models. */
export function groupKey(project_id: string, name: string, timezone: string): GroupKey {
  switch (name) {
    case 'op':
      return columnKey(OP_NAME)
    case 'user':
      return columnKey(sql`nullIf(wb_user_id, '')`)
    case 'day':
      return columnKey(sql`toString(toDate32(toTimeZone(started_at, ${timezone})))`)
    case 'status':
    case 'summary.weave.status':
      return statusKey()
    default:
      return fieldKey(project_id, name)
  }
}

function columnKey(key: Sql): GroupKey {
  return { extracted: key, exact: key, needsDocuments: undefined }
}

function statusKey(): GroupKey {
  const fields = new ExtractedFields()
  const { sql: errors } = fieldValue(fields.field(['summary', 'status_counts', 'error']))
  return { extracted: statusBy(errors), exact: STATUS, needsDocuments: fields.needsDocuments() }
}

function fieldKey(project_id: string, name: string): GroupKey {
  const path = splitPath(name, ['group_by'])
  const read = (fields: Fields): Sql => keyText(fields(path, name))
  const extractedFields = new ExtractedFields()
  const extracted = read(callFields(project_id, undefined, extractedFields))
  if (extractedFields.isEmpty) return columnKey(extracted)
  return { extracted, exact: read(callFields(project_id)), needsDocuments: extractedFields.needsDocuments() }
}

function keyText(field: Field): Sql {
  if (field.kind === 'many') return keyText(field.one)
  const value = fieldValue(field)
  if (value.type === 'null') return sql`NULL`
  return sql`if(${existsCondition(value)}, ${toText[value.type](value.sql)}, NULL)`
}
