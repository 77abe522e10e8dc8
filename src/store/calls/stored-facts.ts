import { RawJson } from '../../contract/raw-json.ts'
import {
  type CallFacts,
  type EndFact,
  type Fact,
  joinFacts,
  rankOf,
  type StartFact,
} from '../../core/calls/call-facts.ts'
import { type Micros, parseTime } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import { acrossProjects, callsAcrossProjects } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { encodeEnd, encodeName, encodeStart } from './columns.ts'
import { byProject, type CallKey, keyOf } from './call-keys.ts'

/** Facts back out of the store, to join them with new ones: rows of `calls` and of `call_parts`. */

export interface StoredCall {
  readonly facts: CallFacts
  readonly version: bigint
  readonly rank: bigint
  readonly is_deleted: boolean
}

interface Row {
  readonly project_id: string
  readonly id: string
  readonly started_at: string
  readonly trace_id: string
  readonly parent_id: string
  readonly thread_id: string
  readonly turn_id: string
  readonly op_name: string
  readonly wb_user_id: string
  readonly wb_run_id: string
  readonly wb_run_step: string | null
  readonly attributes: string
  readonly inputs: string
  readonly otel_dump: string
  readonly ended_at: string | null
  readonly exception: string | null
  readonly output: string
  readonly summary: string
  readonly wb_run_step_end: string | null
  readonly display_name: string
  readonly start_version: string
  readonly end_version: string
  readonly name_version: string
  readonly version: string
  readonly is_deleted: number
}

/** Every stored row of these calls, older versions included, by key. */
export async function readStoredCalls(
  db: Database,
  keys: readonly CallKey[],
): Promise<Map<string, StoredCall[]>> {
  const found = new Map<string, StoredCall[]>()
  if (keys.length === 0) return found
  const statement = selectStoredCalls(keys)
  const rows = await db.rows<Row>(statement, { name: 'stored calls with payloads', kind: 'write' })
  for (const row of rows) {
    const stored = storedCall(row)
    const key = keyOf(row)
    found.set(key, [...(found.get(key) ?? []), stored])
  }
  return found
}

export function selectStoredCalls(keys: readonly CallKey[]): Sql {
  return sql`SELECT project_id, id, started_at, trace_id, parent_id, thread_id, turn_id, op_name, wb_user_id, wb_run_id,
  wb_run_step, attributes, inputs, otel_dump, ended_at, exception, output, summary, wb_run_step_end, display_name,
  start_version, end_version, name_version, version, is_deleted
${callsAcrossProjects(byProject(keys))}`
}

function storedCall(row: Row): StoredCall {
  const version = BigInt(row.version)
  return { version, rank: rankOf(version), is_deleted: row.is_deleted === 1, facts: factsOf(row) }
}

function factsOf(row: Row): CallFacts {
  if (row.is_deleted === 1) return { project_id: row.project_id, id: row.id }
  const writer = new RowWriter()
  return {
    project_id: row.project_id,
    id: row.id,
    start: startOf(row, writer),
    end: row.ended_at === null ? undefined : endOf(row, row.ended_at, writer),
    name:
      row.name_version === '0'
        ? undefined
        : { version: BigInt(row.name_version), body: encodeName(row.display_name) },
  }
}

function startOf(row: Row, writer: RowWriter): StartFact {
  const started_at = micros(row.started_at)
  const body = encodeStart(writer, {
    started_at,
    trace_id: row.trace_id,
    parent_id: row.parent_id,
    thread_id: row.thread_id,
    turn_id: row.turn_id,
    op_name: row.op_name,
    wb_user_id: row.wb_user_id,
    wb_run_id: row.wb_run_id,
    wb_run_step: integer(row.wb_run_step),
    attributes: RawJson.fromText(row.attributes),
    inputs: RawJson.fromText(row.inputs),
    otel_dump: Buffer.from(row.otel_dump),
  })
  return { version: BigInt(row.start_version), body, started_at }
}

function endOf(row: Row, time: string, writer: RowWriter): EndFact {
  const ended_at = micros(time)
  const body = encodeEnd(writer, {
    ended_at,
    exception: row.exception,
    output: RawJson.fromText(row.output),
    summary: RawJson.fromText(row.summary),
    wb_run_step_end: integer(row.wb_run_step_end),
  })
  return { version: BigInt(row.end_version), body, ended_at }
}

function micros(time: string): Micros {
  const parsed = parseTime(time)
  if (parsed === undefined) throw new Error(`the engine answered a time we cannot read: ${time}`)
  return parsed
}

function integer(text: string | null): number | null {
  return text === null ? null : Number(text)
}

type FactName = 'start' | 'end' | 'name' | 'deletion'

interface PartRow {
  readonly project_id: string
  readonly id: string
  readonly fact: FactName
  readonly version: string
  readonly body: string
}

export interface Parts {
  readonly facts: CallFacts
  /** How many different facts are kept for this call: the rank of the row made from them. */
  readonly count: bigint
}

/** All facts kept in call_parts for these calls, joined. */
export async function readParts(db: Database, keys: readonly CallKey[]): Promise<Map<string, Parts>> {
  const found = new Map<string, Parts>()
  if (keys.length === 0) return found
  const rows = await db.rows<PartRow>(selectParts(keys), { name: 'parts of calls', kind: 'write' })
  for (const row of rows) {
    const known = found.get(keyOf(row))
    const facts = partFacts(row)
    found.set(keyOf(row), {
      facts: known === undefined ? facts : joinFacts(known.facts, facts),
      count: (known?.count ?? 0n) + 1n,
    })
  }
  return found
}

export function selectParts(keys: readonly CallKey[]): Sql {
  return sql`SELECT project_id, id, fact, version, base64Encode(any(body)) AS body
${acrossProjects('call_parts', byProject(keys))}
GROUP BY project_id, id, fact, version`
}

function partFacts(row: PartRow): CallFacts {
  const { project_id, id } = row
  const fact: Fact = { version: BigInt(row.version), body: Buffer.from(row.body, 'base64') }
  switch (row.fact) {
    case 'start':
      // A start's columns begin with its time.
      return { project_id, id, start: { ...fact, started_at: fact.body.readBigInt64LE(0) } }
    case 'end':
      // An end's begin with a byte that says "not null", then its time.
      return { project_id, id, end: { ...fact, ended_at: fact.body.readBigInt64LE(1) } }
    case 'name':
      return { project_id, id, name: fact }
    case 'deletion':
      return { project_id, id, deletion: fact }
  }
}

export const PART_COLUMNS = ['project_id', 'id', 'fact', 'version', 'body'] as const

/** The rows of call_parts that keep these facts. */
export function writePartRows(writer: RowWriter, facts: CallFacts): void {
  const named: readonly [FactName, Fact | undefined][] = [
    ['start', facts.start],
    ['end', facts.end],
    ['name', facts.name],
    ['deletion', facts.deletion],
  ]
  for (const [name, fact] of named) {
    if (fact === undefined) continue
    writer.string(facts.project_id).string(facts.id).string(name).u128(fact.version).bytes(fact.body)
  }
}
