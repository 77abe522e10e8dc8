import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MetricsGroup } from '../../src/contract/metrics/metrics.ts'
import { SEARCH_FIELDS, type SearchField } from '../../src/contract/calls/search.ts'
import { splitPath } from '../../src/core/query/path.ts'
import { useServer } from '../harness.ts'
import { textAt } from '../query-interpreter.ts'
import { holds } from '../search-interpreter.ts'
import { CallSet } from './call-set.ts'
import {
  bodyOf,
  byId,
  byTime,
  listed,
  type ListRequest,
  listsOver,
  type Narrowing,
  narrowed,
  narrowingsOver,
} from './list-requests.ts'
import { anyCalls } from './random-calls.ts'
import { type SeenCall, storeCalls } from './stored-calls.ts'

/**
 * What the server answers is what a small interpreter answers on the same calls: lists, orders, pages, counts, groups,
 * exports and searches, over calls that were sent several times, still run, ended twice, were renamed and deleted.
 * `HEDDLE_PROPERTY_RUNS=5000` asks for more of them, `HEDDLE_PROPERTY_SEED` for others.
 */
// A machine that is busy with something else is no difference.
const server = useServer({ listTimeoutSeconds: 600, scanTimeoutSeconds: 600 })
const RUNS = Number(process.env['HEDDLE_PROPERTY_RUNS'] ?? 300)
const SEED = Number(process.env['HEDDLE_PROPERTY_SEED'] ?? 20_261_115)

/** Requests about one set of calls; one of five searches. */
const RUNS_PER_SET = 200
const AT_ONCE = 3

test(
  `server and interpreter list, count and find the same calls, for ${RUNS} requests`,
  { timeout: 3_600_000 },
  async () => {
    for (let n = 0; n * RUNS_PER_SET < RUNS; n++) {
      const set = await storedSet(n)
      const runs = Math.min(RUNS_PER_SET, RUNS - n * RUNS_PER_SET)
      const searches = Math.floor(runs / 5)
      const lists = listsOver(set.project_id, set.calls, set.places)
      await each(sampled(lists, runs - searches, n), async (request) => checkList(set, request))
      await each(sampled(searchesOver(set), searches, n), async (request) => checkSearch(set, request))
      const [first = ''] = set.differences
      expect(first, `${set.differences.length} differences, seed ${SEED}`).toBe('')
    }
  },
)

/** All sets have calls of the same ids, each in a project of its own. */
async function storedSet(n: number): Promise<CallSet> {
  const project_id = `acme/p${n}`
  const [drawn = []] = sampled(anyCalls, 1, n)
  await storeCalls(server, project_id, drawn, SEED + n)
  // As parts come in, and as they look once the engine has merged them.
  if (n % 2 === 1) await server.heddle.deps.db.ddl('OPTIMIZE TABLE calls FINAL')
  return new CallSet(project_id, drawn)
}

function sampled<T>(requests: fc.Arbitrary<T>, numRuns: number, n: number): T[] {
  return fc.sample(requests, { numRuns, seed: SEED + n })
}

/** A few at a time, as clients do. */
async function each<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += AT_ONCE) await Promise.all(items.slice(i, i + AT_ONCE).map(run))
}

interface WithId {
  readonly id: string
}

async function askIds(path: string, body?: string): Promise<string[]> {
  const answer = await server.send(path, body)
  if (answer.status !== 200)
    throw new Error(`${answer.status}: ${answer.text}\n${path} ${body}`.slice(0, 4000))
  const lines = answer.text.split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as WithId).id)
}

async function checkList(set: CallSet, request: ListRequest): Promise<void> {
  const { project_id, calls } = set
  const body = bodyOf(request, { project_id, columns: ['id'] })
  set.compareIds(body, await askIds('/calls/stream_query', body), listed(request, calls))
  const { filter, query, limit, offset = 1 } = request
  const all = narrowed(request, calls)
  const counting = bodyOf({ filter, query, limit }, { project_id })
  const { count } = await server.post<{ count: number }>('/calls/query_stats', counting)
  set.compare(counting, count, Math.min(all.length, limit ?? all.length))
  if (offset % 3 === 0) await checkExport(set, request)
  else if (offset % 3 === 1) await checkPages(set, request)
  else await checkGroups(set, request)
}

/** An export of the same calls, which come in the order of time. */
async function checkExport(set: CallSet, { filter, query }: Narrowing): Promise<void> {
  const asked = { what: 'calls', columns: 'id', filter: JSON.stringify(filter ?? {}), query: query ?? 'null' }
  const path = `/api/v1/projects/${set.project_id}/export?${new URLSearchParams(asked).toString()}`
  // Longer ones are no URLs: headers may have 16 KiB.
  if (path.length > 12_000) return
  set.compareIds(path, await askIds(path), listed({ filter, query }, set.calls))
}

/** All pages by their cursors, the newest first. */
async function checkPages(set: CallSet, { filter, query, limit = 20 }: ListRequest): Promise<void> {
  const narrowing = { filter, query }
  const path = `/api/v1/projects/${set.project_id}/calls`
  const found = await followed(path, narrowing, { columns: ['id'], limit: limit + 3 }, 'calls')
  set.compareIds(`${path} ${bodyOf(narrowing, {})}`, found, newestFirst(narrowed(narrowing, set.calls)))
}

/** Calls counted by what one field says. */
async function checkGroups(set: CallSet, { filter, query, sort_by }: ListRequest): Promise<void> {
  const field = sort_by?.[0]?.field ?? 'summary.weave.status'
  const expected = new Map<string | null, number>()
  for (const { row } of narrowed({ filter, query }, set.calls)) {
    const key = textAt(splitPath(field), row)
    expected.set(key, (expected.get(key) ?? 0) + 1)
  }
  const span = { start: '1960-01-01T00:00:00Z', end: '2200-01-01T00:00:00Z', bucket: 'none' }
  const body = bodyOf({ filter, query }, { ...span, group_by: [field], measures: ['count'], top: 100 })
  const path = `/api/v1/projects/${set.project_id}/metrics`
  const { groups } = await server.post<{ groups: MetricsGroup[] }>(path, body)
  const found = new Map(groups.map(({ key, totals }) => [key[field], totals['count']]))
  set.compare(`${path} ${body}`, onlyIn(found, expected), onlyIn(expected, found))
}

/** Both empty if they say the same: a set has many groups. */
function onlyIn(groups: ReadonlyMap<unknown, unknown>, others: ReadonlyMap<unknown, unknown>): unknown[] {
  return [...groups].filter(([key, count]) => others.get(key) !== count)
}

async function followed(
  path: string,
  narrowing: Narrowing,
  more: { readonly limit: number; readonly [key: string]: unknown },
  list: string,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: Record<string, unknown> = await server.post(path, bodyOf(narrowing, { ...more, cursor }))
    const items = page[list] as WithId[]
    expect(items.length).toBeLessThanOrEqual(more.limit)
    ids.push(...items.map(({ id }) => id))
    cursor = page['cursor'] as string | null
    // None comes twice, so there is an end.
  } while (cursor !== null && new Set(ids).size === ids.length)
  return ids
}

function newestFirst(calls: readonly SeenCall[]): SeenCall[] {
  return [...calls].sort((a, b) => byTime(b, a) || byId(b, a))
}

interface SearchRequest {
  readonly narrowing: Narrowing
  readonly text: string
  readonly fields: SearchField[] | undefined
  readonly limit: number
}

function searchesOver({ project_id, calls, places }: CallSet): fc.Arbitrary<SearchRequest> {
  const texts = calls.flatMap((call) => call.texts.map(([, text]) => text)).filter((text) => text !== '')
  const part = fc
    .tuple(fc.constantFrom(...texts), fc.nat(400), fc.integer({ min: 1, max: 12 }), fc.nat(2))
    .map(([text, from, length, way]) => {
      const characters = Array.from(text)
      const start = from % characters.length
      const needle = characters
        .slice(start, start + length)
        .join('')
        .toWellFormed()
      return way === 0 ? needle : way === 1 ? needle.toUpperCase() : needle.toLowerCase()
    })
  return fc.record({
    text: part,
    fields: fc.oneof(fc.constant(undefined), fc.subarray([...SEARCH_FIELDS], { minLength: 1 })),
    limit: fc.constantFrom(3, 7, 50),
    narrowing: fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: narrowingsOver(project_id, calls, places) },
    ),
  })
}

async function checkSearch(set: CallSet, { narrowing, text, fields, limit }: SearchRequest): Promise<void> {
  const expected = narrowed(narrowing, set.calls).filter((call) =>
    call.texts.some(([field, held]) => (fields ?? SEARCH_FIELDS).includes(field) && holds(held, text)),
  )
  const path = `/api/v1/projects/${set.project_id}/search`
  const found = await followed(path, narrowing, { text, fields, limit }, 'hits')
  set.compareIds(`${path} ${bodyOf(narrowing, { text, fields, limit })}`, found, newestFirst(expected))
}
