import { z } from 'zod'
import { callsFilter } from '../calls/calls-filter.ts'
import { datetime, emptyAnswer, recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import { rawJson } from '../raw-json.ts'

/** Review queues: calls that people judge one after the other, so that no two of them do the same one. */

const name = z.string().min(1).max(200)
const description = z.string().max(4000)
const scores = z.array(z.string().min(1).max(256)).max(50).meta({
  description: 'names of the annotation specs that are asked for; none stands for all of the project',
})

const progress = {
  total: z.int(),
  done: z.int(),
  skipped: z.int().meta({ description: 'not done, and the caller would rather not judge them' }),
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
  done_by: z.string().nullable().meta({ description: 'null while nobody has judged it' }),
  done_at: datetime.nullable(),
  skipped_by: z.array(z.string()),
  held_by: z.string().nullable().meta({ description: 'who has it open right now' }),
  held_until: datetime.nullable(),
})

export type QueueItem = z.output<typeof item>

const path = '/api/v1/projects/{entity}/{project}/queues'
const ofQueue = { queue_id: recordId }
const ofItem = { ...ofQueue, call_id: recordId }
const chosen = inProject({
  ...ofQueue,
  call_ids: z.array(recordId).max(10_000).nullish().meta({ description: 'these, in this order' }),
  filter: callsFilter.nullish(),
  query: rawJson.nullish(),
  after: datetime.nullish().meta({ description: 'calls that started then or later' }),
  before: datetime.nullish().meta({ description: 'calls that started earlier' }),
  limit: z.int().min(1).max(10_000).nullish().meta({ description: 'the newest that match; 100 without it' }),
})

export type ChosenCalls = z.output<typeof chosen>

export const queuesOperations = {
  queues_list: operation({
    method: 'GET',
    path,
    summary: 'List the review queues of a project, the newest first, with how far each one is.',
    access: 'read',
    request: inProject({}),
    response: z.object({ queues: z.array(queue) }),
  }),
  queue_create: operation({
    path,
    summary: 'Make a review queue.',
    access: 'write',
    request: inProject({ name, description: description.nullish(), scores: scores.nullish() }),
    response: queue,
  }),
  queue_read: operation({
    method: 'GET',
    path: `${path}/{queue_id}`,
    summary: 'Read a review queue and how far it is.',
    access: 'read',
    request: inProject(ofQueue),
    response: queue,
  }),
  queue_update: operation({
    method: 'PUT',
    path: `${path}/{queue_id}`,
    summary: 'Change the name, the description or the scores of a review queue; what is not given stays.',
    access: 'write',
    request: inProject({
      ...ofQueue,
      name: name.nullish(),
      description: description.nullish(),
      scores: scores.nullish(),
    }),
    response: queue,
  }),
  queue_delete: operation({
    method: 'DELETE',
    path: `${path}/{queue_id}`,
    summary: 'Delete a review queue. What was said of its calls stays.',
    access: 'write',
    request: inProject(ofQueue),
    response: emptyAnswer,
  }),
  queue_items_add: operation({
    path: `${path}/{queue_id}/items`,
    summary: 'Put calls into a review queue, by id or by a filter; those that are in it stay as they are.',
    access: 'write',
    request: chosen,
    response: z.object({
      added: z.int(),
      already: z.int().meta({ description: 'were in it before' }),
      missing: z.int().meta({ description: 'ids of no call' }),
    }),
  }),
  queue_items_list: operation({
    method: 'GET',
    path: `${path}/{queue_id}/items`,
    summary: 'List the calls of a review queue in their order: who judged them, and who has them open.',
    access: 'read',
    request: inProject(ofQueue),
    response: z.object({ items: z.array(item) }),
  }),
  queue_item_remove: operation({
    method: 'DELETE',
    path: `${path}/{queue_id}/items/{call_id}`,
    summary: 'Take a call out of a review queue.',
    access: 'write',
    request: inProject(ofItem),
    response: emptyAnswer,
  }),
  queue_next: operation({
    path: `${path}/{queue_id}/next`,
    summary:
      'Take the next call that nobody has judged or has open: the one that the caller has open, else the first.',
    access: 'write',
    request: inProject({
      ...ofQueue,
      behind: recordId.nullish().meta({ description: 'begin behind this call; at the end begin anew' }),
      include_skipped: z.boolean().nullish().meta({ description: 'also those that the caller has skipped' }),
    }),
    response: z.object({
      item: item.nullable().meta({ description: 'null if there is none for the caller right now' }),
      ...progress,
      held: z.int().meta({ description: 'not done, and open at somebody else' }),
    }),
  }),
  queue_item_claim: operation({
    path: `${path}/{queue_id}/items/{call_id}/claim`,
    summary:
      'Keep a call of a review queue for the caller for three minutes. Ask again while it is open; `held_by` says who has it.',
    access: 'write',
    request: inProject(ofItem),
    response: item,
  }),
  queue_item_release: operation({
    path: `${path}/{queue_id}/items/{call_id}/release`,
    summary: 'Let go of a call of a review queue, so that others need not wait.',
    access: 'write',
    request: inProject(ofItem),
    response: item,
  }),
  queue_item_set_state: operation({
    path: `${path}/{queue_id}/items/{call_id}/state`,
    summary: 'Say that a call of a review queue is judged, skipped, or open again, and let go of it.',
    access: 'write',
    request: inProject({ ...ofItem, state: z.enum(['done', 'skipped', 'open']) }),
    response: item,
  }),
}
