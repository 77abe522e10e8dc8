import { expect, test } from 'vitest'
import { formatTime } from '../../src/core/time/time.ts'
import { PageBoundaries } from '../../src/store/calls/read/page-boundary.ts'
import { sql } from '../../src/store/query/sql.ts'
import { useServer } from '../harness.ts'

/** Pages of calls ordered by start time, which are read without scanning the rest of the project. */
const server = useServer()

interface ListedCall {
  readonly id: string
  readonly started_at: string
}

const START = 1_760_000_000_000_000n
const at = (n: number): string => formatTime(START + BigInt(n) * 1_000_000n)
const callId = (n: number): string => `call-${String(n).padStart(5, '0')}`

const list = async (project_id: string, request: object): Promise<string[]> => {
  const { calls } = await server.post<{ calls: ListedCall[] }>('/calls/query', { project_id, ...request })
  return calls.map(({ id }) => id)
}

const is = (field: string, value: unknown): object => ({
  $expr: { $eq: [{ $getField: field }, { $literal: value }] },
})

const contains = (field: string, text: string): object => ({
  $expr: { $contains: { input: { $getField: field }, substr: { $literal: text } } },
})

/** Reads all pages of a list that has this many calls, and the one after. */
async function readPages(
  project_id: string,
  request: object,
  limit: number,
  count: number,
): Promise<string[]> {
  const offsets = Array.from({ length: Math.floor(count / limit) + 1 }, (_, n) => n * limit)
  const pages = await Promise.all(offsets.map((offset) => list(project_id, { ...request, limit, offset })))
  return pages.flat()
}

test('pages concatenate to the list of running, ended, renamed, resent and deleted calls', async () => {
  const project_id = 'acme/pages'
  // Without merges every version stays a separate row, so that the pages must skip old versions.
  await server.heddle.deps.db.ddl('SYSTEM STOP MERGES calls')
  const calls = Array.from({ length: 120 }, (_, n) => n)
  const start = (n: number): object => ({
    project_id,
    id: callId(n),
    // Several calls start at the same time.
    started_at: at(Math.floor(n / 3)),
    op_name: n % 2 === 0 ? 'even' : 'odd',
    inputs: { model: n % 5 === 0 ? 'rare' : 'usual', text: n % 7 === 0 ? 'x'.repeat(5_000) : 'short' },
  })
  const starts = { batch: calls.map((n) => ({ mode: 'start', req: { start: start(n) } })) }
  await server.post('/call/upsert_batch', starts)
  const ended = calls.filter((n) => n % 4 !== 0)
  await server.post('/call/upsert_batch', {
    batch: ended.map((n) => ({
      mode: 'end',
      req: { end: { project_id, id: callId(n), ended_at: at(1_000), output: n, summary: {} } },
    })),
  })
  await server.post('/call/upsert_batch', starts)
  for (const n of [5, 17, 99]) {
    await server.post('/call/update', { project_id, call_id: callId(n), display_name: 'renamed' })
  }
  await server.post('/calls/delete', { project_id, call_ids: [0, 1, 33, 118, 119].map(callId) })
  const selections: object[] = [
    {},
    { filter: { op_names: ['odd'] } },
    { query: is('summary.weave.status', 'running') },
    { query: is('display_name', 'renamed') },
    { query: is('inputs.model', 'rare') },
    { query: is('inputs.text', 'x'.repeat(5_000)) },
    { query: is('inputs.text', 'nothing is') },
    // Searched in extracted fields, and in documents.
    { query: contains('inputs.text', 'xxx') },
    { query: contains('inputs', '"rare"') },
    { filter: { call_ids: [33, 34, 35].map(callId) } },
  ]
  for (const direction of [undefined, 'asc', 'desc']) {
    for (const selection of selections) {
      const sort_by = direction === undefined ? undefined : [{ field: 'started_at', direction }]
      const request = { ...selection, sort_by }
      const whole = await list(project_id, request)
      for (const limit of [11, 50]) {
        const read = await readPages(project_id, request, limit, whole.length)
        expect([request, limit, read]).toEqual([request, limit, whole])
      }
    }
  }
  const sizes = await Promise.all(
    selections.map(async (selection) => (await list(project_id, selection)).length),
  )
  expect(sizes).toEqual([115, 57, 29, 3, 23, 16, 0, 16, 23, 2])
})

test('a page of rare matches is found after thousands of false candidates', async () => {
  const project_id = 'acme/rare'
  // Too long for an extracted field: the document must be read.
  const long = 'y'.repeat(600)
  const count = 24_000
  for (let first = 0; first < count; first += 2_000) {
    await server.post(`/v2/${project_id}/calls/complete`, {
      batch: Array.from({ length: 2_000 }, (_, i) => ({
        project_id,
        id: callId(first + i),
        started_at: at(first + i),
        ended_at: at(first + i + 1),
        op_name: 'op',
        inputs: { text: `${long}${first + i < 3 ? 'found' : ''}` },
      })),
    })
  }
  const sort_by = [{ field: 'started_at', direction: 'desc' }]
  const found = is('inputs.text', `${long}found`)
  expect(await list(project_id, { query: found, sort_by, limit: 2 })).toEqual([2, 1].map(callId))
  expect(await list(project_id, { query: found, sort_by, limit: 2, offset: 2 })).toEqual([0].map(callId))
})

interface CursorPage {
  readonly calls: readonly ListedCall[]
  readonly cursor: string | null
}

test('paging by cursor returns every call once, while calls arrive at both ends', async () => {
  const project_id = 'acme/cursor'
  const send = (numbers: readonly number[]): Promise<unknown> =>
    server.post(`/v2/${project_id}/calls/complete`, {
      batch: numbers.map((n) => ({
        project_id,
        id: callId(n),
        started_at: at(n),
        ended_at: at(n + 1),
        op_name: 'op',
        inputs: { n },
      })),
    })
  const numbers = Array.from({ length: 40 }, (_, i) => 100 + i)
  await send(numbers)
  for (const direction of ['asc', 'desc'] as const) {
    const seen: string[] = []
    let cursor: string | null = null
    let round = 0
    do {
      const page: CursorPage = await server.post<CursorPage>(`/api/v1/projects/${project_id}/calls`, {
        direction,
        limit: 7,
        cursor,
        columns: ['inputs'],
        after: at(100),
        before: at(140),
      })
      seen.push(...page.calls.map(({ id }) => id))
      cursor = page.cursor
      // New calls at both ends, and some calls again.
      await send([round, 200 + round, ...numbers.slice(round * 7, round * 7 + 7)])
      round++
    } while (cursor !== null)
    const expected = numbers.map(callId)
    expect(seen).toEqual(direction === 'asc' ? expected : expected.toReversed())
  }
})

test.each(['trace_ids', 'parent_ids', 'call_ids'] as const)(
  'paging by cursor returns every call once with a filter by %s',
  async (field) => {
    const project_id = `acme/named-${field}`
    const numbers = Array.from({ length: 20 }, (_, i) => i)
    await server.post(`/v2/${project_id}/calls/complete`, {
      batch: numbers.map((n) => ({
        project_id,
        id: callId(n),
        trace_id: 'trace',
        parent_id: 'parent',
        // Two calls per start time.
        started_at: at(n - (n % 2)),
        ended_at: at(n + 1),
        op_name: 'op',
      })),
    })
    const ids = { trace_ids: ['trace'], parent_ids: ['parent'], call_ids: numbers.map(callId) }[field]
    for (const direction of ['asc', 'desc'] as const) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page: CursorPage = await server.post<CursorPage>(`/api/v1/projects/${project_id}/calls`, {
          direction,
          limit: 3,
          cursor,
          columns: ['id'],
          filter: { [field]: ids },
        })
        seen.push(...page.calls.map(({ id }) => id))
        cursor = page.cursor
      } while (cursor !== null && seen.length <= numbers.length)
      const expected = numbers.map(callId)
      expect(seen).toEqual(direction === 'asc' ? expected : expected.toReversed())
    }
  },
)

test('the first page is the newest 50 calls, and an invalid cursor is rejected', async () => {
  const project_id = 'acme/newest'
  await server.post(`/v2/${project_id}/calls/complete`, {
    batch: Array.from({ length: 51 }, (_, n) => ({
      project_id,
      id: callId(n),
      started_at: at(n),
      ended_at: at(n),
      op_name: 'op',
    })),
  })
  const path = `/api/v1/projects/${project_id}/calls`
  const first = await server.post<CursorPage>(path, {})
  expect([first.calls.length, first.calls[0]?.id]).toEqual([50, callId(50)])
  const rest = await server.post<CursorPage>(path, { cursor: first.cursor })
  expect([rest.calls.map(({ id }) => id), rest.cursor]).toEqual([[callId(0)], null])
  expect((await server.send(path, { cursor: 'x' })).status).toBe(422)
})

test('a preview is the start of the payloads in whole characters, with or without the payload columns', async () => {
  const project_id = 'acme/previews'
  const path = `/api/v1/projects/${project_id}/calls`
  const long = '𝒜é'.repeat(5_000)
  await server.post(`/v2/${project_id}/calls/complete`, {
    batch: [
      { id: 'a', inputs: { text: long }, output: { said: long } },
      { id: 'b', inputs: { n: 1.5 }, output: 'short' },
      { id: 'c', inputs: {}, output: null },
    ].map((call, n) => ({ ...call, project_id, op_name: 'op', started_at: at(n), ended_at: at(n + 1) })),
  })
  await server.post('/call/start', {
    start: { project_id, id: 'd', op_name: 'op', started_at: at(9), inputs: { q: 'why' } },
  })
  const read = async (request: object) =>
    (await server.post<{ calls: Record<string, unknown>[] }>(path, { direction: 'asc', ...request })).calls
  const previews = [
    { inputs: `{"text":"${long}`.slice(0, 21), output: `{"said":"${long}`.slice(0, 21) },
    { inputs: '{"n":1.5}', output: '"short"' },
    { inputs: '{}', output: 'null' },
    { inputs: '{"q":"why"}', output: '' },
  ]
  // 𝒜 is one character, but two UTF-16 units in JavaScript.
  expect(Array.from(previews[0]?.inputs ?? '')).toHaveLength(17)
  const bare = await read({ preview_characters: 17, columns: ['op_name'] })
  expect(bare.map((call) => call['preview'])).toEqual(previews)
  expect(bare.map((call) => [call['inputs'], call['output']])).toEqual(bare.map(() => [{}, null]))
  const whole = await read({ preview_characters: 17, filter: { op_names: ['op'] }, include_costs: true })
  expect(whole.map((call) => call['preview'])).toEqual(previews)
  expect(whole[0]?.['inputs']).toEqual({ text: long })
  expect((await read({})).every((call) => !('preview' in call))).toBe(true)
  for (const preview_characters of [0, 2001, 1.5, '9'])
    expect((await server.send(path, { preview_characters })).status).toBe(422)
})

test('previews of calls of a model are the last messages', async () => {
  const project_id = 'acme/conversations'
  const path = `/api/v1/projects/${project_id}/calls`
  const toolCall = { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{}' } }] }
  const long = 'x'.repeat(2000)
  const documents: [inputs: unknown, output: unknown, preview: object][] = [
    [
      {
        self: { url: 'u' },
        messages: [{ role: 'system', content: long }, toolCall, { role: 'tool', content: 'ü 𝒜' }],
      },
      { id: 'i', choices: [{ index: 0, message: { role: 'assistant', content: 'Done' } }] },
      {
        inputs: `{"messages":[${JSON.stringify(toolCall)},{"role":"tool","content":"ü 𝒜"}`,
        output: '{"choices":[{"message":{"role":"assistant","content":"Done"}',
      },
    ],
    [
      {
        messages: [
          { role: 'user', content: long },
          { role: 'user', content: 'second' },
        ],
      },
      { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'A' }] },
      {
        inputs: '{"messages":[{"role":"user","content":"second"}',
        output: '{"role":"assistant","content":[{"type":"text","text":"A"}]',
      },
    ],
    [
      { contents: [{ parts: [{ text: 'Hi' }] }] },
      { candidates: [{ content: { parts: [{ text: 'B' }] } }] },
      {
        inputs: '{"messages":[{"parts":[{"text":"Hi"}]}',
        output: '{"candidates":[{"content":{"parts":[{"text":"B"}]}',
      },
    ],
    [
      { self: `weave:///${project_id}/object/m:abc`, question: 'Why?' },
      { object: 'response', output: [{ type: 'reasoning' }, { type: 'message' }] },
      { inputs: '{"question":"Why?"}', output: '{"output":[{"type":"message"}' },
    ],
    [
      { messages: [] },
      { role: 'user', content: [] },
      { inputs: '{"messages":[]}', output: '{"role":"user","content":[]}' },
    ],
  ]
  await server.post(`/v2/${project_id}/calls/complete`, {
    batch: documents.map(([inputs, output], n) => ({
      project_id,
      id: callId(n),
      op_name: 'op',
      started_at: at(n),
      ended_at: at(n + 1),
      inputs,
      output,
    })),
  })
  const { calls } = await server.post<{ calls: { preview: object }[] }>(path, {
    direction: 'asc',
    preview_characters: 200,
    preview_messages: true,
    columns: ['id'],
  })
  expect(calls.map(({ preview }) => preview)).toEqual(documents.map(([, , preview]) => preview))
})

test('boundaries of scans are remembered for a while, for a shorter one if there was none', async () => {
  const project_id = 'acme/boundaries'
  const store = async (calls: readonly number[]): Promise<void> => {
    const batch = calls.map((n) => ({
      mode: 'start',
      req: {
        start: { project_id, id: callId(n), started_at: at(n), op_name: 'op', attributes: {}, inputs: {} },
      },
    }))
    await server.post('/call/upsert_batch', { batch })
  }
  let nowMs = 0
  const boundaries = new PageBoundaries(server.heddle.deps.db, () => nowMs)
  const startOf = (n: number): bigint => START + BigInt(n) * 1_000_000n
  const find = (calls: number): Promise<bigint | undefined> =>
    boundaries.find(project_id, [sql`1`], 'desc', calls)
  await store([0, 1, 2, 3])
  expect([await find(2), await find(4)]).toEqual([startOf(1), undefined])
  await store([4, 5])
  expect([await find(2), await find(4)]).toEqual([startOf(1), undefined])
  nowMs = 6_000
  expect([await find(2), await find(4)]).toEqual([startOf(1), startOf(1)])
  nowMs = 31_000
  expect(await find(2)).toBe(startOf(3))
})
