import { unprocessable } from '../../contract/api-error.ts'
import { type ColumnField, type Field, type Fields, unknownField } from '../query/field.ts'
import { identifier, type Sql, sql } from '../query/sql.ts'
import { documents } from './documents.ts'
import { FEEDBACK_FIELDS, feedbackOfCall } from './feedback-field.ts'
import type { PulledOut } from './extracted-fields.ts'
import type { RefHops } from './ref-joins.ts'

/**
 * What the names in a query about calls mean. `hops` knows those that lie behind refs; with `pulledOut` values inside
 * documents are read from what was pulled out of them.
 */
export function callFields(project_id: string, hops?: RefHops, pulledOut?: PulledOut): Fields {
  return (path, raw) => {
    const [name = '', ...rest] = path
    const field =
      computed.get(raw) ??
      hops?.find(path) ??
      (rest.length === 0 ? columns.get(name) : undefined) ??
      jsonField(name, rest, pulledOut) ??
      (name === 'feedback' ? feedbackOfCall(project_id, rest) : undefined)
    if (field !== undefined) return field
    if (/^(?:total_)?storage_size_bytes$/.test(name)) {
      throw unprocessable(['query'], `${raw} can be shown, but neither filtered nor sorted by`)
    }
    throw unknownField(raw, ALLOWED)
  }
}

function column(name: string, type: ColumnField['type'], unset: ColumnField['unset']): [string, ColumnField] {
  return [name, { kind: 'column', type, sql: identifier(name), unset }]
}

function never(type: 'String' | 'DateTime64'): Sql {
  return type === 'String'
    ? sql`CAST(NULL AS Nullable(String))`
    : sql`CAST(NULL AS Nullable(DateTime64(6, 'UTC')))`
}

const columns: ReadonlyMap<string, ColumnField> = new Map([
  column('id', 'text', 'never'),
  column('project_id', 'text', 'never'),
  column('trace_id', 'text', 'never'),
  column('parent_id', 'text', 'empty'),
  column('thread_id', 'text', 'empty'),
  column('turn_id', 'text', 'empty'),
  column('op_name', 'text', 'never'),
  column('display_name', 'text', 'empty'),
  column('started_at', 'time', 'never'),
  column('ended_at', 'time', 'null'),
  column('exception', 'text', 'null'),
  column('wb_user_id', 'text', 'empty'),
  column('wb_run_id', 'text', 'empty'),
  column('wb_run_step', 'int', 'null'),
  column('wb_run_step_end', 'int', 'null'),
  column('input_refs', 'array', 'empty'),
  column('output_refs', 'array', 'empty'),
  column('otel_dump', 'text', 'empty'),
  // Deleted calls are never seen and calls do not expire.
  ['deleted_at', { kind: 'column', type: 'time', sql: never('DateTime64'), unset: 'null' }],
  ['expire_at', { kind: 'column', type: 'time', sql: never('DateTime64'), unset: 'null' }],
])

function jsonField(
  name: string,
  path: readonly string[],
  pulledOut: PulledOut | undefined,
): Field | undefined {
  // A call that came as a span shows it in its attributes, but keeps it apart.
  if (name === 'attributes' && path[0] === 'otel_span') {
    const document = sql`if(otel_dump != '', otel_dump, JSONExtractRaw(attributes, 'otel_span'))`
    return { kind: 'json', document, path: path.slice(1) }
  }
  if (name === 'otel_dump') return { kind: 'json', document: identifier(name), path }
  const document = documents.get(name)
  if (document !== undefined && pulledOut !== undefined) return pulledOut.field([name, ...path])
  return document === undefined ? undefined : { kind: 'json', document, path }
}

/** In a filter a failed descendant counts before "still running"; what a reader is shown asks the other way round. */
export const STATUS = statusBy(sql`JSONExtractString(${documents.get('summary')!}, 'status_counts', 'error')`)

/** By the text of how many calls below it failed. */
export function statusBy(errors: Sql): Sql {
  return sql`multiIf(isNotNull(exception), 'error', toFloat64OrNull(${errors}) > 0, 'descendant_error', isNull(ended_at), 'running', 'success')`
}

export const LATENCY_MS = sql`intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)`

/** The short name in the ref of an op, or the name as it is. */
const OP = '^weave:///[^/]+/[^/]+/op/([^/]+):[^/:]+$'
export const TRACE_NAME = sql`coalesce(nullIf(display_name, ''), nullIf(extract(op_name, ${OP}), ''), op_name)`

/** An op as people call it, without its project and its digest. */
export const OP_NAME = sql`coalesce(nullIf(extract(op_name, ${OP}), ''), op_name)`

const computed: ReadonlyMap<string, ColumnField> = new Map<string, ColumnField>([
  ['summary.weave.status', { kind: 'column', type: 'text', sql: STATUS, unset: 'never' }],
  ['summary.weave.latency_ms', { kind: 'column', type: 'int', sql: LATENCY_MS, unset: 'null' }],
  ['summary.weave.trace_name', { kind: 'column', type: 'text', sql: TRACE_NAME, unset: 'never' }],
  // There are no annotation queues here, so no call is in one.
  ['annotation_queue_items.queue_id', { kind: 'column', type: 'text', sql: never('String'), unset: 'null' }],
])

const ALLOWED = [
  ...columns.keys(),
  ...[...documents.keys()].map((name) => `${name}.*`),
  ...computed.keys(),
  ...FEEDBACK_FIELDS,
]
