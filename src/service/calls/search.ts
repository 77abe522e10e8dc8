import { SEARCH_FIELDS, type SearchField, type SearchRequest } from '../../contract/calls/search.ts'
import { parseOptionalTime } from '../../core/metrics/time-buckets.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { type TimeCursor, readTimeCursor, writeTimeCursor } from '../../core/time/time-cursor.ts'
import { type Micros, formatTime } from '../../core/time/time.ts'
import { indexConditions } from '../../store/calls/search-index.ts'
import { SearchPattern } from '../../store/calls/search-pattern.ts'
import {
  type FoundCall,
  type Search,
  type SearchRange,
  listFound,
  listFoundByNote,
  listNotes,
  rangeConditions,
} from '../../store/calls/search.ts'
import { callConditions } from '../../store/calls/selection.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { readFieldSources } from './field-sources.ts'
import { viewHit } from './search-hit.ts'

/** Handler for text search in calls and notes, newest first. */

const DEFAULT_HITS = 50

/**
 * Number of calls in the first slice, and the growth factor of the next ones. Common text is found in the first
 * slices.
 */
const FIRST_SLICE_CALLS = 4_096

const SLICE_GROWTH = 8

/** With an index most calls are skipped, so fewer and larger slices are faster, unless the text is common. */
const INDEXED_SLICE_GROWTH = 64

export function searchHandlers(deps: Deps): Pick<Handlers, 'project_search'> {
  const { db, searchIndex } = deps
  return {
    project_search: async (request) => {
      const { project_id, text } = request
      const pattern = new SearchPattern(text)
      const fields = new Set<SearchField>(request.fields ?? SEARCH_FIELDS)
      const query = parseQuery(request.query)
      const sources = await readFieldSources(deps, project_id, query)
      const conditions = callConditions(project_id, request.filter, query, sources)
      const indexed = indexConditions(searchIndex, text)
      const search = { project_id, pattern, fields, conditions, indexed }
      const found = await findNewestHits(deps, search, searchRange(request), request.limit ?? DEFAULT_HITS)
      const notes = fields.has('note') ? await listNotes(db, search, callIds(found.calls)) : []
      return {
        hits: found.calls.map((call) => viewHit(call, notes, text)),
        cursor: found.end === undefined ? null : writeTimeCursor(found.end),
        searched_to: found.end === undefined ? null : formatTime(found.end.at),
      }
    },
  }
}

function searchRange(request: SearchRequest): SearchRange {
  const before = parseOptionalTime(request.before, 'before')
  const cursor = typeof request.cursor === 'string' ? readTimeCursor(request.cursor) : undefined
  const upperBound = before === undefined ? undefined : { at: before, id: '' }
  return {
    from: parseOptionalTime(request.after, 'after'),
    after:
      cursor !== undefined && (upperBound === undefined || cursor.at < upperBound.at) ? cursor : upperBound,
  }
}

interface SearchPage {
  readonly calls: readonly FoundCall[]
  /** Where the next page starts; undefined if there are no more. */
  readonly end: TimeCursor | undefined
}

/**
 * Searches slices of calls backwards in time, each larger than the previous one, until there are enough hits. Common
 * text is found without scanning the whole project. Rare text costs only a few statements more than one full scan.
 */
async function findNewestHits(
  deps: Pick<Deps, 'db' | 'pageBoundaries' | 'searchTimeoutMs'>,
  search: Search,
  range: SearchRange,
  limit: number,
): Promise<SearchPage> {
  const start = performance.now()
  const { db, searchTimeoutMs } = deps
  const { fields, indexed } = search
  const noted = fields.has('note') ? listFoundByNote(db, search, range, limit + 1) : Promise.resolve([])
  if (fields.size === 1 && fields.has('note')) return cutPage(await noted, limit, undefined)
  const calls: FoundCall[] = []
  let after = range.after
  const growth = indexed.length === 0 ? SLICE_GROWTH : INDEXED_SLICE_GROWTH
  for (let size = FIRST_SLICE_CALLS; ;) {
    const sliceStart = performance.now()
    const wanted = limit + 1 - calls.length
    const [{ boundary, found }, allNoted] = await Promise.all([
      searchSlice(deps, search, { ...range, after }, size, wanted),
      noted,
    ])
    const slice = { from: boundary ?? range.from, after }
    calls.push(
      ...mergeNewestFirst(
        found,
        allNoted.filter((call) => isInRange(call, slice)),
      ),
    )
    if (calls.length > limit || boundary === undefined) return cutPage(calls, limit, undefined)
    after = { at: boundary, id: '' }
    const now = performance.now()
    if (now - start > searchTimeoutMs) return cutPage(calls, limit, after)
    // The next slice is only as large as can probably be searched in the remaining time.
    const rate = size / Math.max(1, now - sliceStart)
    const next = Math.min(size * growth, Math.floor(rate * (start + searchTimeoutMs - now)))
    size = Math.max(FIRST_SLICE_CALLS, next)
  }
}

/** Searches `size` calls from a position on, plus those with the same start time as the last one. */
async function searchSlice(
  { db, pageBoundaries }: Pick<Deps, 'db' | 'pageBoundaries'>,
  search: Search,
  range: SearchRange,
  size: number,
  limit: number,
): Promise<{ boundary: Micros | undefined; found: FoundCall[] }> {
  const boundary = await pageBoundaries.find(search.project_id, rangeConditions(range), 'desc', size)
  return {
    boundary,
    found: await listFound(db, search, { from: boundary ?? range.from, after: range.after }, limit),
  }
}

function cutPage(calls: readonly FoundCall[], limit: number, end: TimeCursor | undefined): SearchPage {
  if (calls.length <= limit) return { calls, end }
  const page = calls.slice(0, limit)
  const last = page.at(-1)!
  return { calls: page, end: { at: BigInt(last.started), id: last.id } }
}

function isInRange(call: FoundCall, { from, after }: SearchRange): boolean {
  const at = BigInt(call.started)
  return (
    (from === undefined || at >= from) && (after === undefined || at < after.at || isAfterCursor(call, after))
  )
}

function isAfterCursor(call: FoundCall, after: TimeCursor): boolean {
  return BigInt(call.started) === after.at && compareBytes(call.id, after.id) < 0
}

/** Merges both lists without duplicates, newest first. */
function mergeNewestFirst(found: readonly FoundCall[], noted: readonly FoundCall[]): FoundCall[] {
  const byId = new Map([...noted, ...found].map((call) => [call.id, call]))
  return [...byId.values()].toSorted((a, b) => {
    const difference = BigInt(b.started) - BigInt(a.started)
    return difference === 0n ? compareBytes(b.id, a.id) : difference > 0n ? 1 : -1
  })
}

/** Compares UTF-8 bytes, as ClickHouse orders strings. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function callIds(calls: readonly FoundCall[]): string[] {
  return calls.map((call) => call.id)
}
