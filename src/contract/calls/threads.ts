import { z } from 'zod'
import { datetime, limit, offset, projectId, sortBy } from '../fields.ts'
import { operation } from '../operation.ts'

const threadsFilter = z.object({
  after_datetime: datetime.nullish().meta({ description: 'threads that started after this' }),
  before_datetime: datetime.nullish().meta({ description: 'threads last updated before this' }),
  thread_ids: z.array(z.string()).nullish(),
})

/** A conversation: the calls that are its turns (`id` equals `turn_id`), rolled up. */
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
    summary: 'Read the threads of a project, one a line.',
    access: 'read',
    request: z.object({
      project_id: projectId,
      filter: threadsFilter.nullish(),
      sort_by: sortBy,
      limit,
      offset,
    }),
    response: thread,
    responseFormat: 'jsonl',
  }),
}
