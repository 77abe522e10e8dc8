import type { SearchField, SearchHit, SearchMatch, SearchRequest } from '../../contract/calls/search.ts'
import { SEARCH_FIELDS } from '../../contract/calls/search.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { readTimeCursor, type TimeCursor, writeTimeCursor } from '../../core/time/time-cursor.ts'
import { openingOf, previewOf, unescapeJson } from '../../core/calls/search-preview.ts'
import { timeOrNone } from '../../core/metrics/time-buckets.ts'
import { formatTime, type Micros } from '../../core/time/time.ts'
import { callConditions } from '../../store/calls/selection.ts'
import { findEdge } from '../../store/calls/page-boundary.ts'
import type { Database } from '../../store/database/database.ts'
import {
  type FoundCall,
  type FoundNote,
  listFound,
  listNoted,
  listNotes,
  type Search,
  type SearchSpan,
  within,
} from '../../store/calls/search.ts'
import { indexConditions } from '../../store/calls/search-index.ts'
import { SearchPattern } from '../../store/calls/search-pattern.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

const HITS = 50

/** Calls looked at first, and how many times as many next: a text that is common is found in the first few. */
const FIRST_CALLS = 4_096
const GROWTH = 8

/** An index leaves most calls out: fewer statements are quicker then, unless the text is common. */
const INDEXED_GROWTH = 64

export function searchHandlers(deps: Deps): Pick<Handlers, 'project_search'> {
  const { db, searchIndex } = deps
  return {
    project_search: async (request) => {
      const { project_id, text } = request
      const pattern = new SearchPattern(text)
      const fields = new Set<SearchField>(request.fields ?? SEARCH_FIELDS)
      const conditions = callConditions(project_id, request.filter, parseQuery(request.query))
      const indexed = indexConditions(searchIndex, text)
      const search = { project_id, pattern, fields, conditions, indexed }
      const found = await newestHits(deps, search, spanOf(request), request.limit ?? HITS)
      const notes = fields.has('note') ? await listNotes(db, search, idsOf(found.calls)) : []
      return {
        hits: found.calls.map((call) => viewHit(call, notes, text)),
        cursor: found.end === undefined ? null : writeTimeCursor(found.end),
        searched_to: found.end === undefined ? null : formatTime(found.end.at),
      }
    },
  }
}

function spanOf(request: SearchRequest): SearchSpan {
  const before = timeOrNone(request.before, 'before')
  const cursor = typeof request.cursor === 'string' ? readTimeCursor(request.cursor) : undefined
  const behind = before === undefined ? undefined : { at: before, id: '' }
  return {
    from: timeOrNone(request.after, 'after'),
    behind: cursor !== undefined && (behind === undefined || cursor.at < behind.at) ? cursor : behind,
  }
}

interface Found {
  readonly calls: readonly FoundCall[]
  /** Where to go on; undefined if there is no more. */
  readonly end: TimeCursor | undefined
}

/**
 * Slice by slice back in time, each larger than the one before, until there are enough: what is common is found
 * without a look at the whole project, and what is rare costs few statements more than one look at all of it.
 */
async function newestHits(
  { db, searchMs }: Pick<Deps, 'db' | 'searchMs'>,
  search: Search,
  span: SearchSpan,
  limit: number,
): Promise<Found> {
  const start = performance.now()
  const { fields, indexed } = search
  const noted = fields.has('note') ? listNoted(db, search, span, limit + 1) : Promise.resolve([])
  if (fields.size === 1 && fields.has('note')) return pageOf(await noted, limit, undefined)
  const calls: FoundCall[] = []
  let behind = span.behind
  const growth = indexed.length === 0 ? GROWTH : INDEXED_GROWTH
  for (let size = FIRST_CALLS; ;) {
    const began = performance.now()
    const wanted = limit + 1 - calls.length
    const [{ edge, found }, allNoted] = await Promise.all([
      searchSlice(db, search, { ...span, behind }, size, wanted),
      noted,
    ])
    const slice = { from: edge ?? span.from, behind }
    calls.push(
      ...merged(
        found,
        allNoted.filter((call) => isIn(call, slice)),
      ),
    )
    if (calls.length > limit || edge === undefined) return pageOf(calls, limit, undefined)
    behind = { at: edge, id: '' }
    const now = performance.now()
    if (now - start > searchMs) return pageOf(calls, limit, behind)
    // No more than what the time that is left is likely to do for.
    const rate = size / Math.max(1, now - began)
    const next = Math.min(size * growth, Math.floor(rate * (start + searchMs - now)))
    size = Math.max(FIRST_CALLS, next)
  }
}

/** As many calls behind a position as were asked for, or a few more of the same time. */
async function searchSlice(
  db: Database,
  search: Search,
  span: SearchSpan,
  size: number,
  limit: number,
): Promise<{ edge: Micros | undefined; found: FoundCall[] }> {
  const edge = await findEdge(db, search.project_id, within(span), 'desc', size)
  return { edge, found: await listFound(db, search, { from: edge ?? span.from, behind: span.behind }, limit) }
}

function pageOf(calls: readonly FoundCall[], limit: number, end: TimeCursor | undefined): Found {
  if (calls.length <= limit) return { calls, end }
  const page = calls.slice(0, limit)
  const last = page.at(-1)!
  return { calls: page, end: { at: BigInt(last.started), id: last.id } }
}

function isIn(call: FoundCall, { from, behind }: SearchSpan): boolean {
  const at = BigInt(call.started)
  return (
    (from === undefined || at >= from) && (behind === undefined || at < behind.at || isBehind(call, behind))
  )
}

function isBehind(call: FoundCall, behind: TimeCursor): boolean {
  return BigInt(call.started) === behind.at && compareBytes(call.id, behind.id) < 0
}

/** Each once, the newest first. */
function merged(found: readonly FoundCall[], noted: readonly FoundCall[]): FoundCall[] {
  const byId = new Map([...noted, ...found].map((call) => [call.id, call]))
  return [...byId.values()].toSorted((a, b) => {
    const difference = BigInt(b.started) - BigInt(a.started)
    return difference === 0n ? compareBytes(b.id, a.id) : difference > 0n ? 1 : -1
  })
}

/** As the engine orders text: by its bytes. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function idsOf(calls: readonly FoundCall[]): string[] {
  return calls.map((call) => call.id)
}

function viewHit(call: FoundCall, notes: readonly FoundNote[], text: string): SearchHit {
  const fields: [SearchField, string | null][] = [
    ['name', call.found_name],
    ['display_name', call.found_display_name],
    ['exception', call.found_exception],
    ['inputs', call.found_inputs === null ? null : unescapeJson(call.found_inputs)],
    ['output', call.found_output === null ? null : unescapeJson(call.found_output)],
  ]
  return {
    id: call.id,
    trace_id: call.trace_id,
    parent_id: call.parent_id === '' ? null : call.parent_id,
    op_name: call.op_name,
    display_name: call.display_name === '' ? null : call.display_name,
    started_at: call.started_at,
    ended_at: call.ended_at,
    has_exception: call.has_exception === 1,
    wb_user_id: call.wb_user_id === '' ? null : call.wb_user_id,
    matches: [
      ...fields.flatMap(([field, shown]) => (shown === null ? [] : [viewMatch(field, null, shown, text)])),
      ...notes
        .filter((note) => note.call_id === call.id)
        .map((note) => viewMatch('note', note.id, note.note, text)),
    ],
  }
}

function viewMatch(field: SearchField, feedback_id: string | null, shown: string, text: string): SearchMatch {
  return { field, feedback_id, ...(previewOf(shown, text) ?? openingOf(shown)) }
}
