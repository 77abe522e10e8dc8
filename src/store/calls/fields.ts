import { unprocessable } from '../../contract/api-error.ts'
import { type ColumnField, type Field, type Fields, unknownField } from '../query/field.ts'
import { identifier, type Sql, sql } from '../query/sql.ts'
import { END_COLUMNS, KEY_COLUMNS, NAME_COLUMNS, START_COLUMNS } from './call-columns.ts'
import type { FieldType } from './column-codecs.ts'
import { documents } from './documents.ts'
import { FEEDBACK_FIELDS, feedbackOfCall } from './feedback-field.ts'
import type { ExtractedFields } from './extracted-fields.ts'
import type { RefJoins } from './ref-joins.ts'

/**
 * Resolves field names of queries on calls. `refJoins` resolves fields of referenced objects. With `extracted`, values
 * inside documents are read from the extracted fields.
 */
export function callFields(project_id: string, refJoins?: RefJoins, extracted?: ExtractedFields): Fields {
  return (path, raw, loc) => {
    const [name = '', ...rest] = path
    const field =
      computed.get(raw) ??
      refJoins?.find(path) ??
      (rest.length === 0 ? columns.get(name) : undefined) ??
      jsonField(name, rest, extracted) ??
      (name === 'feedback' ? feedbackOfCall(project_id, rest) : undefined)
    if (field !== undefined) return field
    if (/^(?:total_)?storage_size_bytes$/.test(name)) {
      throw unprocessable(loc ?? ['query'], `${raw} can be returned, but not filtered or sorted by`)
    }
    throw unknownField(raw, ALLOWED, loc)
  }
}

function nullColumn(type: 'String' | 'DateTime64'): Sql {
  return type === 'String'
    ? sql`CAST(NULL AS Nullable(String))`
    : sql`CAST(NULL AS Nullable(DateTime64(6, 'UTC')))`
}

const columns: ReadonlyMap<string, ColumnField> = new Map<string, ColumnField>([
  ...[KEY_COLUMNS, START_COLUMNS, END_COLUMNS, NAME_COLUMNS].flatMap(columnFields),
  // Deleted calls are never returned, and calls do not expire.
  ['deleted_at', { kind: 'column', type: 'time', sql: nullColumn('DateTime64'), unset: 'null' }],
  ['expire_at', { kind: 'column', type: 'time', sql: nullColumn('DateTime64'), unset: 'null' }],
])

function columnFields(
  table: Readonly<Record<string, { readonly field: FieldType | undefined }>>,
): [string, ColumnField][] {
  return Object.entries(table).flatMap(([name, { field }]): [string, ColumnField][] =>
    field === undefined ? [] : [[name, { kind: 'column', ...field, sql: identifier(name) }]],
  )
}

function jsonField(
  name: string,
  path: readonly string[],
  extracted: ExtractedFields | undefined,
): Field | undefined {
  // A call that was created from a span shows the span in its attributes, but stores it in `otel_dump`.
  if (name === 'attributes' && path[0] === 'otel_span') {
    const document = sql`if(otel_dump != '', otel_dump, JSONExtractRaw(attributes, 'otel_span'))`
    return { kind: 'json', document, path: path.slice(1) }
  }
  if (name === 'otel_dump') return { kind: 'json', document: identifier(name), path }
  const document = documents.get(name)
  if (document !== undefined && extracted !== undefined) return extracted.field([name, ...path])
  return document === undefined ? undefined : { kind: 'json', document, path }
}

/** In filters `descendant_error` takes precedence over `running`; in responses it is the other way round. */
export const STATUS = statusBy(sql`JSONExtractString(${documents.get('summary')!}, 'status_counts', 'error')`)

/** `errors` is the number of failed descendants, as text. */
export function statusBy(errors: Sql): Sql {
  return sql`multiIf(isNotNull(exception), 'error', toFloat64OrNull(${errors}) > 0, 'descendant_error', isNull(ended_at), 'running', 'success')`
}

export const LATENCY_MS = sql`intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)`

/** Extracts the short name from an op ref. */
const OP = '^weave:///[^/]+/[^/]+/op/([^/]+):[^/:]+$'
export const TRACE_NAME = sql`coalesce(nullIf(display_name, ''), nullIf(extract(op_name, ${OP}), ''), op_name)`

/** The short op name, without project and digest. */
export const OP_NAME = sql`coalesce(nullIf(extract(op_name, ${OP}), ''), op_name)`

const computed: ReadonlyMap<string, ColumnField> = new Map<string, ColumnField>([
  ['summary.weave.status', { kind: 'column', type: 'text', sql: STATUS, unset: 'never' }],
  ['summary.weave.latency_ms', { kind: 'column', type: 'int', sql: LATENCY_MS, unset: 'null' }],
  ['summary.weave.trace_name', { kind: 'column', type: 'text', sql: TRACE_NAME, unset: 'never' }],
  // Weave's annotation queues do not exist in Heddle, so no call is in one.
  [
    'annotation_queue_items.queue_id',
    { kind: 'column', type: 'text', sql: nullColumn('String'), unset: 'null' },
  ],
])

const ALLOWED = [
  ...columns.keys(),
  ...[...documents.keys()].map((name) => `${name}.*`),
  ...computed.keys(),
  ...FEEDBACK_FIELDS,
]
