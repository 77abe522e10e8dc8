import type { Thread, ThreadSort } from '../../../contract/calls/threads.ts'
import type { BatchedStream } from '../../../core/concurrency/batched-stream.ts'
import type { Micros } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { type Page, page } from '../../query/page.ts'
import { from } from '../../query/scope.ts'
import { and, identifier, join, moment, type Sql, sql } from '../../query/sql.ts'

export interface ThreadsQuery extends Page {
  readonly project_id: string
  readonly after: Micros | undefined
  readonly before: Micros | undefined
  /** Empty for all. */
  readonly thread_ids: readonly string[]
  readonly sort_by: ThreadSort
}

export function streamThreads(db: Database, query: ThreadsQuery): BatchedStream<Thread> {
  return db.stream<Thread>(selectThreads(query), { name: 'threads', kind: 'scan' })
}

/**
 * Selects threads, which are groups of turns. Only turns count, not their descendants. Of a trace in which only inner spans name
 * the thread, those are one turn together. A thread without an ended turn has no last update and is not listed.
 */
export function selectThreads(query: ThreadsQuery): Sql {
  const calls = [sql`id = turn_id OR (turn_id = '' AND otel_dump.size != 0)`, sql`thread_id != ''`]
  if (query.thread_ids.length > 0) calls.push(sql`thread_id IN ${query.thread_ids}`)
  const threads = [sql`isNotNull(last_updated)`]
  if (query.after !== undefined) threads.push(sql`start_time > ${moment(query.after)}`)
  if (query.before !== undefined) threads.push(sql`last_updated < ${moment(query.before)}`)
  return sql`SELECT thread_id, toUInt32(count()) AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
  argMin(id, (started_at, id)) AS first_turn_id, argMax(id, (ended_at, id)) AS last_turn_id,
  quantileExactInclusiveOrNull(0.5)(${DURATION_MS}) AS p50_turn_duration_ms,
  quantileExactInclusiveOrNull(0.99)(${DURATION_MS}) AS p99_turn_duration_ms
FROM (SELECT thread_id, turn.1 AS id, turn.2 AS started_at, turn.3 AS ended_at FROM (
  SELECT thread_id, groupArrayIf((id, started_at, ended_at), id = turn_id) AS turns,
    arrayJoin(if(empty(turns), [(argMin(id, (started_at, id)), min(started_at), max(ended_at))], turns)) AS turn
  ${from(query.project_id, 'calls')} AND ${and(calls)} GROUP BY thread_id, trace_id))
GROUP BY thread_id HAVING ${and(threads)}
ORDER BY ${join(order(query.sort_by), ', ')} ${page(query)}`
}

const DURATION_MS = sql`intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)`

function order(sort_by: ThreadSort): Sql[] {
  const requested = sort_by?.length
    ? sort_by
    : [{ field: 'last_updated' as const, direction: 'desc' as const }]
  const terms = requested.map(({ field, direction }) => sql`${identifier(field)} ${identifier(direction)}`)
  return [...terms, sql`thread_id`]
}
