import { z } from 'zod'
import { CALL_COLUMN_NAMES, NAMED_FIELDS, SCORE_FIELDS } from './calls/call-fields.ts'
import { SPAN_FIELDS as SPAN_FIELD_NAMES } from './agents/span-fields.ts'
import { rawJson } from './raw-json.ts'

/**
 * The fields that queries and sort orders may name, by resource, and the `query` of a request. The names are described
 * here, for the OpenAPI document; src/store resolves them, and a unit test compares the two.
 */
export interface QueryFields {
  /** Fields without a path into them. */
  readonly columns: readonly string[]
  /** JSON documents; a path into one is part of the field name. */
  readonly documents: readonly string[]
  /** Objects that are not fields themselves, but whose members are. */
  readonly objects?: readonly string[]
  /** `feedback.[type].payload.path` and the like: the feedback on a call. */
  readonly feedback?: readonly string[]
}

export const CALL_FIELDS: QueryFields = {
  columns: [...CALL_COLUMN_NAMES, ...NAMED_FIELDS.map(({ name }) => name)],
  documents: ['attributes', 'inputs', 'output', 'summary', 'otel_dump'],
  objects: [SCORE_FIELDS],
  feedback: ['payload', 'runnable_ref', 'trigger_ref'],
}

export const FEEDBACK_FIELDS: QueryFields = {
  columns: [
    'id',
    'project_id',
    'weave_ref',
    'item_ref',
    'wb_user_id',
    'creator',
    'created_at',
    'feedback_type',
    'annotation_ref',
    'runnable_ref',
    'call_ref',
    'trigger_ref',
    'queue_id',
    'scorer_tags',
    'span_agent_name',
    'span_agent_version',
    'span_status_code',
    'span_conversation_id',
    'span_trace_id',
    'scorer_trace_id',
  ],
  documents: [
    'payload',
    'scorer_tag_reasons',
    'scorer_tag_confidences',
    'scorer_ratings',
    'scorer_rating_reasons',
    'scorer_rating_confidences',
  ],
}

export const COST_FIELDS: QueryFields = {
  columns: [
    'id',
    'llm_id',
    'prompt_token_cost',
    'completion_token_cost',
    'cache_read_input_token_cost',
    'cache_creation_input_token_cost',
    'prompt_token_cost_unit',
    'completion_token_cost_unit',
    'effective_date',
    'provider_id',
    'pricing_level',
    'created_by',
    'created_at',
  ],
  documents: [],
}

/** Fields of `eval_results/query`. */
export const EVALUATION_FIELDS: QueryFields = {
  columns: ['row_digest'],
  documents: [],
  objects: ['scores', 'inputs', 'output'],
}

/** Spans, as Weave's API for agents names their fields. */
export const SPAN_FIELDS: QueryFields = { columns: SPAN_FIELD_NAMES, documents: [] }

/** A key or an array index in a path: `\.` is a dot in a key; negative indexes are rejected. */
const PATH_PART = String.raw`(?!-[0-9]+(?:\.|$))(?:\\\.|[^.])+`
const NEXT_PART = String.raw`\.${PATH_PART}`

/** A path into a document, such as `inputs.model`. */
export const fieldPath = z.string().meta({ pattern: `^${PATH_PART}(?:${NEXT_PART})*$` })

/** The pattern of a field name, in the syntax that all JSON Schema validators read. */
export function fieldPattern(fields: QueryFields): string {
  return `^${fieldNames(fields)}$`
}

/** The same without the start and end of the text, as a part of larger patterns. */
export function fieldNames({ columns, documents, objects = [], feedback }: QueryFields): string {
  const path = `(?:${NEXT_PART})*`
  const names = [
    ...columns.map((name) => name.replaceAll('.', String.raw`\.`)),
    ...documents.map((name) => name + path),
    ...objects.map((name) => name + NEXT_PART + path),
    ...(feedback === undefined ? [] : [feedbackPattern(feedback, path)]),
  ]
  return `(?:${names.join('|')})`
}

function feedbackPattern(names: readonly string[], path: string): string {
  const fields = names.map((name) => (name === 'payload' ? name + path : name))
  return String.raw`feedback\.\[[^\]]+\]\.(?:${fields.join('|')})`
}

/** A field name in `sort_by` or `fields`. */
export function fieldName(fields: QueryFields) {
  return z.string().meta({ pattern: fieldPattern(fields) })
}

/**
 * A query. It is kept as bytes, because the spelling of its literals matters; core/query/parse.ts reads it, and
 * src/http/docs/query-schema.ts describes it in a component of the OpenAPI document.
 */
function query(component: string, description: string) {
  return rawJson.meta({ $ref: `#/components/schemas/${component}`, description })
}

export const callQuery = query('CallQuery', 'Condition over fields of calls; see Queries.')
export const feedbackQuery = query('FeedbackQuery', 'Condition over fields of feedback; see Queries.')
export const costQuery = query('CostQuery', 'Condition over fields of prices; see Queries.')
export const evaluationQuery = query(
  'EvaluationQuery',
  'Condition over `scores.*`, `inputs.*`, `output.*` and `row_digest`; see Queries.',
)
export const spanQuery = query('SpanQuery', 'Condition over fields of spans; see Queries.')
export const purgeQuery = query('PurgeQuery', 'The ids of the records to delete.')
