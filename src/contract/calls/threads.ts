import { z } from 'zod'
import { datetime, limit, offset, projectId, requestTime, sortByOneOf } from '../fields.ts'
import { operation } from '../operation.ts'

/** Threads: conversations that span several traces. */

const threadsFilter = z.object({
  after_datetime: requestTime.nullish().meta({ description: 'Only threads that started after this time.' }),
  before_datetime: requestTime.nullish().meta({ description: 'Only threads last updated before this time.' }),
  thread_ids: z.array(z.string()).nullish(),
})

const threadSort = sortByOneOf(
  'thread_id',
  'turn_count',
  'start_time',
  'last_updated',
  'p50_turn_duration_ms',
  'p99_turn_duration_ms',
)

export type ThreadSort = z.output<typeof threadSort>

/** A conversation: an aggregate over its turns, the calls whose `id` equals their `turn_id`. */
const thread = z.object({
  thread_id: z.string(),
  turn_count: z.int(),
  start_time: datetime,
  last_updated: datetime,
  first_turn_id: z.string().nullable(),
  last_turn_id: z.string().nullable(),
  p50_turn_duration_ms: z.number().nullable(),
  p99_turn_duration_ms: z.number().nullable(),
})

export type Thread = z.output<typeof thread>

export const threadsOperations = {
  threads_query_stream: operation({
    path: '/threads/stream_query',
    summary: 'Stream the threads of a project as JSON lines.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      filter: threadsFilter.nullish(),
      sort_by: threadSort,
      limit,
      offset,
    }),
    response: thread,
    responseFormat: 'jsonl',
  }),
}
