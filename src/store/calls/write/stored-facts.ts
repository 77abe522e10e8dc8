import type { CallFacts, EndFact, FactVersions, StartFact } from '../../../core/calls/call-facts.ts'
import { versionRank } from '../../../core/calls/fact-versions.ts'
import type { Database } from '../../database/database.ts'
import { RowWriter } from '../../database/row-binary.ts'
import { fromCallsOfProjects } from '../../query/scope.ts'
import { identifier, join, type Sql, sql } from '../../query/sql.ts'
import {
  type CallRow,
  encodeEnd,
  encodeName,
  encodeStart,
  END_COLUMNS,
  START_COLUMNS,
  VALUE_COLUMNS,
  type VERSION_COLUMNS,
} from '../columns/call-columns.ts'
import { byProject, type CallKey, callKey } from './call-keys.ts'
import { NO_VERSIONS } from './call-parts.ts'
import { parseValues } from '../columns/generated-codecs.ts'
import type { LargeCalls } from './large-calls.ts'

/** Reads facts back from rows of `calls`, to join them with new ones. */

export interface StoredCall {
  readonly facts: CallFacts
  readonly version: bigint
  readonly rank: bigint
  readonly is_deleted: boolean
}

type Row = CallRow & {
  readonly start_version: string
  readonly end_version: string
  readonly version: string
  readonly is_deleted: number
  readonly is_large_row?: true
}

const STORED_VERSIONS: readonly (keyof typeof VERSION_COLUMNS)[] = [
  'start_version',
  'end_version',
  'version',
  'is_deleted',
]
const STORED_COLUMNS = [...VALUE_COLUMNS, ...STORED_VERSIONS].map(identifier)

/** All stored rows of these calls, including older versions, by call key. */
export async function readStoredCalls(
  db: Database,
  keys: readonly CallKey[],
  large?: LargeCalls,
): Promise<Map<string, StoredCall[]>> {
  const found = new Map<string, StoredCall[]>()
  if (keys.length === 0) return found
  const statement = selectStoredCalls(keys)
  const options = { name: 'stored calls with payloads', kind: 'write', ...large?.statementOptions } as const
  const rows = await db.rows<Row>(statement, options)
  for (const row of large?.collect(rows) ?? rows) {
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

/** The versions of the facts in rows of the fast path, by call key. */
export async function readUnrankedVersions(
  db: Database,
  keys: readonly CallKey[],
): Promise<Map<string, FactVersions>> {
  const found = new Map<string, FactVersions>()
  if (keys.length === 0) return found
  interface VersionsRow extends CallKey {
    readonly starts: readonly string[]
    readonly ends: readonly string[]
  }
  const statement = selectUnrankedVersions(keys)
  const rows = await db.rows<VersionsRow>(statement, { name: 'versions of stored calls', kind: 'write' })
  for (const row of rows) {
    const start = row.starts.map(BigInt)
    const end = row.ends.map(BigInt)
    found.set(callKey(row), { ...NO_VERSIONS, start, end })
  }
  return found
}

export function selectUnrankedVersions(keys: readonly CallKey[]): Sql {
  return sql`SELECT project_id, id, groupUniqArray(start_version) AS starts, groupUniqArrayIf(end_version, end_version > 0) AS ends
${fromCallsOfProjects(byProject(keys))}
  AND is_deleted = 0 AND version < ${RANKED}
GROUP BY project_id, id`
}

/** The lowest version of rows made from call_parts (core/calls/fact-versions.ts). */
export const RANKED: Sql = sql`bitShiftLeft(toUInt128(1), 112)`

function storedCall(row: Row): StoredCall {
  const version = BigInt(row.version)
  return { version, rank: versionRank(version), is_deleted: row.is_deleted === 1, facts: factsOf(row) }
}

/** The facts of a row of the fast path. Its name is that of its start, because a rename takes the slow path. */
function factsOf(row: Row): CallFacts {
  const { project_id, id } = row
  if (row.is_deleted === 1) return { project_id, id }
  const writer = new RowWriter()
  return { project_id, id, start: startOf(row, writer), end: endOf(row, writer) }
}

function startOf(row: Row, writer: RowWriter): StartFact {
  const values = parseValues(START_COLUMNS, row)
  const body = encodeStart(writer, values)
  const name = row.display_name === '' ? undefined : encodeName(row.display_name)
  const { sent_by } = row
  return { version: BigInt(row.start_version), body, started_at: values.started_at, name, sent_by }
}

function endOf(row: Row, writer: RowWriter): EndFact | undefined {
  const values = parseValues(END_COLUMNS, row)
  if (values.ended_at === null) return undefined
  const body = encodeEnd(writer, values)
  return { version: BigInt(row.end_version), body, ended_at: values.ended_at }
}
