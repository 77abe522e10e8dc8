import { SPAN_FIELDS, type SpanField } from '../../contract/agents/span-fields.ts'
import { splitPath } from '../../core/query/path.ts'
import { type ColumnField, type Field, type Fields, unknownField } from '../query/field.ts'
import { type Sql, sql } from '../query/sql.ts'
import { HAS_EXCEPTION } from '../calls/columns/named-fields.ts'
import { toText } from '../query/casts.ts'
import { existsCondition, fieldValue } from '../query/value.ts'

/** The fields of spans, by the field of the call that has the value. */

const PATHS: Readonly<Record<Exclude<SpanField, 'span_id' | 'parent_span_id' | 'status_code'>, string>> = {
  trace_id: 'trace_id',
  span_name: 'attributes.otel.name',
  span_kind: 'attributes.otel.kind',
  status_message: 'attributes.otel.status.message',
  error_type: 'attributes.error.type',
  operation_name: 'attributes.gen_ai.operation_name',
  provider_name: 'attributes.provider',
  agent_name: 'attributes.agent.name',
  agent_id: 'attributes.agent.id',
  agent_version: 'attributes.agent.version',
  agent_description: 'attributes.agent.description',
  request_model: 'attributes.model_requested',
  response_id: 'attributes.response_id',
  conversation_id: 'thread_id',
  conversation_name: 'attributes.gen_ai.conversation.name',
  tool_name: 'attributes.tool.name',
  tool_type: 'attributes.tool.type',
  tool_call_id: 'attributes.tool.call_id',
  parent_call_id: 'attributes.weave.parent_call.id',
  parent_call_trace_id: 'attributes.weave.parent_call.trace_id',
  wb_user_id: 'wb_user_id',
  wb_run_id: 'wb_run_id',
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
  started_at: 'started_at',
  ended_at: 'ended_at',
}

const paths: ReadonlyMap<string, string> = new Map(Object.entries(PATHS))

/** A call id is half a trace id and the span id (src/otlp/call-id.ts). */
const HALF = 16
const SPAN_ID = sql`substring(id, ${HALF + 1})`
/** A parent that is not a span of the same trace is a call of an SDK. */
const PARENT_SPAN_ID = sql`if(startsWith(parent_id, left(id, ${HALF})), substring(parent_id, ${HALF + 1}), '')`

/** Resolves the names of fields of spans with the fields of calls. */
export function spanFields(fields: Fields): Fields {
  const read = (name: string): Field => fields(splitPath(name), name)
  return (_path, raw, loc) => {
    if (raw === 'span_id') return text(SPAN_ID, 'never')
    if (raw === 'parent_span_id') return text(PARENT_SPAN_ID, 'empty')
    if (raw === 'status_code') return text(statusCode(read('attributes.otel.status.code')), 'never')
    const path = paths.get(raw)
    if (path === undefined) throw unknownField(raw, SPAN_FIELDS, loc)
    return read(path)
  }
}

function text(value: Sql, unset: ColumnField['unset']): ColumnField {
  return { kind: 'column', type: 'text', sql: value, unset }
}

/** A span that has only recorded an exception has failed, as its call has. */
function statusCode(field: Field): Sql {
  const value = fieldValue(field.kind === 'many' ? field.one : field)
  const sent = sql`if(${existsCondition(value)}, ifNull(${toText[value.type](value.sql)}, 'UNSET'), 'UNSET')`
  return sql`if(${HAS_EXCEPTION}, 'ERROR', ${sent})`
}
