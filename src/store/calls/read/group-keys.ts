import { splitPath } from '../../../core/query/path.ts'
import { toFloat, toText } from '../../query/casts.ts'
import type { Field, Fields } from '../../query/field.ts'
import { existsCondition, fieldValue } from '../../query/value.ts'
import { join, type Sql, sql } from '../../query/sql.ts'
import { callFields, type FieldSources } from './field-resolver.ts'
import { isTraceField } from './trace-fields.ts'
import { STATUS, statusBy } from '../columns/named-fields.ts'
import { ExtractedFields } from './extracted-fields.ts'

/** A key that calls are grouped by, as text; NULL for calls without the value. */
export interface GroupKey {
  /** Read from extracted fields and other narrow columns. */
  readonly extracted: Sql
  /** Read from documents; needed where `needsDocuments` holds, because `extracted` may be wrong there. */
  readonly exact: Sql
  readonly needsDocuments: Sql | undefined
  /** Traces have the value if any of their calls has it (trace-fields.ts). */
  readonly isOfTrace?: boolean
}

/** Any field of the query language is a key. `model` is not, because a call may have used several models. */
export function groupKey(
  project_id: string,
  name: string,
  timezone: string,
  sources: FieldSources = {},
): GroupKey {
  switch (name) {
    case 'day':
      return columnKey(sql`toString(toDate32(toTimeZone(started_at, ${timezone})))`)
    case 'status':
    case 'summary.weave.status':
      return statusKey()
    default:
      return { ...fieldKey(project_id, name, sources), isOfTrace: isTraceField(name) }
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

function fieldKey(project_id: string, name: string, sources: FieldSources): GroupKey {
  const path = splitPath(name, ['group_by'])
  return readKey(project_id, sources, (fields) => keyText(fields(path, name)))
}

/** The number of a field, to aggregate it: 1 and 0 for true and false, NULL for calls without a number. */
export function numberKey(project_id: string, name: string, sources: FieldSources): GroupKey {
  const path = splitPath(name, ['measures'])
  return readKey(project_id, sources, (fields) => keyNumber(fields(path, name, ['measures'])))
}

/** 1 for calls that have the field, otherwise NULL. */
export function presenceKey(project_id: string, name: string, sources: FieldSources): GroupKey {
  const path = splitPath(name, ['measures'])
  return readKey(project_id, sources, (fields) => {
    const field = fields(path, name, ['measures'])
    const value = fieldValue(field.kind === 'many' ? field.one : field)
    return sql`if(${existsCondition(value)}, 1, NULL)`
  })
}

function readKey(project_id: string, sources: FieldSources, read: (fields: Fields) => Sql): GroupKey {
  const extractedFields = new ExtractedFields()
  const extracted = read(callFields(project_id, sources, extractedFields))
  if (extractedFields.isEmpty) return columnKey(extracted)
  const exact = read(callFields(project_id, sources))
  return { extracted, exact, needsDocuments: extractedFields.needsDocuments() }
}

/** The values of these fields, by name. */
export function fieldValues(project_id: string, names: readonly string[], sources: FieldSources): Sql {
  const fields = callFields(project_id, sources)
  const entries = names.map((name, i) => {
    const field = fields(splitPath(name, ['fields', i]), name, ['fields', i])
    const value = field.kind === 'many' && field.all !== undefined ? toText.array(field.all) : keyText(field)
    return sql`${name}, CAST(${value} AS Nullable(String))`
  })
  return sql`map(${join(entries, ', ')})`
}

function keyNumber(field: Field): Sql {
  if (field.kind === 'many') return keyNumber(field.one)
  const value = fieldValue(field)
  const number =
    value.type === 'text'
      ? toFloat.text(sql`transform(ifNull(${value.sql}, ''), ['true', 'false'], ['1', '0'])`)
      : toFloat[value.type](value.sql)
  // Text may be `nan` or `inf`, which no aggregate survives.
  return sql`arrayMap(number -> if(isFinite(number), number, NULL), [CAST(${number} AS Nullable(Float64))])[1]`
}

function keyText(field: Field): Sql {
  if (field.kind === 'many') return keyText(field.one)
  const value = fieldValue(field)
  if (value.type === 'null') return sql`NULL`
  // The value of a column is NULL if there is none.
  if (field.kind === 'column' && field.type !== 'array') return toText[value.type](value.sql)
  return sql`if(${existsCondition(value)}, ${toText[value.type](value.sql)}, NULL)`
}
