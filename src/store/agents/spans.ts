import type { SpanSort } from '../../contract/agents/spans.ts'
import type { CallsFilter } from '../../contract/calls/calls-filter.ts'
import type { StoredCallRow } from '../../core/calls/call-view.ts'
import type { BatchedStream } from '../../core/concurrency/batched-stream.ts'
import type { Operand } from '../../core/query/ast.ts'
import type { Micros } from '../../core/time/time.ts'
import {
  type CallColumn,
  callColumns,
  countCalls,
  startedWithin,
  streamCalls,
} from '../calls/read/select-calls.ts'
import { callOrder, compileSelection } from '../calls/read/selection.ts'
import type { Database } from '../database/database.ts'
import type { Page } from '../query/page.ts'
import { type Sql, sql } from '../query/sql.ts'
import { spanFields } from './span-fields.ts'

/** Spans are the calls that were made from OpenTelemetry spans. */

export const IS_SPAN = sql`otel_dump.size != 0`

/** Every time that can be stored. */
export const ALL_TIME = {
  start: BigInt(Date.UTC(1900, 0)) * 1000n,
  end: BigInt(Date.UTC(2300, 0)) * 1000n,
  seconds: 1,
  timezone: 'UTC',
}

/** Queries and sort orders name fields of spans. */
export const SPAN_SOURCES = { renamed: spanFields }

export interface SpanPeriod {
  readonly from?: Micros | undefined
  readonly before?: Micros | undefined
}

export interface SpanSelection extends SpanPeriod {
  readonly project_id: string
  readonly query?: Operand | undefined
  readonly filter?: CallsFilter | undefined
}

interface SpanPage extends Page {
  readonly sort_by?: SpanSort
  readonly content: SpanContent
}

/** What is read of spans besides their fields. */
type SpanContent = 'none' | 'messages' | 'details'

const COLUMNS = [
  'parent_id',
  'thread_id',
  'attributes.kind',
  'summary',
  'wb_user_id',
  'wb_run_id',
  'wb_run_step',
  'wb_run_step_end',
]

const CONTENT: Readonly<Record<SpanContent, readonly string[]>> = {
  none: [],
  messages: ['inputs', 'output'],
  details: ['inputs', 'output', 'otel_dump'],
}

function spanColumns(content: SpanContent): CallColumn[] {
  return callColumns([...COLUMNS, ...CONTENT[content]])
}

export function streamSpans(
  db: Database,
  selection: SpanSelection,
  { sort_by, content, ...page }: SpanPage,
): BatchedStream<StoredCallRow> {
  const { project_id } = selection
  const order = sort_by?.length ? sort_by : [{ field: 'started_at' as const, direction: 'desc' as const }]
  return streamCalls(db, {
    project_id,
    conditions: spanConditions(selection),
    order: callOrder(project_id, order, SPAN_SOURCES),
    columns: spanColumns(content),
    page,
  })
}

/** The newest spans with their attributes, and no other document. */
export function streamSpanAttributes(
  db: Database,
  selection: SpanSelection,
  limit: number,
): BatchedStream<StoredCallRow> {
  const { project_id } = selection
  return streamCalls(db, {
    project_id,
    conditions: spanConditions(selection),
    order: callOrder(project_id, [{ field: 'started_at', direction: 'desc' }]),
    columns: callColumns(['attributes.kind']),
    page: { limit, offset: undefined },
  })
}

export async function countSpans(db: Database, selection: SpanSelection): Promise<number> {
  return countCalls(db, selection.project_id, spanConditions(selection), undefined)
}

export function spanConditions({ project_id, filter, query, ...range }: SpanSelection): readonly Sql[] {
  const { conditions } = compileSelection(project_id, filter, query, SPAN_SOURCES)
  return [...startedWithin(range), IS_SPAN, ...conditions]
}
