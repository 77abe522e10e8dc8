import { z } from 'zod'
import { callColumnNames } from './call-columns.ts'
import { callsFilter } from './calls-filter.ts'
import { call } from './calls.ts'
import { requestTime } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { CALL_FIELDS, callQuery, fieldName } from '../query.ts'
import { timeCursor } from '../time-cursor.ts'

/**
 * Keyset pagination over calls, ordered by start time. Every page costs the same, and no call is repeated or skipped.
 */

const projectCallsRequest = projectRequest({
  filter: callsFilter.nullish(),
  query: callQuery.nullish(),
  direction: z
    .enum(['asc', 'desc'])
    .nullish()
    .meta({ description: 'Sort direction by start time; default `desc` (newest first).' }),
  after: requestTime.nullish().meta({ description: 'Only calls that started at or after this time.' }),
  before: requestTime.nullish().meta({ description: 'Only calls that started before this time.' }),
  columns: callColumnNames,
  preview_characters: z.int().min(1).max(2000).nullish().meta({
    description:
      'Add `preview`: the first characters of `inputs` and `output`, whether or not `columns` includes them.',
  }),
  preview_messages: z.boolean().nullish().meta({
    description:
      'Previews of calls of a model contain their last messages only; those of methods leave out the ref `self`.',
  }),
  fields: z
    .array(fieldName(CALL_FIELDS).max(4096))
    .max(20)
    .nullish()
    .meta({ description: 'Add `fields`: the values of these fields of the query language, as text.' }),
  include_costs: z.boolean().nullish(),
  include_feedback: z.boolean().nullish(),
  include_trace_totals: z.boolean().nullish().meta({
    description: 'Add `trace_totals`: tokens, cost, errors, end user and more of the trace of each call.',
  }),
  include_usernames: z.boolean().nullish().meta({ description: 'Add `wb_username` to each call.' }),
  limit: z.int().min(1).max(1000).nullish().meta({ description: 'Maximum number of calls; default 50.' }),
  cursor: timeCursor.nullish().meta({ description: 'Continue after the page that returned this cursor.' }),
})

export type ProjectCallsRequest = z.output<typeof projectCallsRequest>

export const projectCallsOperations = {
  project_calls: operation({
    path: '/api/v1/projects/{entity}/{project}/calls',
    summary: 'Read calls page by page, ordered by start time.',
    access: 'read',
    request: projectCallsRequest,
    response: z.object({
      calls: z.array(call),
      cursor: z.string().nullable().meta({ description: 'Cursor of the next page; null on the last page.' }),
    }),
  }),
}
