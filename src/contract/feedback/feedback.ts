import { z } from 'zod'
import { datetime, emptyAnswer, limit, nullableText, offset, projectId, recordId, sortBy } from '../fields.ts'
import { operation } from '../operation.ts'
import { rawJson, rawObject } from '../raw-json.ts'

const scores = rawObject.nullish()

const record = {
  project_id: projectId,
  weave_ref: z
    .string()
    .min(1)
    .nullish()
    .meta({ description: 'what the feedback is about; or send `item_ref`' }),
  item_ref: z.string().min(1).nullish().meta({ description: 'another name of `weave_ref`' }),
  feedback_type: z.string().min(1),
  payload: rawObject,
  creator: nullableText,
  annotation_ref: nullableText,
  runnable_ref: nullableText,
  call_ref: nullableText,
  trigger_ref: nullableText,
  queue_id: nullableText,
  scorer_tags: z.array(z.string()).nullish(),
  scorer_tag_reasons: scores,
  scorer_tag_confidences: scores,
  scorer_ratings: scores,
  scorer_rating_reasons: scores,
  scorer_rating_confidences: scores,
  span_agent_name: nullableText,
  span_agent_version: nullableText,
  span_status_code: nullableText,
  span_conversation_id: nullableText,
  span_trace_id: nullableText,
  scorer_trace_id: nullableText,
  wb_user_id: nullableText.meta({ description: 'never taken from here: the server fills it in' }),
}

function hasRef(request: {
  weave_ref?: string | null | undefined
  item_ref?: string | null | undefined
}): boolean {
  return (request.weave_ref ?? request.item_ref ?? undefined) !== undefined
}

const oneRef = { path: ['item_ref'], error: 'field required: the ref this feedback is about (or weave_ref)' }

const feedbackCreate = z.object({ ...record, id: recordId.nullish() }).refine(hasRef, oneRef)

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
      'Stores feedback about a call or an object; under an id that is taken, it answers what is there.',
    access: 'write',
    request: feedbackCreate,
    response: feedbackStored,
  }),
  feedback_create_batch: operation({
    path: '/feedback/batch/create',
    summary: 'Stores several feedback records at once: all of them or none.',
    access: 'write',
    request: z.object({ batch: z.array(feedbackCreate) }),
    response: z.object({ res: z.array(feedbackStored) }),
    projects: (request) => [...new Set(request.batch.map((item) => item.project_id))],
  }),
  feedback_replace: operation({
    path: '/feedback/replace',
    summary: 'Stores feedback under the given id, in place of what was there.',
    access: 'write',
    request: z.object({ ...record, feedback_id: recordId }).refine(hasRef, oneRef),
    response: feedbackStored,
  }),
  feedback_query: operation({
    path: '/feedback/query',
    summary: 'Lists feedback of a project.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      fields: z.array(z.string()).nullish(),
      query: rawJson.nullish(),
      sort_by: sortBy,
      limit,
      offset,
    }),
    response: z.object({ result: z.array(z.record(z.string(), z.unknown())), total_count: z.int() }),
  }),
  feedback_purge: operation({
    path: '/feedback/purge',
    summary: 'Removes feedback by id.',
    access: 'write',
    request: z.object({ project_id: projectId, query: rawJson }),
    response: emptyAnswer,
  }),
}
