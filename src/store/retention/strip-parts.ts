import { encodeContent, sortedContents } from '../../core/calls/call-contents.ts'
import {
  END_COLUMNS,
  encodeNamedStart,
  splitNamedStart,
  START_COLUMNS,
} from '../calls/columns/call-columns.ts'
import { type CallKey, callKey } from '../calls/write/call-keys.ts'
import { PART_COLUMNS } from '../calls/write/call-parts.ts'
import { withValues } from '../calls/columns/generated-codecs.ts'
import { readClock } from '../calls/write/clock-sync.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { runMutation } from '../jobs/mutations.ts'
import {
  eraseRowsOfProjects,
  fromAllVersionsOfRows,
  fromRows,
  type ProjectTimes,
  RowsOfProjects,
} from '../query/scope.ts'
import { identifier, join, moment, type Sql, sql } from '../query/sql.ts'
import { RawJson } from '../../contract/raw-json.ts'

/**
 * Removes payloads from `call_parts`. Facts cannot be deleted there: their number is the rank of the call's row, and the
 * next record of the call would find no start. So each fact is written again without its text, then the older copy is
 * deleted.
 */

const BATCH = 500

interface StrippedParts {
  readonly run_id: string
  /** Of the projects concerned. */
  readonly times: ProjectTimes
  /** The calls, as a subquery. */
  readonly expired: Sql
  readonly renew: RenewLease
}

/** `stripped`: the values that replace those of the call. */
export async function stripParts(
  db: Database,
  { run_id, times, expired, renew }: StrippedParts,
  stripped: ReadonlyMap<string, Sql>,
): Promise<void> {
  const keys = await db.rows<CallKey>(selectCallsWithParts(expired), {
    name: 'calls with parts',
    kind: 'export',
  })
  if (keys.length === 0) return
  const startedAt = (await readClock(db)) ?? 0n
  for (let i = 0; i < keys.length; i += BATCH) {
    await stripBatch(db, keys.slice(i, i + BATCH), stripped)
    await renew()
  }
  await runMutation(db, deleteOlderCopies(times, startedAt), `${run_id}-copies`, {
    name: 'expire parts',
    renew,
  })
}

export function selectCallsWithParts(calls: Sql): Sql {
  return sql`SELECT DISTINCT project_id, id ${fromAllVersionsOfRows('call_parts', RowsOfProjects.selected(calls))} AND body != '' ORDER BY project_id, id`
}

/** Facts that were written again since then have the same key. */
export function deleteOlderCopies(times: ProjectTimes, since: bigint): Sql {
  const rows = RowsOfProjects.withTime(times)
  const isCopied = sql`(project_id, id, fact, version) IN (SELECT project_id, id, fact, version ${fromAllVersionsOfRows('call_parts', rows)} AND inserted_at >= ${moment(since)})`
  return sql`${eraseRowsOfProjects('call_parts', rows)} AND inserted_at < ${moment(since)} AND ${isCopied}`
}

interface StrippedCall extends CallKey {
  readonly attributes: string
  readonly inputs: string
  readonly output: string
  readonly summary: string
  readonly exception: string | null
}

interface PartRow extends CallKey {
  readonly fact: string
  readonly version: string
  readonly encoded: string
  readonly sent_by: string
}

async function stripBatch(
  db: Database,
  keys: readonly CallKey[],
  stripped: ReadonlyMap<string, Sql>,
): Promise<void> {
  const calls = await db.rows<StrippedCall>(selectStripped(keys, stripped), {
    name: 'calls without payloads',
    kind: 'export',
  })
  const byId = new Map(calls.map((call) => [callKey(call), call]))
  const parts = await db.rows<PartRow>(selectPartsOf(keys), {
    name: 'parts of calls',
    kind: 'export',
  })
  const rows = new RowWriter()
  for (const { project_id, id, fact, version, encoded, sent_by } of parts) {
    const call = byId.get(callKey({ project_id, id }))
    // A call without a visible row: its start has not arrived, or it was deleted.
    if (call === undefined) continue
    const body = strippedBody(fact, Buffer.from(encoded, 'base64'), call)
    rows.string(project_id).string(id).string(fact).u128(BigInt(version)).bytes(body).string(sent_by)
  }
  // The deletion of the older copies looks for these.
  await db.insertBinary('call_parts', PART_COLUMNS, [rows.take()], { onAllReplicas: true })
}

/** Values are computed from the row that readers see. Its columns are renamed, because values refer to the stored ones. */
export function selectStripped(keys: readonly CallKey[], stripped: ReadonlyMap<string, Sql>): Sql {
  const values = [...stripped].map(([column, value]) => sql`${value} AS ${identifier(`new_${column}`)}`)
  const names = [...stripped.keys()].map(
    (column) => sql`${identifier(`new_${column}`)} AS ${identifier(column)}`,
  )
  const rows = RowsOfProjects.ofCalls(keys)
  const locations = sql`SELECT project_id, started_at, id ${fromAllVersionsOfRows('call_ids', rows)} AND is_part = 0`
  return sql`SELECT project_id, id, ${join(names, ', ')} FROM (SELECT project_id, id, ${join(values, ', ')} ${fromRows('calls', rows)} AND (project_id, started_at, id) IN (${locations}))`
}

export function selectPartsOf(keys: readonly CallKey[]): Sql {
  return sql`SELECT project_id, id, fact, version, base64Encode(any(body)) AS encoded, max(sent_by) AS sent_by
${fromAllVersionsOfRows('call_parts', RowsOfProjects.ofCalls(keys))} AND body != '' AND fact IN ('start', 'end', 'content')
GROUP BY project_id, id, fact, version`
}

function strippedBody(fact: string, bytes: Buffer, call: StrippedCall): Buffer {
  if (fact === 'content') {
    const [content] = sortedContents([bytes])
    return encodeContent({ timeNanos: content?.timeNanos ?? 0n, inputs: undefined, output: undefined })
  }
  if (fact === 'end') {
    const { exception } = call
    const values = { output: document('null'), summary: document(call.summary), exception }
    return withValues(END_COLUMNS, bytes, values)
  }
  const { body, name } = splitNamedStart(bytes)
  const values = {
    attributes: document(call.attributes),
    inputs: document(call.inputs),
    otel_dump: Buffer.alloc(0),
  }
  return encodeNamedStart(withValues(START_COLUMNS, body, values), name)
}

function document(text: string): RawJson {
  return RawJson.fromBytes(Buffer.from(text))
}
