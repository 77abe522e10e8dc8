import { z } from 'zod'
import { offset, projectId, requestTime } from '../fields.ts'
import { operation } from '../operation.ts'
import { spanQuery } from '../query.ts'
import { noCosts, pageLimit, sortBy, unsupportedList } from './agent-fields.ts'
import { span } from './span.ts'
import { SPAN_FIELDS } from './span-fields.ts'

/** Spans: calls that were made from OpenTelemetry spans, in the form of Weave's API for agents. */

const NO_GROUPS = 'must be empty; /agents/spans/stats groups spans'

const spanSort = sortBy(...SPAN_FIELDS)

export type SpanSort = z.output<typeof spanSort>

export const spanPeriod = {
  started_after: requestTime.nullish().meta({ description: 'Inclusive.' }),
  started_before: requestTime.nullish().meta({ description: 'Exclusive.' }),
}

/** Which spans: those that a query selects, and a period. */
export const spanSelection = { query: spanQuery.nullish(), ...spanPeriod }

/** Filters by ratings and by what Weave's server finds out about conversations. */
export const noSignals = {
  signal_filters: z
    .object({
      tags: unsupportedList('must be empty; query calls by scores.* or tags'),
      ratings: unsupportedList('must be empty; query calls by scores.*'),
    })
    .nullish(),
  insight_filters: unsupportedList('must be empty; Heddle has no insights'),
}

const spansQuery = z.object({
  project_id: projectId,
  ...spanSelection,
  group_by: unsupportedList(NO_GROUPS),
  measures: unsupportedList(NO_GROUPS),
  group_filters: unsupportedList(NO_GROUPS),
  group_distributions: unsupportedList(NO_GROUPS),
  custom_attr_columns: unsupportedList('must be empty; every span has all of its attributes'),
  include_details: z.boolean().nullish().meta({
    description: 'Add messages, instructions, arguments and results of tools, and the span itself.',
  }),
  include_costs: noCosts,
  sort_by: spanSort,
  limit: pageLimit(10_000, 100),
  offset,
  ...noSignals,
})

export const agentSpansOperations = {
  agent_spans_query: operation({
    path: '/agents/spans/query',
    summary: 'List spans, newest first by default.',
    access: 'read',
    request: spansQuery,
    response: z.object({
      spans: z.array(span),
      groups: z.array(z.never()),
      total_count: z.int(),
    }),
  }),
}
