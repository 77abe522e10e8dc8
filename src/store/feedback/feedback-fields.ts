import { type ColumnField, type Field, type Fields, type JsonField, unknownField } from '../query/field.ts'
import { identifier, sql } from '../query/sql.ts'

/** Resolves field names of feedback in queries, in `sort_by` and in `fields`. */

function text(name: string, unset: ColumnField['unset'] = 'never'): [string, ColumnField] {
  return [name, { kind: 'column', type: 'text', sql: identifier(name), unset }]
}

/** In the order of a record in responses. */
const COLUMNS: ReadonlyMap<string, Field> = new Map<string, Field>([
  text('id'),
  text('project_id'),
  text('weave_ref'),
  text('wb_user_id'),
  text('creator', 'null'),
  ['created_at', { kind: 'column', type: 'time', sql: identifier('created_at'), unset: 'never' }],
  text('feedback_type'),
  ['payload', document('payload')],
  text('annotation_ref', 'null'),
  text('runnable_ref', 'null'),
  text('call_ref', 'null'),
  text('trigger_ref', 'null'),
  text('queue_id', 'null'),
  ['scorer_tags', { kind: 'column', type: 'array', sql: identifier('scorer_tags'), unset: 'empty' }],
  ['scorer_tag_reasons', document('scorer_tag_reasons')],
  ['scorer_tag_confidences', document('scorer_tag_confidences')],
  ['scorer_ratings', document('scorer_ratings')],
  ['scorer_rating_reasons', document('scorer_rating_reasons')],
  ['scorer_rating_confidences', document('scorer_rating_confidences')],
  text('span_agent_name', 'empty'),
  text('span_agent_version', 'empty'),
  text('span_status_code'),
  text('span_conversation_id', 'empty'),
  text('span_trace_id', 'empty'),
  text('scorer_trace_id', 'empty'),
])

export const FEEDBACK_COLUMNS: readonly string[] = [...COLUMNS.keys()]

/** The name of `weave_ref` in the specification. */
export const ITEM_REF = 'item_ref'

/** Values are compared by their JSON type, so that a filter finds what `fields` returns: `"3"` is not 3. */
function document(name: string): JsonField {
  const isPayload = name === 'payload'
  const readable = sql`if(payload_normalized = '', payload, payload_normalized)`
  return {
    kind: 'json',
    document: isPayload ? readable : identifier(name),
    path: [],
    byType: { isNormalized: isPayload ? sql`payload_normalized != ''` : undefined },
  }
}

export function findFeedbackField(path: readonly string[]): Field | undefined {
  const [name = '', ...rest] = path
  const field = COLUMNS.get(name === ITEM_REF ? 'weave_ref' : name)
  if (field?.kind === 'json') return { ...field, path: rest }
  return rest.length === 0 ? field : undefined
}

export const feedbackFields: Fields = (path, raw, loc) => {
  const field = findFeedbackField(path)
  if (field === undefined) throw unknownField(raw, [...FEEDBACK_COLUMNS, ITEM_REF, 'payload.<key>'], loc)
  return field
}
