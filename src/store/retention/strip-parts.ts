import { encodeContent, sortedContents } from '../../core/calls/call-contents.ts'
import { END_COLUMNS, encodeNamedStart, splitNamedStart, START_COLUMNS } from '../calls/call-columns.ts'
import { PART_COLUMNS } from '../calls/call-parts.ts'
import { withValues } from '../calls/fact-columns.ts'
import { readClock } from '../calls/clock-sync.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import { runMutation } from '../jobs/mutations.ts'
import { eraseRows, from, fromAllVersions } from '../query/scope.ts'
import { identifier, join, moment, type Sql, sql } from '../query/sql.ts'
import { RawJson } from '../../contract/raw-json.ts'
import type { ProjectRun } from './delete-calls.ts'

/**
 * Removes payloads from `call_parts`. Facts cannot be deleted there: their number is the rank of the call's row, and the
 * next record of the call would find no start. So each fact is written again without its text, then the older copy is
 * deleted.
 */

const BATCH = 500

/** `ids`: the calls, as a subquery. `stripped`: the values that replace those of the call. */
export async function stripParts(
  db: Database,
  { project_id, run_id, renew }: ProjectRun,
  ids: Sql,
  stripped: ReadonlyMap<string, Sql>,
): Promise<void> {
  const calls = await db.rows<{ id: string }>(selectCallsWithParts(project_id, ids), {
    name: 'calls with parts',
    kind: 'export',
  })
  if (calls.length === 0) return
  const startedAt = (await readClock(db)) ?? 0n
  for (let i = 0; i < calls.length; i += BATCH) {
    const batch = calls.slice(i, i + BATCH).map(({ id }) => id)
    await stripBatch(db, project_id, batch, stripped)
    await renew()
  }
  await runMutation(db, deleteOlderCopies(project_id, startedAt), `${run_id}-parts`, {
    name: 'expire parts',
    renew,
  })
}

export function selectCallsWithParts(project_id: string, ids: Sql): Sql {
  return sql`SELECT DISTINCT id ${fromAllVersions(project_id, 'call_parts')} AND body != '' AND id IN (${ids}) ORDER BY id`
}

/** Facts that were written again since then have the same key. */
export function deleteOlderCopies(project_id: string, since: bigint): Sql {
  const isCopied = sql`(id, fact, version) IN (SELECT id, fact, version ${fromAllVersions(project_id, 'call_parts')} AND inserted_at >= ${moment(since)})`
  return sql`${eraseRows(project_id, 'call_parts')} AND inserted_at < ${moment(since)} AND ${isCopied}`
}

interface StrippedCall {
  readonly id: string
  readonly attributes: string
  readonly inputs: string
  readonly output: string
  readonly summary: string
  readonly exception: string | null
}

interface PartRow {
  readonly id: string
  readonly fact: string
  readonly version: string
  readonly encoded: string
}

async function stripBatch(
  db: Database,
  project_id: string,
  ids: readonly string[],
  stripped: ReadonlyMap<string, Sql>,
): Promise<void> {
  const calls = await db.rows<StrippedCall>(selectStripped(project_id, ids, stripped), {
    name: 'calls without payloads',
    kind: 'export',
  })
  const byId = new Map(calls.map((call) => [call.id, call]))
  const parts = await db.rows<PartRow>(selectPartsOf(project_id, ids), {
    name: 'parts of calls',
    kind: 'export',
  })
  const rows = new RowWriter()
  for (const { id, fact, version, encoded } of parts) {
    const call = byId.get(id)
    // A call without a visible row: its start has not arrived, or it was deleted.
    if (call === undefined) continue
    const body = strippedBody(fact, Buffer.from(encoded, 'base64'), call)
    rows.string(project_id).string(id).string(fact).u128(BigInt(version)).bytes(body)
  }
  // The deletion of the older copies looks for these.
  await db.insertBinary('call_parts', PART_COLUMNS, [rows.take()], { onAllReplicas: true })
}

/** Values are computed from the row that readers see. Its columns are renamed, because values refer to the stored ones. */
export function selectStripped(
  project_id: string,
  ids: readonly string[],
  stripped: ReadonlyMap<string, Sql>,
): Sql {
  const values = [...stripped].map(([column, value]) => sql`${value} AS ${identifier(`new_${column}`)}`)
  const names = [...stripped.keys()].map(
    (column) => sql`${identifier(`new_${column}`)} AS ${identifier(column)}`,
  )
  const locations = sql`SELECT started_at, id ${fromAllVersions(project_id, 'call_ids')} AND is_part = 0 AND id IN ${ids}`
  return sql`SELECT id, ${join(names, ', ')} FROM (SELECT id, ${join(values, ', ')} ${from(project_id, 'calls')} AND (started_at, id) IN (${locations}))`
}

export function selectPartsOf(project_id: string, ids: readonly string[]): Sql {
  return sql`SELECT id, fact, version, base64Encode(any(body)) AS encoded
${fromAllVersions(project_id, 'call_parts')} AND id IN ${ids} AND body != '' AND fact IN ('start', 'end', 'content')
GROUP BY id, fact, version`
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
