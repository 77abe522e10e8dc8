import type { SearchField } from '../../contract/calls/search.ts'
import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { callId, callPrefix, PAYLOAD, records } from './feedback-field.ts'
import { OP_NAME } from './fields.ts'
import { inOrder, isBehind } from './page-boundary.ts'
import { from } from '../query/scope.ts'
import type { SearchPattern } from './search-pattern.ts'
import { and, identifier, join, moment, type Sql, sql } from '../query/sql.ts'

/** Where a call stands in the order of a search: by its time and then its id, the newest first. */
interface SearchPosition {
  readonly at: Micros
  readonly id: string
}

export interface SearchSpan {
  /** Not earlier than this. */
  readonly from: Micros | undefined
  /** Behind this; one without an id is behind everything of its time. */
  readonly behind: SearchPosition | undefined
}

export interface Search {
  readonly project_id: string
  readonly pattern: SearchPattern
  readonly fields: ReadonlySet<SearchField>
  /** What must hold beside. */
  readonly conditions: readonly Sql[]
  /** What holds wherever the text stands in a call, and an index knows. */
  readonly indexed: readonly Sql[]
}

export interface FoundCall {
  readonly id: string
  readonly started: string
  readonly trace_id: string
  readonly parent_id: string
  readonly op_name: string
  readonly display_name: string
  readonly started_at: string
  readonly ended_at: string | null
  readonly has_exception: number
  readonly wb_user_id: string
  /** Of the fields in which the text was found, as far as it is shown; null for the others. */
  readonly found_name: string | null
  readonly found_display_name: string | null
  readonly found_exception: string | null
  readonly found_inputs: string | null
  readonly found_output: string | null
}

/** Bytes of one document that are read to show where a text stands. */
const SHOWN_BYTES = 262_144

type CallField = Exclude<SearchField, 'note'>
const TEXTS: ReadonlyMap<CallField, Sql> = new Map([
  ['name', OP_NAME],
  ['display_name', sql`display_name`],
  ['exception', sql`ifNull(exception, '')`],
])
const DOCUMENTS: readonly CallField[] = ['inputs', 'output']

function tests({ pattern, fields }: Search): [CallField, Sql, Sql][] {
  const texts = [...TEXTS].map(([field, text]): [CallField, Sql, Sql] => [field, text, pattern.inText(text)])
  const documents = DOCUMENTS.map((field): [CallField, Sql, Sql] => [
    field,
    identifier(field),
    pattern.inJson(identifier(field)),
  ])
  return [...texts, ...documents].filter(([field]) => fields.has(field))
}

function columns(search: Search): Sql {
  const asked = new Map(tests(search).map(([field, text, test]) => [field, { text, test }]))
  const found = [...TEXTS.keys(), ...DOCUMENTS].map((field) => {
    const one = asked.get(field)
    const alias = identifier(`found_${field}`)
    return one === undefined
      ? sql`CAST(NULL AS Nullable(String)) AS ${alias}`
      : sql`if(${one.test}, left(${one.text}, ${SHOWN_BYTES}), NULL) AS ${alias}`
  })
  return sql`id, toUnixTimestamp64Micro(started_at) AS started, trace_id, parent_id, op_name, display_name, started_at, ended_at,
  isNotNull(exception) AS has_exception, wb_user_id,
  ${join(found, ',\n  ')}`
}

export function within({ from: first, behind }: SearchSpan): Sql[] {
  const spans = first === undefined ? [] : [sql`started_at >= ${moment(first)}`]
  if (behind === undefined) return spans
  const { at, id } = behind
  return [...spans, isBehind(id === '' ? { started: at } : { started: at, id }, 'desc')]
}

/** Calls of a span in which the text stands. */
export async function listFound(
  db: Database,
  search: Search,
  span: SearchSpan,
  limit: number,
): Promise<FoundCall[]> {
  return db.rows<FoundCall>(selectFound(search, span, limit), { name: 'search', kind: 'scan' })
}

export function selectFound(search: Search, span: SearchSpan, limit: number): Sql {
  const anywhere = join(
    tests(search).map(([, , test]) => test),
    ' OR ',
  )
  return sql`SELECT ${columns(search)}
${from(search.project_id, 'calls')} AND ${and([...within(span), ...search.indexed, ...search.conditions, anywhere])}
${inOrder('desc')} LIMIT ${limit}`
}

/** Calls about which there is a note in which the text stands. Notes are few: all of them are looked at. */
export async function listNoted(
  db: Database,
  search: Search,
  span: SearchSpan,
  limit: number,
): Promise<FoundCall[]> {
  return db.rows<FoundCall>(selectNoted(search, span, limit), { name: 'search by note', kind: 'scan' })
}

export function selectNoted(search: Search, span: SearchSpan, limit: number): Sql {
  const { project_id, pattern, conditions } = search
  const ids = sql`SELECT ${callId(project_id)} ${records(project_id, NOTES)} AND ${pattern.inText(NOTE)}`
  const places = sql`SELECT started_at, id ${from(project_id, 'call_ids')} AND is_part = 0 AND id IN (${ids})`
  return sql`SELECT ${columns(search)}
${from(project_id, 'calls')} AND (started_at, id) IN (${places})
  AND ${and([...within(span), ...conditions])}
${inOrder('desc')} LIMIT ${limit}`
}

export interface FoundNote {
  readonly id: string
  readonly call_id: string
  readonly note: string
}

/** The notes about these calls in which the text stands. */
export async function listNotes(
  db: Database,
  { project_id, pattern }: Pick<Search, 'project_id' | 'pattern'>,
  call_ids: readonly string[],
): Promise<FoundNote[]> {
  if (call_ids.length === 0) return []
  const statement = selectNotes(project_id, pattern, call_ids)
  return db.rows<FoundNote>(statement, { name: 'notes found', kind: 'list' })
}

export function selectNotes(project_id: string, pattern: SearchPattern, call_ids: readonly string[]): Sql {
  const refs = call_ids.map((id) => callPrefix(project_id) + id)
  return sql`SELECT id, ${callId(project_id)} AS call_id, ${NOTE} AS note
${records(project_id, NOTES)} AND weave_ref IN ${refs} AND ${pattern.inText(NOTE)}
ORDER BY created_at DESC, id DESC`
}

const NOTES = 'wandb.note.1'
const NOTE = sql`JSONExtractString(${PAYLOAD}, 'note')`
