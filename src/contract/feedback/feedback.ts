import { z } from 'zod'
import {
  datetime,
  emptyResponse,
  limit,
  nullableText,
  offset,
  projectId,
  recordId,
  sortByFields,
} from '../fields.ts'
import { MISSING_FIELD } from '../api-error.ts'
import { refTo } from '../objects/ref-fields.ts'
import { operation } from '../operation.ts'
import { FEEDBACK_FIELDS, feedbackQuery, fieldName, purgeQuery } from '../query.ts'
import { rawObject } from '../raw-json.ts'

/** Feedback: reactions, notes, annotations and scores on calls and objects. */

const scoreMap = rawObject.nullish()
const itemRef = refTo('call', 'object', 'op', 'other')

const feedbackFields = {
  project_id: projectId,
  weave_ref: itemRef.nullish().meta({
    description: 'Ref of the call or object that the feedback is about. Required unless `item_ref` is set.',
  }),
  item_ref: itemRef.nullish().meta({ description: 'Alias of `weave_ref`.' }),
  feedback_type: z.string().min(1),
  payload: rawObject,
  creator: nullableText,
  annotation_ref: refTo('object').nullish(),
  runnable_ref: refTo('op', 'object').nullish().meta({ description: 'Ref of the scorer.' }),
  call_ref: refTo('call').nullish().meta({ description: 'Ref of the call of the scorer.' }),
  trigger_ref: refTo('object').nullish(),
  queue_id: nullableText,
  scorer_tags: z.array(z.string()).nullish(),
  scorer_tag_reasons: scoreMap,
  scorer_tag_confidences: scoreMap,
  scorer_ratings: scoreMap,
  scorer_rating_reasons: scoreMap,
  scorer_rating_confidences: scoreMap,
  span_agent_name: nullableText,
  span_agent_version: nullableText,
  span_status_code: nullableText,
  span_conversation_id: nullableText,
  span_trace_id: nullableText,
  scorer_trace_id: nullableText,
  wb_user_id: nullableText.meta({ description: 'Ignored: the server sets it to the caller.' }),
}

function hasRef(request: {
  weave_ref?: string | null | undefined
  item_ref?: string | null | undefined
}): boolean {
  return (request.weave_ref ?? request.item_ref ?? undefined) !== undefined
}

const missingRef = {
  path: ['item_ref'],
  error: `${MISSING_FIELD}: the ref that the feedback is about, here or in weave_ref`,
}

/** The same rule for the OpenAPI document. */
const oneRef = {
  anyOf: ['item_ref', 'weave_ref'].map((name) => ({
    required: [name],
    properties: { [name]: { type: 'string' } },
  })),
}

const feedbackCreate = z
  .object({ ...feedbackFields, id: recordId.nullish() })
  .refine(hasRef, missingRef)
  .meta(oneRef)

export type FeedbackCreate = z.output<typeof feedbackCreate>

const feedbackStored = z.object({
  id: z.string(),
  created_at: datetime,
  wb_user_id: z.string(),
  payload: rawObject,
})

export type FeedbackStored = z.output<typeof feedbackStored>

export const feedbackOperations = {
  feedback_create: operation({
    path: '/feedback/create',
    summary:
      'Create feedback on a call or object. If the id exists, the stored feedback is returned unchanged.',
    access: 'write',
    request: feedbackCreate,
    response: feedbackStored,
  }),
  feedback_create_batch: operation({
    path: '/feedback/batch/create',
    summary: 'Create several feedback records atomically.',
    access: 'write',
    storesRecords: true,
    request: z.object({ batch: z.array(feedbackCreate) }),
    response: z.object({ res: z.array(feedbackStored) }),
    projects: (request) => [...new Set(request.batch.map((item) => item.project_id))],
  }),
  feedback_replace: operation({
    path: '/feedback/replace',
    summary: 'Replace the feedback with the given id.',
    access: 'write',
    request: z
      .object({ ...feedbackFields, feedback_id: recordId })
      .refine(hasRef, missingRef)
      .meta(oneRef),
    response: feedbackStored,
  }),
  feedback_query: operation({
    path: '/feedback/query',
    summary: 'List the feedback of a project.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      fields: z.array(fieldName(FEEDBACK_FIELDS)).nullish().meta({
        description:
          'Default: all columns and `item_ref`, without scorer, span and queue columns that are empty in all records. A path such as `payload.score` returns the value as stored, null if it is missing. `count(*)`, alone, counts the records.',
      }),
      query: feedbackQuery.nullish(),
      sort_by: sortByFields(FEEDBACK_FIELDS),
      limit,
      offset,
    }),
    response: z.object({ result: z.array(z.record(z.string(), z.unknown())), total_count: z.int() }),
  }),
  feedback_purge: operation({
    path: '/feedback/purge',
    summary: 'Delete feedback by id.',
    access: 'write',
    deletes: true,
    request: z.object({ project_id: projectId, query: purgeQuery }),
    response: emptyResponse,
  }),
}
