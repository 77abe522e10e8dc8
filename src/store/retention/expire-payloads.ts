import { REPORTED_IN_ATTRIBUTES } from '../../core/costs/reported-cost.ts'
import { documents } from '../calls/columns/documents.ts'
import type { Database } from '../database/database.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { runMutation } from '../jobs/mutations.ts'
import { fromAllVersionsOfRows, RowsOfProjects, updateRowsOfProjects } from '../query/scope.ts'
import { identifier, join, type Sql, sql } from '../query/sql.ts'
import { inEachPartition, isSelected } from './delete-calls.ts'
import { type DeletionRun, timesOfRun } from './deletion-runs.ts'
import { stripParts } from './strip-parts.ts'

/**
 * Removes the payloads of calls and keeps their metrics. Documents are replaced by small ones from which the named fields
 * (tags, end user, model, …) can be extracted again, so that a later rename of the call loses none of them.
 */

const ATTRIBUTES = documents.get('attributes')!
const SUMMARY = documents.get('summary')!

/** `"name":value`, or nothing if `isPresent` does not hold. */
function member(name: string, value: Sql, isPresent: Sql): Sql {
  return sql`if(${isPresent}, concat(${`${JSON.stringify(name)}:`}, ${value}), '')`
}

function objectOf(members: readonly Sql[]): Sql {
  return sql`concat('{', arrayStringConcat(arrayFilter(member -> member != '', [${join(members, ', ')}]), ','), '}')`
}

function textMember(name: string, column: string): Sql {
  return member(name, sql`toJSONString(toString(${identifier(column)}))`, sql`${identifier(column)} != ''`)
}

/** Costs that the call itself reported are metrics too. */
const reportedCosts = REPORTED_IN_ATTRIBUTES.map((name) => {
  const path = join(
    name.split('.').map((part) => sql`${part}`),
    ', ',
  )
  const raw = sql`if(JSONHas(${ATTRIBUTES}, ${name}), JSONExtractRaw(${ATTRIBUTES}, ${name}), JSONExtractRaw(${ATTRIBUTES}, ${path}))`
  return member(name, raw, sql`toFloat64OrNull(${raw}) IS NOT NULL`)
})

/** What stays of the attributes: the named fields, under names that they are extracted from. */
const KEPT_ATTRIBUTES = objectOf([
  member('tags', sql`toJSONString(CAST(field_tags, 'Array(String)'))`, sql`notEmpty(field_tags)`),
  textMember('user_id', 'field_end_user'),
  textMember('session_id', 'field_session'),
  textMember('environment', 'field_environment'),
  textMember('provider', 'field_provider'),
  ...reportedCosts,
])

const keptSummary = (name: string): Sql =>
  member(name, sql`JSONExtractRaw(${SUMMARY}, ${name})`, sql`JSONHas(${SUMMARY}, ${name})`)

/** `summary.weave` of the client is shown to readers, so the mark needs no column of its own there. */
const KEPT_SUMMARY = objectOf([
  keptSummary('usage'),
  keptSummary('status_counts'),
  member(
    'ttft_ms',
    sql`toString(field_time_to_first_token)`,
    sql`isFinite(ifNull(field_time_to_first_token, nan))`,
  ),
  sql`'"weave":{"payload_expired":true}'`,
])

/** Only the type of the error stays: its message may quote the input. */
const KEPT_EXCEPTION = sql`if(ifNull(exception, '') = '', exception, if(field_error_type = '', 'Error', toString(field_error_type)))`

/** Columns of `calls` without text of the call. */
export const STRIPPED: ReadonlyMap<string, Sql> = new Map([
  ['attributes', KEPT_ATTRIBUTES],
  ['inputs', sql`'{}'`],
  ['output', sql`if(output = '', '', 'null')`],
  ['summary', KEPT_SUMMARY],
  ['exception', KEPT_EXCEPTION],
])

const NO_TEXT = [
  'attributes_normalized',
  'inputs_normalized',
  'output_normalized',
  'summary_normalized',
  'otel_dump',
]

const ASSIGNMENTS = join(
  [
    ...[...STRIPPED].map(([column, value]) => sql`${identifier(column)} = ${value}`),
    ...NO_TEXT.map((column) => sql`${identifier(column)} = ''`),
    sql`input_refs = []`,
    sql`output_refs = []`,
    // Queries read the documents, which are small now.
    sql`json_fields = CAST(map('attributes', '*', 'inputs', '*', 'output', '*', 'summary', '*'), 'Map(LowCardinality(String), String)')`,
    sql`payload_expired = 1`,
  ],
  ', ',
)

/** Removes the payloads of the calls of one shard that a run has selected, of all its projects at once. Repeatable. */
export async function expireOldPayloads(shard: Database, run: DeletionRun, renew: RenewLease): Promise<void> {
  const times = timesOfRun(run, 'payloads_before')
  if (times.latest === undefined) return
  const rows = RowsOfProjects.before(times)
  const isExpired = sql`is_deleted = 0 AND payload_expired = 0 AND ${isSelected(run)}`
  // Facts first: if this is interrupted, the rows are still found.
  const expired = sql`SELECT project_id, id ${fromAllVersionsOfRows('calls', rows)} AND ${isExpired}`
  await stripParts(shard, { run_id: run.run_id, times, expired, renew }, STRIPPED)
  await inEachPartition(shard, rows, isExpired, (partition_id) =>
    runMutation(
      shard,
      expireStatement(rows, partition_id, isExpired),
      `${run.run_id}-payloads-${partition_id}`,
      { name: 'expire payloads', renew },
    ),
  )
}

export function expireStatement(rows: RowsOfProjects, partition_id: string, isExpired: Sql): Sql {
  return sql`${updateRowsOfProjects('calls', rows, partition_id, ASSIGNMENTS)} AND ${isExpired}`
}
