import { type FieldName, NAMED_FIELDS } from '../../../contract/calls/call-fields.ts'
import type { ColumnField, Field, ManyField } from '../../query/field.ts'
import { identifier, type Sql, sql } from '../../query/sql.ts'
import { documents } from './documents.ts'

/** The SQL of the named fields of calls (src/contract/calls/call-fields.ts). */

/** An empty text is not an exception: SDKs send it for calls that succeeded. Reads return it as sent. */
export const HAS_EXCEPTION = sql`ifNull(exception, '') != ''`

/** In filters `descendant_error` takes precedence over `running`; in responses it is the other way round. */
export const STATUS = statusBy(sql`JSONExtractString(${documents.get('summary')!}, 'status_counts', 'error')`)

/** `errors` is the number of failed descendants, as text. */
export function statusBy(errors: Sql): Sql {
  return sql`multiIf(${HAS_EXCEPTION}, 'error', toFloat64OrNull(${errors}) > 0, 'descendant_error', isNull(ended_at), 'running', 'success')`
}

export const LATENCY_MS = sql`intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)`

/** Extracts the short name from an op ref. */
const OP = '^weave:///[^/]+/[^/]+/op/([^/]+):[^/:]+$'
export const TRACE_NAME = sql`coalesce(nullIf(display_name, ''), nullIf(extract(op_name, ${OP}), ''), op_name)`

/** The short op name, without project and digest. */
export const OP_NAME = sql`coalesce(nullIf(extract(op_name, ${OP}), ''), op_name)`

/** An Array(String) column with the values of a list field. */
interface ListColumn {
  readonly kind: 'list'
  readonly sql: Sql
}

type Name = Exclude<FieldName, 'cost' | 'note' | 'reaction'>

const column = (type: ColumnField['type'], value: Sql, unset: ColumnField['unset']): ColumnField => ({
  kind: 'column',
  type,
  sql: value,
  unset,
})
const optional = (name: string): ColumnField => column('text', identifier(name), 'empty')
const count = (name: string): ColumnField => column('int', identifier(name), 'null')
const list = (name: string): ListColumn => ({ kind: 'list', sql: identifier(name) })

const COLUMNS: Readonly<Record<Name, ColumnField | ListColumn>> = {
  status: column('text', STATUS, 'never'),
  latency: column('int', LATENCY_MS, 'null'),
  name: column('text', TRACE_NAME, 'never'),
  op: column('text', OP_NAME, 'never'),
  error: column('text', sql`exception`, 'null'),
  error_type: optional('field_error_type'),
  model: list('field_model'),
  provider: optional('field_provider'),
  input_tokens: count('field_input_tokens'),
  output_tokens: count('field_output_tokens'),
  total_tokens: count('field_total_tokens'),
  time_to_first_token: column('float', sql`field_time_to_first_token`, 'null'),
  tags: list('field_tags'),
  user: optional('wb_user_id'),
  sent_by: optional('sent_by'),
  end_user: optional('field_end_user'),
  session: optional('field_session'),
  environment: optional('field_environment'),
  started: column('time', sql`started_at`, 'never'),
  ended: column('time', sql`ended_at`, 'null'),
  thread: optional('thread_id'),
  trace: column('text', sql`trace_id`, 'never'),
  parent: optional('parent_id'),
}

const columns = new Map<string, ColumnField | ListColumn>(Object.entries(COLUMNS))

/** Fields by their Weave path, which have the same value as the named ones. */
const names = new Map<string, string>(
  NAMED_FIELDS.flatMap((field) => ('path' in field ? [[field.path, field.name]] : [])),
)

/** Undefined if there is no field of this name, and for feedback and costs. */
export function namedField(name: string): Field | undefined {
  const found = columns.get(names.get(name) ?? name)
  return found?.kind === 'list' ? listField(found.sql) : found
}

/** A condition holds if it holds for any item. Calls are sorted and grouped by the first item. */
function listField(items: Sql): ManyField {
  return {
    kind: 'many',
    each: { kind: 'column', type: 'text', sql: sql`item`, unset: 'never' },
    one: { kind: 'column', type: 'text', sql: sql`${items}[1]`, unset: 'empty' },
    all: items,
    matches: (condition) => sql`arrayExists(item -> ifNull(${condition}, 0), ${items})`,
  }
}

/** The fields as columns of the SQL view `calls`, except those that it has under the same name already. */
export function viewColumns(except: readonly string[]): Sql[] {
  return [...columns].flatMap(([name, field]) => {
    if (except.includes(name)) return []
    const value =
      field.kind === 'list'
        ? sql`CAST(${field.sql} AS Array(String))`
        : field.unset === 'empty'
          ? sql`nullIf(CAST(${field.sql} AS Nullable(String)), '')`
          : field.sql
    return [sql`${value} AS ${identifier(name)}`]
  })
}
