import { z } from 'zod'
import { callsFilter } from './calls-filter.ts'
import { call, callColumnNames } from './calls.ts'
import { datetime } from '../fields.ts'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import { rawJson } from '../raw-json.ts'
import { timeCursor } from '../time-cursor.ts'

/** Calls in the order of time, page by page: a page costs the same wherever it is, and none is shown twice or left out. */

const projectCallsRequest = inProject({
  filter: callsFilter.nullish(),
  query: rawJson.nullish(),
  direction: z
    .enum(['asc', 'desc'])
    .nullish()
    .meta({ description: 'by start; `desc`, the newest first, without it' }),
  after: datetime.nullish().meta({ description: 'calls that started then or later' }),
  before: datetime.nullish().meta({ description: 'calls that started earlier' }),
  columns: callColumnNames,
  preview_characters: z.int().min(1).max(2000).nullish().meta({
    description: 'adds `preview`: so much of `inputs` and `output`, whether `columns` has them or not',
  }),
  include_costs: z.boolean().nullish(),
  include_feedback: z.boolean().nullish(),
  include_usernames: z.boolean().nullish().meta({ description: 'adds `wb_username`' }),
  limit: z.int().min(1).max(1000).nullish().meta({ description: '50 without it' }),
  cursor: timeCursor.nullish().meta({ description: 'go on where an answer ended' }),
})

export type ProjectCallsRequest = z.output<typeof projectCallsRequest>

export const projectCallsOperations = {
  project_calls: operation({
    path: '/api/v1/projects/{entity}/{project}/calls',
    summary: 'Read calls page by page, in the order of time.',
    access: 'read',
    request: projectCallsRequest,
    response: z.object({
      calls: z.array(call),
      cursor: z.string().nullable().meta({ description: 'null if there are no more' }),
    }),
  }),
}
