import type { CallFacts, Fact, FactKind, FactVersions } from '../../../core/calls/call-facts.ts'
import { versionContent } from '../../../core/calls/fact-versions.ts'
import type { Database } from '../../database/database.ts'
import type { RowWriter } from '../../database/row-binary.ts'
import { fromProjects } from '../../query/scope.ts'
import { type Sql, sql } from '../../query/sql.ts'
import { encodeNamedStart, endTimeIn, splitNamedStart, startTimeIn } from '../columns/call-columns.ts'
import { byProject, type CallKey, callKey } from './call-keys.ts'
import type { LargeCalls } from './large-calls.ts'

/** Facts of calls in `call_parts`. A call may have many, so the slow path reads their versions, and few bodies. */

/** The names of facts in the table. */
const STORED_NAME = {
  start: 'start',
  end: 'end',
  rename: 'name',
  deletion: 'deletion',
  content: 'content',
} as const
type StoredName = (typeof STORED_NAME)[FactKind]

export const PART_COLUMNS = ['project_id', 'id', 'fact', 'version', 'body', 'sent_by'] as const

/** Writes the rows of call_parts for these facts. The body of a fact that repeats a stored one may be empty. */
export function writePartRows(writer: RowWriter, { project_id, id, ...facts }: CallFacts): void {
  const { start, end, rename, deletion, contents = [] } = facts
  const write = (kind: FactKind, fact: Fact | undefined, sent_by = ''): void => {
    if (fact === undefined) return
    writer.string(project_id).string(id).string(STORED_NAME[kind]).u128(fact.version).bytes(fact.body)
    writer.string(sent_by)
  }
  write('start', start && { ...start, body: encodeNamedStart(start.body, start.name) }, start?.sent_by)
  write('end', end)
  write('rename', rename)
  write('deletion', deletion)
  for (const content of contents) write('content', content)
}

export const NO_VERSIONS: FactVersions = { start: [], end: [], rename: [], deletion: [], content: [] }

/** The versions of all facts of these calls, by call key. */
export async function readPartVersions(
  db: Database,
  keys: readonly CallKey[],
): Promise<Map<string, FactVersions>> {
  const found = new Map<string, FactVersions>()
  if (keys.length === 0) return found
  interface VersionsRow extends CallKey {
    readonly fact: StoredName
    readonly versions: readonly string[]
  }
  const rows = await db.rows<VersionsRow>(selectPartVersions(keys), { name: 'parts of calls', kind: 'write' })
  for (const row of rows) {
    const kind: FactKind = row.fact === 'name' ? 'rename' : row.fact
    const known = found.get(callKey(row)) ?? NO_VERSIONS
    found.set(callKey(row), { ...known, [kind]: row.versions.map(BigInt) })
  }
  return found
}

export function selectPartVersions(keys: readonly CallKey[]): Sql {
  return sql`SELECT project_id, id, fact, groupUniqArray(version) AS versions
${fromProjects('call_parts', byProject(keys))}
GROUP BY project_id, id, fact`
}

/** A row of call_parts as it is stored, to copy it to another shard. */
interface PartRow extends CallKey {
  readonly fact: StoredName
  readonly version: string
  readonly encoded: string
  readonly sent_by: string
  readonly is_large_row?: true
}

export async function readPartRows(
  db: Database,
  keys: readonly CallKey[],
  large?: LargeCalls,
): Promise<readonly PartRow[]> {
  const options = { name: 'rows of parts', kind: 'write', ...large?.statementOptions } as const
  const rows = await db.rows<PartRow>(selectPartRows(keys), options)
  return large?.collect(rows) ?? rows
}

export function selectPartRows(keys: readonly CallKey[]): Sql {
  return sql`SELECT project_id, id, fact, version, base64Encode(max(body)) AS encoded, max(sent_by) AS sent_by
${fromProjects('call_parts', byProject(keys))}
GROUP BY project_id, id, fact, version`
}

export function copyPartRows(writer: RowWriter, rows: readonly PartRow[]): void {
  for (const { project_id, id, fact, version, encoded, sent_by } of rows)
    writer
      .string(project_id)
      .string(id)
      .string(fact)
      .u128(BigInt(version))
      .bytes(Buffer.from(encoded, 'base64'))
      .string(sent_by)
}

/** The facts to read of a call. */
export interface WantedFacts extends CallKey {
  readonly start: bigint | undefined
  readonly end: bigint | undefined
  readonly rename: bigint | undefined
  readonly contents: readonly bigint[]
}

/** The facts with these versions, by call key. */
export async function readPartBodies(
  db: Database,
  wanted: readonly WantedFacts[],
  large?: LargeCalls,
): Promise<Map<string, CallFacts>> {
  const found = new Map<string, CallFacts>()
  if (wanted.length === 0) return found
  const options = { name: 'bodies of parts', kind: 'write', ...large?.statementOptions } as const
  const rows = await db.rows<PartRow>(selectPartBodies(wanted), options)
  const rowsByKey = new Map<string, PartRow[]>(wanted.map((call) => [callKey(call), []]))
  for (const row of large?.collect(rows) ?? rows) rowsByKey.get(callKey(row))?.push(row)
  for (const call of wanted)
    if (large?.has(call) !== true)
      found.set(callKey(call), wantedFacts(call, rowsByKey.get(callKey(call)) ?? []))
  return found
}

export function selectPartBodies(wanted: readonly WantedFacts[]): Sql {
  const contents = wanted.flatMap(({ id, start, end, rename, contents: others }) => {
    const versions = { start, end, rename }
    return [
      ...(['start', 'end', 'rename'] as const).map((kind) => [kind, versions[kind]] as const),
      ...others.map((version) => ['content', version] as const),
    ].flatMap(([kind, version]) =>
      version === undefined ? [] : [`${STORED_NAME[kind]} ${versionContent(version)} ${id}`],
    )
  })
  return sql`SELECT project_id, id, fact, version, base64Encode(any(body)) AS encoded, max(sent_by) AS sent_by
${fromProjects('call_parts', byProject(wanted))}
  AND concat(fact, ' ', toString(bitAnd(version, 9007199254740991)), ' ', id) IN ${contents} AND body != ''
GROUP BY project_id, id, fact, version`
}

function wantedFacts(
  { project_id, id, start, end, rename, contents }: WantedFacts,
  rows: readonly PartRow[],
): CallFacts {
  const startFact = start === undefined ? undefined : wantedFact('start', start, rows)
  const endFact = end === undefined ? undefined : wantedFact('end', end, rows)
  return {
    project_id,
    id,
    start: startFact && {
      ...startFact,
      ...splitNamedStart(startFact.body),
      started_at: startTimeIn(startFact.body),
    },
    end: endFact && { ...endFact, ended_at: endTimeIn(endFact.body) },
    rename: rename === undefined ? undefined : wantedFact('rename', rename, rows),
    contents: contents.map((version) => wantedFact('content', version, rows)),
  }
}

type PartFact = Fact & Pick<PartRow, 'sent_by'>

/** The body may be that of an earlier fact with the same content. */
function wantedFact(kind: FactKind, version: bigint, rows: readonly PartRow[]): PartFact {
  const same = rows
    .filter(
      (row) =>
        row.fact === STORED_NAME[kind] && versionContent(BigInt(row.version)) === versionContent(version),
    )
    .map((row) => ({
      version: BigInt(row.version),
      body: Buffer.from(row.encoded, 'base64'),
      sent_by: row.sent_by,
    }))
  const earliest = same.reduce<PartFact | undefined>(
    (first, next) => (first === undefined || next.version < first.version ? next : first),
    undefined,
  )
  const found = same.find((fact) => fact.version === version) ?? earliest
  if (found === undefined) throw new Error(`the ${kind} ${version} of a call has no body in call_parts`)
  return { ...found, version }
}
