import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MetricsGroup } from '../../src/contract/metrics/metrics.ts'
import { SEARCH_FIELDS, type SearchField } from '../../src/contract/calls/search.ts'
import { splitPath } from '../../src/core/query/path.ts'
import { parseJsonLines, useServer } from '../harness.ts'
import { textAt } from '../query-interpreter.ts'
import { containsFolded } from '../search-interpreter.ts'
import { CallSet } from './call-set.ts'
import {
  requestBody,
  byId,
  byTime,
  listCalls,
  type ListRequest,
  listRequestsOver,
  type CallSelection,
  selectCalls,
  selectionsOver,
} from './list-requests.ts'
import { anyCalls } from './random-calls.ts'
import { type VisibleCall, storeCalls } from './stored-calls.ts'

/**
 * Property test: the server returns the same as the reference interpreter for lists, sort orders, pages, counts, groups,
 * exports and searches. The calls were sent several times, are running, ended twice, were renamed or deleted.
 * `HEDDLE_PROPERTY_RUNS=5000` runs more requests, `HEDDLE_PROPERTY_SEED` other ones.
 */
// Long timeouts: a busy machine must not fail the test.
const server = useServer({ listTimeoutSeconds: 600, scanTimeoutSeconds: 600 })
const RUNS = Number(process.env['HEDDLE_PROPERTY_RUNS'] ?? 300)
const SEED = Number(process.env['HEDDLE_PROPERTY_SEED'] ?? 20_261_115)

/** Requests per set of calls; one in five is a search. */
const RUNS_PER_SET = 200
const CONCURRENCY = 3

test(
  `the server and the interpreter list, count and find the same calls, for ${RUNS} requests`,
  { timeout: 3_600_000 },
  async () => {
    for (let n = 0; n * RUNS_PER_SET < RUNS; n++) {
      const set = await storeSet(n)
      const runs = Math.min(RUNS_PER_SET, RUNS - n * RUNS_PER_SET)
      const searches = Math.floor(runs / 5)
      const lists = listRequestsOver(set.project_id, set.calls, set.fieldValues)
      await runConcurrently(sample(lists, runs - searches, n), async (request) => checkList(set, request))
      await runConcurrently(sample(searchesOver(set), searches, n), async (request) =>
        checkSearch(set, request),
      )
      const [first = ''] = set.differences
      expect(first, `${set.differences.length} differences, seed ${SEED}`).toBe('')
    }
  },
)

/** All sets have calls with the same ids, each set in its own project. */
async function storeSet(n: number): Promise<CallSet> {
  const project_id = `acme/p${n}`
  const [randomCalls = []] = sample(anyCalls, 1, n)
  const stored = await storeCalls(server, project_id, randomCalls, SEED + n)
  // Every other set is read after ClickHouse has merged its parts.
  if (n % 2 === 1) await server.heddle.deps.db.ddl('OPTIMIZE TABLE calls FINAL')
  return new CallSet(project_id, stored)
}

function sample<T>(requests: fc.Arbitrary<T>, numRuns: number, n: number): T[] {
  return fc.sample(requests, { numRuns, seed: SEED + n })
}

/** Runs a few at a time, as clients do. */
async function runConcurrently<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += CONCURRENCY)
    await Promise.all(items.slice(i, i + CONCURRENCY).map(run))
}

interface WithId {
  readonly id: string
}

async function readIds(path: string, body?: string): Promise<string[]> {
  const response = await server.send(path, body)
  if (response.status !== 200)
    throw new Error(`${response.status}: ${response.text}\n${path} ${body}`.slice(0, 4000))
  return parseJsonLines<WithId>(response.text).map(({ id }) => id)
}

async function checkList(set: CallSet, request: ListRequest): Promise<void> {
  const { project_id, calls } = set
  const body = requestBody(request, { project_id, columns: ['id'] })
  set.compareIds(body, await readIds('/calls/stream_query', body), listCalls(request, calls))
  const { filter, query, limit, offset = 1 } = request
  const all = selectCalls(request, calls)
  const counting = requestBody({ filter, query, limit }, { project_id })
  const { count } = await server.post<{ count: number }>('/calls/query_stats', counting)
  set.compare(counting, count, Math.min(all.length, limit ?? all.length))
  if (offset % 3 === 0) await checkExport(set, request)
  else if (offset % 3 === 1) await checkPages(set, request)
  else await checkGroups(set, request)
}

/** Exports the same calls, ordered by start time. */
async function checkExport(set: CallSet, { filter, query }: CallSelection): Promise<void> {
  const parameters = {
    what: 'calls',
    columns: 'id',
    filter: JSON.stringify(filter ?? {}),
    query: query ?? 'null',
  }
  const path = `/api/v1/projects/${set.project_id}/export?${new URLSearchParams(parameters).toString()}`
  // Longer URLs are rejected: request headers are limited to 16 KiB.
  if (path.length > 12_000) return
  set.compareIds(path, await readIds(path), listCalls({ filter, query }, set.calls))
}

/** Reads all pages by their cursors, newest first. */
async function checkPages(set: CallSet, { filter, query, limit = 20 }: ListRequest): Promise<void> {
  const selection = { filter, query }
  const path = `/api/v1/projects/${set.project_id}/calls`
  const found = await readPages(path, selection, { columns: ['id'], limit: limit + 3 }, 'calls')
  set.compareIds(
    `${path} ${requestBody(selection, {})}`,
    found,
    newestFirst(selectCalls(selection, set.calls)),
  )
}

/** Counts calls grouped by one field. */
async function checkGroups(set: CallSet, { filter, query, sort_by }: ListRequest): Promise<void> {
  const field = sort_by?.[0]?.field ?? 'summary.weave.status'
  const expected = new Map<string | null, number>()
  for (const { row } of selectCalls({ filter, query }, set.calls)) {
    const key = textAt(splitPath(field), row)
    expected.set(key, (expected.get(key) ?? 0) + 1)
  }
  const span = { start: '1960-01-01T00:00:00Z', end: '2200-01-01T00:00:00Z', bucket: 'none' }
  const body = requestBody({ filter, query }, { ...span, group_by: [field], measures: ['count'], top: 100 })
  const path = `/api/v1/projects/${set.project_id}/metrics`
  const { groups } = await server.post<{ groups: MetricsGroup[] }>(path, body)
  const found = new Map(groups.map(({ key, totals }) => [key[field], totals['count']]))
  set.compare(`${path} ${body}`, onlyIn(found, expected), onlyIn(expected, found))
}

/** The groups that differ; comparing only these keeps the message short. */
function onlyIn(groups: ReadonlyMap<unknown, unknown>, others: ReadonlyMap<unknown, unknown>): unknown[] {
  return [...groups].filter(([key, count]) => others.get(key) !== count)
}

async function readPages(
  path: string,
  selection: CallSelection,
  more: { readonly limit: number; readonly [key: string]: unknown },
  list: string,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: Record<string, unknown> = await server.post(path, requestBody(selection, { ...more, cursor }))
    const items = page[list] as WithId[]
    expect(items.length).toBeLessThanOrEqual(more.limit)
    ids.push(...items.map(({ id }) => id))
    cursor = page['cursor'] as string | null
    // Stops at the first repeated call, so that the loop ends.
  } while (cursor !== null && new Set(ids).size === ids.length)
  return ids
}

function newestFirst(calls: readonly VisibleCall[]): VisibleCall[] {
  return [...calls].sort((a, b) => byTime(b, a) || byId(b, a))
}

interface SearchRequest {
  readonly selection: CallSelection
  readonly text: string
  readonly fields: SearchField[] | undefined
  readonly limit: number
}

function searchesOver({ project_id, calls, fieldValues }: CallSet): fc.Arbitrary<SearchRequest> {
  const texts = calls.flatMap((call) => call.texts.map(([, text]) => text)).filter((text) => text !== '')
  const part = fc
    .tuple(fc.constantFrom(...texts), fc.nat(400), fc.integer({ min: 1, max: 12 }), fc.nat(2))
    .map(([text, from, length, casing]) => {
      const characters = Array.from(text)
      const start = from % characters.length
      const needle = characters
        .slice(start, start + length)
        .join('')
        .toWellFormed()
      return casing === 0 ? needle : casing === 1 ? needle.toUpperCase() : needle.toLowerCase()
    })
  return fc.record({
    text: part,
    fields: fc.oneof(fc.constant(undefined), fc.subarray([...SEARCH_FIELDS], { minLength: 1 })),
    limit: fc.constantFrom(3, 7, 50),
    selection: fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: selectionsOver(project_id, calls, fieldValues) },
    ),
  })
}

async function checkSearch(set: CallSet, { selection, text, fields, limit }: SearchRequest): Promise<void> {
  const expected = selectCalls(selection, set.calls).filter((call) =>
    call.texts.some(
      ([field, value]) => (fields ?? SEARCH_FIELDS).includes(field) && containsFolded(value, text),
    ),
  )
  const path = `/api/v1/projects/${set.project_id}/search`
  const found = await readPages(path, selection, { text, fields, limit }, 'hits')
  set.compareIds(`${path} ${requestBody(selection, { text, fields, limit })}`, found, newestFirst(expected))
}
