import { RawJson } from '../../../contract/raw-json.ts'
import { type Tokens, tokensByModel } from '../../../core/costs/usage.ts'
import type { UsedCall } from '../../../core/costs/model-calls.ts'
import { find } from '../../../core/json/navigate.ts'
import type { Micros } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { from } from '../../query/scope.ts'
import { moment, type Sql, sql } from '../../query/sql.ts'
import { HAS_EXCEPTION } from '../columns/named-fields.ts'

/** What the calls of a trace have in total, for the traces of a page: at read time, so that it is exact for any order of arrival. */

const USED = sql`(usage_extracted = 0 OR notEmpty(usage.model))`

/** Tags of a trace beyond these are not shown. */
const MAX_TAGS = 100

/** Calls with usage that one page reads, the same number of each trace. A trace with more has no tokens and no cost. */
const MAX_USED_CALLS = 100_000

/** A call may start before the head of its trace, if clocks differ. */
const CLOCK_MICROS = 86_400_000_000n

interface TraceRow {
  readonly trace_id: string
  readonly call_count: number
  readonly errors: number
  readonly running: number
  readonly used_count: number
  readonly first_start: string
  readonly last_end: string | null
  /** The earliest of the trace; '' if no call has one. */
  readonly end_user: string
  readonly session: string
  readonly environment: string
  readonly tags: readonly string[]
  readonly used_calls: readonly UsedTuple[]
}

export interface StoredTrace extends Omit<TraceRow, 'used_calls' | 'used_count'> {
  /** Undefined if they are too many. */
  readonly used: readonly UsedCall[] | undefined
}

type UsedTuple = readonly [
  id: string,
  parent_id: string,
  op_name: string,
  started: string,
  ended: string | null,
  isSpan: number,
  entries: readonly UsageTuple[],
  /** The summary of a call whose usage was not extracted. */
  unread: string,
]

/** Model, prompt, completion, total, cache_read, cache_creation, plain_prompt. */
type UsageTuple = readonly [string, number, number, number | null, number, number, number]

/** `first` is the earliest start of their heads. */
export async function listTraces(
  db: Database,
  project_id: string,
  trace_ids: readonly string[],
  first: Micros,
): Promise<StoredTrace[]> {
  const limit = Math.floor(MAX_USED_CALLS / trace_ids.length)
  const statement = selectTraces(project_id, trace_ids, first, limit)
  const rows = await db.rows<TraceRow>(statement, { name: 'totals of traces', kind: 'list' })
  return rows.map(({ used_calls, used_count, ...trace }) => ({
    ...trace,
    used: used_count > limit ? undefined : used_calls.map((call) => toUsedCall(trace.trace_id, call)),
  }))
}

export function selectTraces(
  project_id: string,
  trace_ids: readonly string[],
  first: Micros,
  limit: number,
): Sql {
  const earliest = (value: Sql): Sql => sql`argMinIf(${value}, (started_at, id), ${value} != '')`
  return sql`SELECT trace_id, toUInt32(count()) AS call_count, toUInt32(countIf(${HAS_EXCEPTION})) AS errors,
  toUInt32(countIf(isNull(ended_at))) AS running, toUInt32(countIf(${USED})) AS used_count,
  min(started_at) AS first_start, max(ended_at) AS last_end,
  ${earliest(sql`field_end_user`)} AS end_user, ${earliest(sql`field_session`)} AS session,
  ${earliest(sql`toString(field_environment)`)} AS environment,
  arraySort(groupUniqArrayArray(${MAX_TAGS})(CAST(field_tags AS Array(String)))) AS tags,
  groupArrayIf(${limit})((id, parent_id, op_name, toUnixTimestamp64Micro(started_at), toUnixTimestamp64Micro(ended_at), otel_dump.size != 0,
    arrayZip(usage.model, usage.prompt, usage.completion, usage.total, usage.cache_read, usage.cache_creation, usage.plain_prompt),
    if(usage_extracted = 0, summary, '')), ${USED}) AS used_calls
${from(project_id, 'calls')} AND trace_id IN ${trace_ids} AND started_at >= ${moment(first - CLOCK_MICROS)}
GROUP BY trace_id`
}

function toUsedCall(trace_id: string, call: UsedTuple): UsedCall {
  const [id, parent_id, op_name, started, ended, isSpan, entries, unread] = call
  return {
    id,
    trace_id,
    parent_id,
    op_name,
    started: BigInt(started),
    ended: ended === null ? undefined : BigInt(ended),
    isSpan: isSpan === 1,
    usage:
      unread === '' ? new Map(entries.map(toTokens)) : tokensByModel(find(RawJson.fromText(unread), 'usage')),
  }
}

function toTokens([model, ...counts]: UsageTuple): [string, Tokens] {
  const [prompt, completion, total, cacheRead, cacheCreation, plainPrompt] = counts.map((count) =>
    BigInt(count ?? 0),
  ) as [bigint, bigint, bigint, bigint, bigint, bigint]
  return [model, { prompt, completion, total, cacheRead, cacheCreation, plainPrompt, requests: 0n }]
}
