import { z } from 'zod'
import { callsFilter } from '../calls/calls-filter.ts'
import { datetime, emptyResponse, recordId, requestTime } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { callQuery } from '../query.ts'

/** Review queues: calls that several people annotate, each call by one person at a time. */

export const queueName = z.string().min(1).max(200)
export const queueDescription = z.string().max(4000)
const scores = z.array(z.string().min(1).max(256)).max(50).meta({
  description: 'Names of the annotation specs to fill in; empty for all specs of the project.',
})

const progress = {
  total: z.int(),
  done: z.int(),
  skipped: z.int().meta({ description: 'Number of open items that the caller has skipped.' }),
}

const queue = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  scores: z.array(z.string()),
  created_by: z.string(),
  created_at: datetime,
  ...progress,
})

export type Queue = z.output<typeof queue>

const item = z.object({
  call_id: z.string(),
  added_by: z.string(),
  added_at: datetime,
  done_by: z.string().nullable().meta({ description: 'User who completed the item; null while it is open.' }),
  done_at: datetime.nullable(),
  skipped_by: z.array(z.string()),
  held_by: z.string().nullable().meta({ description: 'User who currently holds the item.' }),
  held_until: datetime.nullable(),
})

export type QueueItem = z.output<typeof item>

const path = '/api/v1/projects/{entity}/{project}/queues'
const queueFields = { queue_id: recordId }
const itemFields = { ...queueFields, call_id: recordId }
const itemsAddRequest = projectRequest({
  ...queueFields,
  call_ids: z
    .array(recordId)
    .max(10_000)
    .nullish()
    .meta({ description: 'Ids of the calls to add, in this order.' }),
  filter: callsFilter.nullish(),
  query: callQuery.nullish(),
  after: requestTime.nullish().meta({ description: 'Only calls that started at or after this time.' }),
  before: requestTime.nullish().meta({ description: 'Only calls that started before this time.' }),
  limit: z
    .int()
    .min(1)
    .max(10_000)
    .nullish()
    .meta({ description: 'Maximum number of matching calls, newest first; default 100.' }),
})

export type QueueItemsAddRequest = z.output<typeof itemsAddRequest>

export const queuesOperations = {
  queues_list: operation({
    method: 'GET',
    path,
    summary: 'List the review queues of a project with their progress, newest first.',
    access: 'read',
    request: projectRequest({}),
    response: z.object({ queues: z.array(queue) }),
  }),
  queue_create: operation({
    path,
    summary: 'Create a review queue.',
    access: 'write',
    request: projectRequest({
      name: queueName,
      description: queueDescription.nullish(),
      scores: scores.nullish(),
    }),
    response: queue,
  }),
  queue_read: operation({
    method: 'GET',
    path: `${path}/{queue_id}`,
    summary: 'Read a review queue and its progress.',
    access: 'read',
    errors: ['not_found'],
    request: projectRequest(queueFields),
    response: queue,
  }),
  queue_update: operation({
    method: 'PUT',
    path: `${path}/{queue_id}`,
    summary: 'Update the name, description or scores of a review queue. Omitted fields keep their value.',
    access: 'write',
    errors: ['not_found'],
    request: projectRequest({
      ...queueFields,
      name: queueName.nullish(),
      description: queueDescription.nullish(),
      scores: scores.nullish(),
    }),
    response: queue,
  }),
  queue_delete: operation({
    method: 'DELETE',
    path: `${path}/{queue_id}`,
    summary: 'Delete a review queue. Feedback on its calls is kept.',
    access: 'write',
    errors: ['not_found'],
    request: projectRequest(queueFields),
    response: emptyResponse,
  }),
  queue_items_add: operation({
    path: `${path}/{queue_id}/items`,
    summary:
      'Add calls to a review queue, by id or by filter. Calls already in the queue are left unchanged.',
    access: 'write',
    errors: ['not_found', 'conflict'],
    request: itemsAddRequest,
    response: z.object({
      added: z.int(),
      already: z.int().meta({ description: 'Number of calls that were already in the queue.' }),
      missing: z.int().meta({ description: 'Number of ids that match no call.' }),
    }),
  }),
  queue_items_list: operation({
    method: 'GET',
    path: `${path}/{queue_id}/items`,
    summary: 'List the items of a review queue in order, with who completed and who holds each.',
    access: 'read',
    errors: ['not_found'],
    request: projectRequest(queueFields),
    response: z.object({ items: z.array(item) }),
  }),
  queue_item_remove: operation({
    method: 'DELETE',
    path: `${path}/{queue_id}/items/{call_id}`,
    summary: 'Remove a call from a review queue.',
    access: 'write',
    errors: ['not_found'],
    request: projectRequest(itemFields),
    response: emptyResponse,
  }),
  queue_next: operation({
    path: `${path}/{queue_id}/next`,
    summary:
      'Claim the next open item of a review queue: the item that the caller holds, else the first that nobody holds.',
    access: 'write',
    errors: ['not_found'],
    request: projectRequest({
      ...queueFields,
      after: recordId
        .nullish()
        .meta({ description: 'Start after this call; wraps around at the end of the queue.' }),
      include_skipped: z
        .boolean()
        .nullish()
        .meta({ description: 'Include items that the caller has skipped.' }),
    }),
    response: z.object({
      item: item
        .nullable()
        .meta({ description: 'The claimed item; null if no item is available to the caller.' }),
      ...progress,
      held: z.int().meta({ description: 'Number of open items that other users hold.' }),
    }),
  }),
  queue_item_claim: operation({
    path: `${path}/{queue_id}/items/{call_id}/claim`,
    summary:
      'Claim an item of a review queue for three minutes. Repeat the request to keep it; `held_by` names the holder.',
    access: 'write',
    errors: ['not_found', 'conflict'],
    request: projectRequest(itemFields),
    response: item,
  }),
  queue_item_release: operation({
    path: `${path}/{queue_id}/items/{call_id}/release`,
    summary: 'Release a claimed item of a review queue.',
    access: 'write',
    errors: ['not_found'],
    request: projectRequest(itemFields),
    response: item,
  }),
  queue_item_set_state: operation({
    path: `${path}/{queue_id}/items/{call_id}/state`,
    summary: 'Set the state of an item of a review queue to done, skipped or open, and release it.',
    access: 'write',
    errors: ['not_found', 'conflict'],
    request: projectRequest({ ...itemFields, state: z.enum(['done', 'skipped', 'open']) }),
    response: item,
  }),
}
