import type { SearchField } from '../../../contract/calls/search.ts'
import type { Micros } from '../../../core/time/time.ts'
import type { Database } from '../../database/database.ts'
import { callIdOfRef, callRefPrefix, PAYLOAD, feedbackRecords } from './feedback-field.ts'
import { HAS_EXCEPTION, OP_NAME } from '../columns/named-fields.ts'
import { orderByTime, isAfter } from './page-boundary.ts'
import { from } from '../../query/scope.ts'
import { SearchPattern } from './search-pattern.ts'
import { and, identifier, join, moment, type Sql, sql } from '../../query/sql.ts'
import type { FieldReader } from './field-sources.ts'
import { type MatchingCalls, readConditions } from './list-calls.ts'
import { indexConditions, type SearchIndex } from './search-index.ts'

/** The position of a call in search results, which are ordered by start time and id, newest first. */
interface SearchPosition {
  readonly at: Micros
  readonly id: string
}

export interface SearchRange {
  /** The earliest start time, inclusive. */
  readonly from: Micros | undefined
  /** Only calls after this position; with an empty id, after all calls of that time. */
  readonly after: SearchPosition | undefined
}

export interface Search {
  readonly project_id: string
  readonly pattern: SearchPattern
  readonly fields: ReadonlySet<SearchField>
  /** Further conditions. */
  readonly conditions: readonly Sql[]
  /** Conditions that hold for every match and can use the index (search-index.ts). */
  readonly indexed: readonly Sql[]
}

/** A search as it is requested. */
interface RequestedSearch extends MatchingCalls {
  readonly text: string
  readonly fields: ReadonlySet<SearchField>
}

/** Compiles a search. */
export async function compileSearch(
  reader: FieldReader & { readonly searchIndex: SearchIndex },
  { text, fields, ...calls }: RequestedSearch,
): Promise<Search> {
  return {
    project_id: calls.project_id,
    pattern: new SearchPattern(text),
    fields,
    conditions: await readConditions(reader, calls),
    indexed: indexConditions(reader.searchIndex, text),
  }
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
  /** The start of each field that contains the text; null for other fields. */
  readonly found_name: string | null
  readonly found_display_name: string | null
  readonly found_exception: string | null
  readonly found_inputs: string | null
  readonly found_output: string | null
}

/** Bytes per document that are returned for previews of matches. */
const PREVIEW_BYTES = 262_144

type CallField = Exclude<SearchField, 'note'>
const TEXTS: ReadonlyMap<CallField, Sql> = new Map([
  ['name', OP_NAME],
  ['display_name', sql`display_name`],
  ['exception', sql`ifNull(exception, '')`],
])
const DOCUMENTS: readonly CallField[] = ['inputs', 'output']

function fieldTests({ pattern, fields }: Search): [CallField, Sql, Sql][] {
  const texts = [...TEXTS].map(([field, text]): [CallField, Sql, Sql] => [field, text, pattern.inText(text)])
  const documents = DOCUMENTS.map((field): [CallField, Sql, Sql] => [
    field,
    identifier(field),
    pattern.inJson(identifier(field)),
  ])
  return [...texts, ...documents].filter(([field]) => fields.has(field))
}

function columns(search: Search): Sql {
  const searched = new Map(fieldTests(search).map(([field, text, test]) => [field, { text, test }]))
  const found = [...TEXTS.keys(), ...DOCUMENTS].map((field) => {
    const match = searched.get(field)
    const alias = identifier(`found_${field}`)
    return match === undefined
      ? sql`CAST(NULL AS Nullable(String)) AS ${alias}`
      : sql`if(${match.test}, left(${match.text}, ${PREVIEW_BYTES}), NULL) AS ${alias}`
  })
  return sql`id, toUnixTimestamp64Micro(started_at) AS started, trace_id, parent_id, op_name, display_name, started_at, ended_at,
  ${HAS_EXCEPTION} AS has_exception, wb_user_id,
  ${join(found, ',\n  ')}`
}

export function rangeConditions({ from: first, after }: SearchRange): Sql[] {
  const spans = first === undefined ? [] : [sql`started_at >= ${moment(first)}`]
  if (after === undefined) return spans
  const { at, id } = after
  return [...spans, isAfter(id === '' ? { started: at } : { started: at, id }, 'desc')]
}

/** Calls of the range that contain the text. */
export async function listFound(
  db: Database,
  search: Search,
  range: SearchRange,
  limit: number,
): Promise<FoundCall[]> {
  return db.rows<FoundCall>(selectFound(search, range, limit), { name: 'search', kind: 'scan' })
}

export function selectFound(search: Search, range: SearchRange, limit: number): Sql {
  const anywhere = join(
    fieldTests(search).map(([, , test]) => test),
    ' OR ',
  )
  return sql`SELECT ${columns(search)}
${from(search.project_id, 'calls')} AND ${and([...rangeConditions(range), ...search.indexed, ...search.conditions, anywhere])}
${orderByTime('desc')} LIMIT ${limit}`
}

/** The condition that a call matches, by any of the fields. */
export async function matchCondition(db: Database, search: Search): Promise<Sql> {
  const { project_id, pattern } = search
  const anywhere = join(
    fieldTests(search).map(([, , test]) => test),
    ' OR ',
  )
  const inCall = and([...search.indexed, anywhere])
  // With OR the index would not be used, so notes are added only if one matches.
  const notes = await db.rows<{ id: string }>(sql`${selectNotedIds(project_id, pattern)} LIMIT 1`, {
    name: 'has a matching note',
    kind: 'list',
  })
  return notes.length === 0 ? inCall : sql`(${inCall}) OR id IN (${selectNotedIds(project_id, pattern)})`
}

export function selectNotedIds(project_id: string, pattern: SearchPattern): Sql {
  return sql`SELECT ${callIdOfRef(project_id)} AS id ${feedbackRecords(project_id, NOTE_TYPE)} AND ${pattern.inText(NOTE_TEXT)}`
}

/** Calls with a note that contains the text. Notes are few, so all of them are scanned. */
export async function listFoundByNote(
  db: Database,
  search: Search,
  range: SearchRange,
  limit: number,
): Promise<FoundCall[]> {
  return db.rows<FoundCall>(selectFoundByNote(search, range, limit), { name: 'search by note', kind: 'scan' })
}

export function selectFoundByNote(search: Search, range: SearchRange, limit: number): Sql {
  const { project_id, pattern, conditions } = search
  const positions = sql`SELECT started_at, id ${from(project_id, 'call_ids')} AND is_part = 0 AND id IN (${selectNotedIds(project_id, pattern)})`
  return sql`SELECT ${columns(search)}
${from(project_id, 'calls')} AND (started_at, id) IN (${positions})
  AND ${and([...rangeConditions(range), ...conditions])}
${orderByTime('desc')} LIMIT ${limit}`
}

export interface FoundNote {
  readonly id: string
  readonly call_id: string
  readonly note: string
}

/** The notes on these calls that contain the text. */
export async function listNotes(
  db: Database,
  { project_id, pattern }: Pick<Search, 'project_id' | 'pattern'>,
  call_ids: readonly string[],
): Promise<FoundNote[]> {
  if (call_ids.length === 0) return []
  const statement = selectNotes(project_id, pattern, call_ids)
  return db.rows<FoundNote>(statement, { name: 'matching notes', kind: 'list' })
}

export function selectNotes(project_id: string, pattern: SearchPattern, call_ids: readonly string[]): Sql {
  const refs = call_ids.map((id) => callRefPrefix(project_id) + id)
  return sql`SELECT id, ${callIdOfRef(project_id)} AS call_id, ${NOTE_TEXT} AS note
${feedbackRecords(project_id, NOTE_TYPE)} AND weave_ref IN ${refs} AND ${pattern.inText(NOTE_TEXT)}
ORDER BY created_at DESC, id DESC`
}

const NOTE_TYPE = 'wandb.note.1'
const NOTE_TEXT = sql`JSONExtractString(${PAYLOAD}, 'note')`
