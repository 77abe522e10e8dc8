import {
  type CallFacts,
  type EndFact,
  type Fact,
  joinFacts,
  versionRank,
  type StartFact,
} from '../../core/calls/call-facts.ts'
import type { Database } from '../database/database.ts'
import { RowWriter } from '../database/row-binary.ts'
import { fromProjects, fromCallsOfProjects } from '../query/scope.ts'
import { identifier, join, type Sql, sql } from '../query/sql.ts'
import {
  type CallRow,
  encodeEnd,
  encodeName,
  encodeStart,
  END_COLUMNS,
  endTimeIn,
  START_COLUMNS,
  startTimeIn,
  VALUE_COLUMNS,
  VERSION_COLUMNS,
} from './call-columns.ts'
import { byProject, type CallKey, callKey } from './call-keys.ts'
import { parseValues } from './fact-columns.ts'

/** Reads facts back from rows of `calls` and `call_parts`, to join them with new ones. */

export interface StoredCall {
  readonly facts: CallFacts
  readonly version: bigint
  readonly rank: bigint
  readonly is_deleted: boolean
}

type Row = CallRow & {
  readonly start_version: string
  readonly end_version: string
  readonly name_version: string
  readonly version: string
  readonly is_deleted: number
}

/** `origin` is not read, because it follows from the version of the start. */
const STORED_COLUMNS = [
  ...VALUE_COLUMNS,
  ...Object.keys(VERSION_COLUMNS).filter((name) => name !== 'origin'),
].map(identifier)

/** All stored rows of these calls, including older versions, by call key. */
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
    const key = callKey(row)
    found.set(key, [...(found.get(key) ?? []), stored])
  }
  return found
}

export function selectStoredCalls(keys: readonly CallKey[]): Sql {
  return sql`SELECT ${join(STORED_COLUMNS, ', ')}
${fromCallsOfProjects(byProject(keys))}`
}

function storedCall(row: Row): StoredCall {
  const version = BigInt(row.version)
  return { version, rank: versionRank(version), is_deleted: row.is_deleted === 1, facts: factsOf(row) }
}

function factsOf(row: Row): CallFacts {
  if (row.is_deleted === 1) return { project_id: row.project_id, id: row.id }
  const writer = new RowWriter()
  return {
    project_id: row.project_id,
    id: row.id,
    start: startOf(row, writer),
    end: endOf(row, writer),
    name:
      row.name_version === '0'
        ? undefined
        : { version: BigInt(row.name_version), body: encodeName(row.display_name) },
  }
}

function startOf(row: Row, writer: RowWriter): StartFact {
  const values = parseValues(START_COLUMNS, row)
  const body = encodeStart(writer, values)
  return { version: BigInt(row.start_version), body, started_at: values.started_at }
}

function endOf(row: Row, writer: RowWriter): EndFact | undefined {
  const values = parseValues(END_COLUMNS, row)
  if (values.ended_at === null) return undefined
  const body = encodeEnd(writer, values)
  return { version: BigInt(row.end_version), body, ended_at: values.ended_at }
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
  /** The number of distinct stored facts, which is the rank of the row made from them. */
  readonly count: bigint
}

/** The joined facts of these calls in call_parts. */
export async function readParts(db: Database, keys: readonly CallKey[]): Promise<Map<string, Parts>> {
  const found = new Map<string, Parts>()
  if (keys.length === 0) return found
  const rows = await db.rows<PartRow>(selectParts(keys), { name: 'parts of calls', kind: 'write' })
  for (const row of rows) {
    const known = found.get(callKey(row))
    const facts = partFacts(row)
    found.set(callKey(row), {
      facts: known === undefined ? facts : joinFacts(known.facts, facts),
      count: (known?.count ?? 0n) + 1n,
    })
  }
  return found
}

export function selectParts(keys: readonly CallKey[]): Sql {
  return sql`SELECT project_id, id, fact, version, base64Encode(any(body)) AS body
${fromProjects('call_parts', byProject(keys))}
GROUP BY project_id, id, fact, version`
}

function partFacts(row: PartRow): CallFacts {
  const { project_id, id } = row
  const fact: Fact = { version: BigInt(row.version), body: Buffer.from(row.body, 'base64') }
  switch (row.fact) {
    case 'start':
      return { project_id, id, start: { ...fact, started_at: startTimeIn(fact.body) } }
    case 'end':
      return { project_id, id, end: { ...fact, ended_at: endTimeIn(fact.body) } }
    case 'name':
      return { project_id, id, name: fact }
    case 'deletion':
      return { project_id, id, deletion: fact }
  }
}

export const PART_COLUMNS = ['project_id', 'id', 'fact', 'version', 'body'] as const

/** Writes the rows of call_parts for these facts. */
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
