import { z } from 'zod'
import { datetime, limit, nullableText, offset, projectId, recordId, sortByOneOf } from '../fields.ts'
import { MAX_QUEUE_ITEMS } from '../limits.ts'
import { refTo } from '../objects/ref-fields.ts'
import { operation } from '../operation.ts'
import { queueDescription, queueName } from './queues.ts'

/** Weave's operations on review queues, which it calls annotation queues. The id of an item is that of its call. */

const scorerRefs = z.array(refTo('object')).max(50).meta({
  description: 'Refs of the annotation specs to fill in; empty for all specs of the project.',
})

const queue = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  description: z.string(),
  scorer_refs: z.array(z.string()),
  created_at: datetime,
  created_by: z.string(),
  updated_at: datetime,
  deleted_at: datetime.nullable(),
})

export type AnnotationQueue = z.output<typeof queue>

const STATES = ['unstarted', 'in_progress', 'completed', 'skipped'] as const

const state = z.enum(STATES)

const item = z.object({
  id: z.string(),
  project_id: z.string(),
  queue_id: z.string(),
  call_id: z.string(),
  call_started_at: datetime,
  call_ended_at: datetime.nullable(),
  call_op_name: z.string(),
  call_trace_id: z.string(),
  display_fields: z.array(z.string()),
  added_by: z.string(),
  annotation_state: state,
  annotator_user_id: z
    .string()
    .nullable()
    .meta({ description: 'User who completed, holds or last skipped the item.' }),
  created_at: datetime,
  created_by: z.string(),
  updated_at: datetime,
  deleted_at: datetime.nullable(),
  position_in_queue: z
    .int()
    .nullable()
    .meta({ description: 'From 1, in the whole queue; only with `include_position`.' }),
})

export type AnnotationQueueItem = z.output<typeof item>

const itemsFilter = z.object({
  id: nullableText,
  call_id: nullableText,
  call_op_name: nullableText,
  call_trace_id: nullableText,
  added_by: nullableText,
  annotation_states: z.array(state).nullish(),
})

const queueFields = { project_id: projectId, queue_id: recordId }
const queueResponse = z.object({ queue })

export const annotationQueuesOperations = {
  annotation_queue_create: operation({
    path: '/annotation_queues',
    summary: 'Create a review queue.',
    access: 'write',
    request: z.object({
      project_id: projectId,
      name: queueName,
      description: queueDescription.nullish(),
      scorer_refs: scorerRefs,
      wb_user_id: nullableText,
    }),
    response: z.object({ id: z.string() }),
  }),
  annotation_queues_query: operation({
    path: '/annotation_queues/query',
    summary: 'Stream the review queues of a project as JSON lines, newest first.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      name: nullableText.meta({ description: 'Only queues whose name contains this text, in any case.' }),
      sort_by: sortByOneOf('created_at', 'updated_at', 'name', 'id', 'created_by'),
      limit,
      offset,
    }),
    response: queue,
    responseFormat: 'jsonl',
  }),
  annotation_queues_stats: operation({
    path: '/annotation_queues/stats',
    summary: 'Count the items of review queues. Unknown queues are omitted.',
    access: 'read',
    request: z.object({ project_id: projectId, queue_ids: z.array(z.string()) }),
    response: z.object({
      stats: z.array(
        z.object({
          queue_id: z.string(),
          total_items: z.int(),
          completed_items: z
            .int()
            .meta({ description: 'Number of items that someone has completed or skipped.' }),
        }),
      ),
    }),
  }),
  annotation_queue_read: operation({
    method: 'GET',
    path: '/annotation_queues/{queue_id}',
    summary: 'Read a review queue.',
    access: 'read',
    errors: ['not_found'],
    request: z.object(queueFields),
    response: queueResponse,
  }),
  annotation_queue_update: operation({
    method: 'PUT',
    path: '/annotation_queues/{queue_id}',
    summary: 'Update the name, description or scores of a review queue. Omitted fields keep their value.',
    access: 'write',
    errors: ['not_found'],
    request: z.object({
      ...queueFields,
      name: queueName.nullish(),
      description: queueDescription.nullish(),
      scorer_refs: scorerRefs.nullish(),
    }),
    response: queueResponse,
  }),
  annotation_queue_delete: operation({
    method: 'DELETE',
    path: '/annotation_queues/{queue_id}',
    summary: 'Delete a review queue. Feedback on its calls is kept.',
    access: 'write',
    errors: ['not_found'],
    request: z.object(queueFields),
    response: queueResponse,
  }),
  annotation_queue_add_calls: operation({
    path: '/annotation_queues/{queue_id}/items',
    summary:
      'Add calls to a review queue. Calls already in the queue are left unchanged, unknown ids ignored.',
    access: 'write',
    errors: ['not_found', 'conflict'],
    request: z.object({
      ...queueFields,
      call_ids: z.array(recordId).max(MAX_QUEUE_ITEMS),
      display_fields: z
        .array(z.string().max(1_000))
        .max(100)
        .meta({ description: 'Paths of the calls to show to reviewers.' }),
    }),
    response: z.object({ added_count: z.int(), duplicates: z.int() }),
  }),
  annotation_queue_items_query: operation({
    path: '/annotation_queues/{queue_id}/items/query',
    summary: 'List items of a review queue, by default in its order. Items of deleted calls are omitted.',
    access: 'read',
    errors: ['not_found'],
    request: z.object({
      ...queueFields,
      filter: itemsFilter.nullish(),
      sort_by: sortByOneOf(
        'created_at',
        'updated_at',
        'id',
        'call_id',
        'call_started_at',
        'call_ended_at',
        'call_op_name',
        'call_trace_id',
        'added_by',
        'annotation_state',
      ),
      limit,
      offset,
      include_position: z.boolean().nullish(),
    }),
    response: z.object({ items: z.array(item) }),
  }),
  annotation_queue_item_progress: operation({
    path: '/annotation_queues/{queue_id}/items/{item_id}/progress',
    summary:
      'Set the state of an item of a review queue. `in_progress` claims it for three minutes, every other state releases it.',
    access: 'write',
    errors: ['not_found', 'conflict'],
    request: z.object({ ...queueFields, item_id: recordId, annotation_state: state }),
    response: z.object({ item }),
  }),
}
