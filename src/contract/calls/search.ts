import { z } from 'zod'
import { callsFilter } from './calls-filter.ts'
import { datetime } from '../fields.ts'
import { operation } from '../operation.ts'
import { inProject } from '../project-path.ts'
import { rawJson } from '../raw-json.ts'
import { timeCursor } from '../time-cursor.ts'

/** Free text over the calls of a project and the notes about them; docs/search.md has examples. */

export const SEARCH_FIELDS = ['name', 'display_name', 'exception', 'inputs', 'output', 'note'] as const

const searchField = z.enum(SEARCH_FIELDS).meta({
  description:
    '`name` is the op as people call it, without project and digest; `note` is feedback about the call',
})

export type SearchField = z.output<typeof searchField>

const searchMatch = z.object({
  field: searchField,
  feedback_id: z.string().nullable().meta({ description: 'of the note' }),
  excerpt: z.string().meta({ description: 'around the first hit, of the text without JSON escapes' }),
  offset: z.int().meta({ description: 'where the excerpt begins in that text, in UTF-16 units' }),
  ranges: z.array(z.tuple([z.int(), z.int()])).meta({
    description: 'hits in the excerpt, `[from, to)` in UTF-16 units; none if only a part could be shown',
  }),
  count: z.int().meta({ description: 'hits in the whole text, at most 100' }),
})

export type SearchMatch = z.output<typeof searchMatch>

const searchHit = z.object({
  id: z.string(),
  trace_id: z.string(),
  parent_id: z.string().nullable(),
  op_name: z.string(),
  display_name: z.string().nullable(),
  started_at: datetime,
  ended_at: datetime.nullable(),
  has_exception: z.boolean(),
  wb_user_id: z.string().nullable(),
  matches: z.array(searchMatch),
})

export type SearchHit = z.output<typeof searchHit>

const searchRequest = inProject({
  text: z
    .string()
    .min(1)
    .max(256)
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .meta({ description: 'found as it is, whatever the case, also within words' }),
  fields: z.array(searchField).min(1).nullish().meta({ description: 'only these; without it all of them' }),
  filter: callsFilter.nullish(),
  query: rawJson.nullish(),
  after: datetime.nullish().meta({ description: 'calls that started then or later' }),
  before: datetime.nullish().meta({ description: 'calls that started earlier' }),
  limit: z.int().min(1).max(200).nullish().meta({ description: '50 without it' }),
  cursor: timeCursor.nullish().meta({ description: 'go on where an answer ended' }),
})

export type SearchRequest = z.output<typeof searchRequest>

export const searchOperations = {
  project_search: operation({
    path: '/api/v1/projects/{entity}/{project}/search',
    summary: 'Search the calls of a project for a text, the newest first.',
    access: 'read',
    request: searchRequest,
    response: z.object({
      hits: z.array(searchHit),
      cursor: z.string().nullable().meta({ description: 'null once everything has been searched' }),
      searched_to: datetime
        .nullable()
        .meta({ description: 'calls from here on have been searched; null for all that were asked for' }),
    }),
  }),
}
