import type { CallsFilter } from '../../contract/calls/calls-filter.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import type { Operand } from '../../core/query/ast.ts'
import { groupKey } from '../calls/read/group-keys.ts'
import { callColumns, selectCalls, streamCalls } from '../calls/read/select-calls.ts'
import { rangeConditions, type SearchRange } from '../calls/read/search.ts'
import { indexConditions, type SearchIndex } from '../calls/read/search-index.ts'
import { SearchPattern } from '../calls/read/search-pattern.ts'
import { callRows, type ReadMode, readWithFallback } from '../calls/read/usage-query.ts'
import type { Database } from '../database/database.ts'
import { from } from '../query/scope.ts'
import { and, identifier, type Sql, sql } from '../query/sql.ts'
import { ALL_TIME, IS_SPAN, SPAN_SOURCES, spanConditions } from './spans.ts'

/** The spans whose messages are searched, and the agents of their traces. */

export interface MessageSpans {
  readonly project_id: string
  readonly filter: CallsFilter
  readonly query: Operand | undefined
  /** Only spans of traces in which some span satisfies it. */
  readonly inTrace: Operand | undefined
  /** Spans with any text if it is empty. */
  readonly text: string
  readonly searchIndex: SearchIndex
}

/** With their documents, newest first. */
export function streamMessageSpans(
  db: Database,
  spans: MessageSpans,
  range: SearchRange,
  limit: number,
): BatchedStream<StoredCallRow> {
  return streamCalls(db, messageSpans(spans, range, limit))
}

export function selectMessageSpans(spans: MessageSpans, range: SearchRange, limit: number): Sql {
  return selectCalls(messageSpans(spans, range, limit))
}

function messageSpans(spans: MessageSpans, range: SearchRange, limit: number) {
  const { project_id, filter, query, inTrace, text, searchIndex } = spans
  const conditions = [
    ...rangeConditions(range),
    ...indexConditions(searchIndex, text),
    ...spanConditions({ project_id, filter, query }),
    ...(inTrace === undefined ? [] : [sql`trace_id IN (${tracesWith(project_id, inTrace)})`]),
  ]
  if (text !== '') {
    const pattern = new SearchPattern(text)
    conditions.push(sql`${pattern.inJson(sql`inputs`)} OR ${pattern.inJson(sql`output`)}`)
  }
  return {
    project_id,
    conditions,
    order: [sql`started_at DESC`, sql`id DESC`],
    columns: callColumns(['thread_id', 'attributes.kind', 'inputs', 'output']),
    page: { limit, offset: undefined },
  }
}

function tracesWith(project_id: string, query: Operand): Sql {
  return sql`SELECT trace_id ${from(project_id, 'calls')} AND ${and(spanConditions({ project_id, query }))}`
}

/** The first agent that a span of each trace names. */
export async function listTraceAgents(
  db: Database,
  project_id: string,
  trace_ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (trace_ids.length === 0) return new Map()
  const rows = await readWithFallback((mode) =>
    db.rows<{ trace_id: string; first_agent: string; needs_documents: string }>(
      selectTraceAgents(project_id, trace_ids, mode),
      { name: 'agents of traces', kind: 'list' },
    ),
  )
  return new Map(rows.map(({ trace_id, first_agent }) => [trace_id, first_agent]))
}

export function selectTraceAgents(project_id: string, trace_ids: readonly string[], mode: ReadMode): Sql {
  const selection = {
    project_id,
    filter: { trace_ids: [...trace_ids] },
    conditions: [IS_SPAN],
    buckets: ALL_TIME,
  }
  const agent = {
    ...groupKey(project_id, 'agent_name', 'UTC', SPAN_SOURCES),
    column: identifier('agent_name'),
  }
  const columns = [sql`trace_id`, sql`started_at`, sql`id`]
  return sql`SELECT trace_id, argMinIf(ifNull(agent_name, ''), (started_at, id), ifNull(agent_name, '') != '') AS first_agent,
  countIf(needs_document) AS needs_documents
FROM (${callRows(selection, columns, [], false, mode, [agent])})
GROUP BY trace_id`
}
