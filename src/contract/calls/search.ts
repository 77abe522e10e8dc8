import { z } from 'zod'
import { callsFilter } from './calls-filter.ts'
import { datetime, requestTime } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { callQuery } from '../query.ts'
import { timeCursor } from '../time-cursor.ts'

/** Full-text search over the calls of a project and their notes. See docs/search.md for examples. */

export const SEARCH_FIELDS = ['name', 'display_name', 'exception', 'inputs', 'output', 'note'] as const

const searchField = z.enum(SEARCH_FIELDS).meta({
  description: '`name`: the op name without project and digest. `note`: feedback on the call.',
})

export type SearchField = z.output<typeof searchField>

const searchMatch = z.object({
  field: searchField,
  feedback_id: z
    .string()
    .nullable()
    .meta({ description: 'Id of the note that matched; null for other fields.' }),
  excerpt: z.string().meta({ description: 'Text around the first match, with JSON escapes decoded.' }),
  offset: z
    .int()
    .meta({ description: 'Start of the excerpt within the decoded text, in UTF-16 code units.' }),
  ranges: z.array(z.tuple([z.int(), z.int()])).meta({
    description:
      'Matches within the excerpt, `[from, to)` in UTF-16 code units; empty if the match lies outside the excerpt.',
  }),
  count: z.int().meta({ description: 'Number of matches in the whole text; at most 100.' }),
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

/** A search text, or none. */
export const searchTextOrEmpty = z
  .string()
  .max(256)
  .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')

export const searchText = searchTextOrEmpty.min(1)

const searchRequest = projectRequest({
  text: searchText.meta({ description: 'Text to find: literal, case-insensitive, also inside words.' }),
  fields: z.array(searchField).min(1).nullish().meta({ description: 'Fields to search; default all.' }),
  filter: callsFilter.nullish(),
  query: callQuery.nullish(),
  after: requestTime.nullish().meta({ description: 'Only calls that started at or after this time.' }),
  before: requestTime.nullish().meta({ description: 'Only calls that started before this time.' }),
  limit: z.int().min(1).max(200).nullish().meta({ description: 'Maximum number of hits; default 50.' }),
  cursor: timeCursor.nullish().meta({ description: 'Continue after the page that returned this cursor.' }),
})

export type SearchRequest = z.output<typeof searchRequest>

export const searchOperations = {
  project_search: operation({
    path: '/api/v1/projects/{entity}/{project}/search',
    summary: 'Search the calls of a project for text, newest first.',
    access: 'read',
    request: searchRequest,
    response: z.object({
      hits: z.array(searchHit),
      cursor: z
        .string()
        .nullable()
        .meta({ description: 'Cursor of the next page; null once the whole range has been searched.' }),
      searched_to: datetime.nullable().meta({
        description:
          'Calls that started at or after this time have been searched; null if the whole range has been.',
      }),
    }),
  }),
}
