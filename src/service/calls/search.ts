import { SEARCH_FIELDS, type SearchField, type SearchRequest } from '../../contract/calls/search.ts'
import { parseOptionalTime } from '../../core/metrics/time-buckets.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { type TimeCursor, readTimeCursor, writeTimeCursor } from '../../core/time/time-cursor.ts'
import { formatTime } from '../../core/time/time.ts'
import {
  type FoundCall,
  type Search,
  type SearchRange,
  compileSearch,
  listFound,
  listFoundByNote,
  listNotes,
} from '../../store/calls/read/search.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { viewHit } from './search-hit.ts'
import { searchSlices } from '../../store/calls/read/search-slices.ts'

/** Handler for text search in calls and notes, newest first. */

const DEFAULT_HITS = 50

export function searchHandlers(deps: Deps): Pick<Handlers, 'project_search'> {
  const { db } = deps
  return {
    project_search: async (request) => {
      const { project_id, text } = request
      const fields = new Set<SearchField>(request.fields ?? SEARCH_FIELDS)
      const query = parseQuery(request.query)
      const search = await compileSearch(deps, { project_id, filter: request.filter, query, text, fields })
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

/** Searches slice after slice until there are enough hits. */
async function findNewestHits(
  { db, pageBoundaries, searchTimeoutMs: timeoutMs }: Pick<Deps, 'db' | 'pageBoundaries' | 'searchTimeoutMs'>,
  search: Search,
  range: SearchRange,
  limit: number,
): Promise<SearchPage> {
  const { project_id, fields, indexed } = search
  const findNoted = async (): Promise<FoundCall[]> =>
    fields.has('note') ? listFoundByNote(db, search, range, limit + 1) : []
  if (fields.size === 1 && fields.has('note')) return cutPage(await findNoted(), limit, undefined)
  const options = { pageBoundaries, project_id, isIndexed: indexed.length > 0, timeoutMs }
  const calls: FoundCall[] = []
  let noted: Promise<FoundCall[]> | undefined
  let end: TimeCursor | undefined
  for await (const slice of searchSlices(options, range)) {
    noted ??= findNoted()
    const [found, allNoted] = await Promise.all([
      listFound(db, search, slice, limit + 1 - calls.length),
      noted,
    ])
    calls.push(
      ...mergeNewestFirst(
        found,
        allNoted.filter((call) => isInRange(call, slice)),
      ),
    )
    if (calls.length > limit) break
    end = slice.isLast || slice.from === undefined ? undefined : { at: slice.from, id: '' }
  }
  return cutPage(calls, limit, end)
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
