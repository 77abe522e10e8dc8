import { expect, test } from 'vitest'
import { formatTime } from '../../src/core/time/time.ts'
import { useServer } from '../harness.ts'

/** Pages in the order of time, which are read without looking at the rest of the project. */
const server = useServer()

interface Listed {
  readonly id: string
  readonly started_at: string
}

const START = 1_760_000_000_000_000n
const at = (n: number): string => formatTime(START + BigInt(n) * 1_000_000n)
const idOf = (n: number): string => `call-${String(n).padStart(5, '0')}`

const list = async (project_id: string, asked: object): Promise<string[]> => {
  const { calls } = await server.post<{ calls: Listed[] }>('/calls/query', { project_id, ...asked })
  return calls.map(({ id }) => id)
}

const is = (field: string, value: unknown): object => ({
  $expr: { $eq: [{ $getField: field }, { $literal: value }] },
})

/** All pages, one after the other. */
async function pages(project_id: string, asked: object, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const page = await list(project_id, { ...asked, limit, offset: ids.length })
    ids.push(...page)
    if (page.length < limit) return ids
  }
}

test('pages are the list, piece by piece, while calls run, end, are renamed, sent again and deleted', async () => {
  const project_id = 'acme/pages'
  // Every version stays a row of its own: what the pages pass over is really there.
  await server.heddle.deps.db.ddl('SYSTEM STOP MERGES calls')
  const calls = Array.from({ length: 120 }, (_, n) => n)
  const start = (n: number): object => ({
    project_id,
    id: idOf(n),
    // Several begin at the same time.
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
      req: { end: { project_id, id: idOf(n), ended_at: at(1_000), output: n, summary: {} } },
    })),
  })
  await server.post('/call/upsert_batch', starts)
  for (const n of [5, 17, 99]) {
    await server.post('/call/update', { project_id, call_id: idOf(n), display_name: 'renamed' })
  }
  await server.post('/calls/delete', { project_id, call_ids: [0, 1, 33, 118, 119].map(idOf) })
  const questions: object[] = [
    {},
    { filter: { op_names: ['odd'] } },
    { query: is('summary.weave.status', 'running') },
    { query: is('display_name', 'renamed') },
    { query: is('inputs.model', 'rare') },
    { query: is('inputs.text', 'x'.repeat(5_000)) },
    { query: is('inputs.text', 'nothing is') },
    { filter: { call_ids: [33, 34, 35].map(idOf) } },
  ]
  for (const direction of [undefined, 'asc', 'desc']) {
    for (const question of questions) {
      const sort_by = direction === undefined ? undefined : [{ field: 'started_at', direction }]
      const asked = { ...question, sort_by }
      const whole = await list(project_id, asked)
      for (const limit of [11, 50]) {
        expect([asked, limit, await pages(project_id, asked, limit)]).toEqual([asked, limit, whole])
      }
    }
  }
  const sizes = await Promise.all(
    questions.map(async (question) => (await list(project_id, question)).length),
  )
  expect(sizes).toEqual([115, 57, 29, 3, 23, 16, 0, 2])
})

test('a page of what is rare is found behind thousands that only seemed to match', async () => {
  const project_id = 'acme/rare'
  // Too long to be pulled out: the document must be asked.
  const long = 'y'.repeat(600)
  const count = 24_000
  for (let first = 0; first < count; first += 2_000) {
    await server.post(`/v2/${project_id}/calls/complete`, {
      batch: Array.from({ length: 2_000 }, (_, i) => ({
        project_id,
        id: idOf(first + i),
        started_at: at(first + i),
        ended_at: at(first + i + 1),
        op_name: 'op',
        inputs: { text: `${long}${first + i < 3 ? 'found' : ''}` },
      })),
    })
  }
  const sort_by = [{ field: 'started_at', direction: 'desc' }]
  const found = is('inputs.text', `${long}found`)
  expect(await list(project_id, { query: found, sort_by, limit: 2 })).toEqual([2, 1].map(idOf))
  expect(await list(project_id, { query: found, sort_by, limit: 2, offset: 2 })).toEqual([0].map(idOf))
})

interface CursorPage {
  readonly calls: readonly Listed[]
  readonly cursor: string | null
}

test('by cursor every call is seen once, whatever arrives at either end meanwhile', async () => {
  const project_id = 'acme/cursor'
  const send = (numbers: readonly number[]): Promise<unknown> =>
    server.post(`/v2/${project_id}/calls/complete`, {
      batch: numbers.map((n) => ({
        project_id,
        id: idOf(n),
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
    let turn = 0
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
      // Others, and these once more.
      await send([turn, 200 + turn, ...numbers.slice(turn * 7, turn * 7 + 7)])
      turn++
    } while (cursor !== null)
    const expected = numbers.map(idOf)
    expect(seen).toEqual(direction === 'asc' ? expected : expected.toReversed())
  }
})

test.each(['trace_ids', 'parent_ids', 'call_ids'] as const)(
  'by cursor every call is seen once, also of those that are named by %s',
  async (field) => {
    const project_id = `acme/named-${field}`
    const numbers = Array.from({ length: 20 }, (_, i) => i)
    await server.post(`/v2/${project_id}/calls/complete`, {
      batch: numbers.map((n) => ({
        project_id,
        id: idOf(n),
        trace_id: 'trace',
        parent_id: 'parent',
        // Two of each moment.
        started_at: at(n - (n % 2)),
        ended_at: at(n + 1),
        op_name: 'op',
      })),
    })
    const named = { trace_ids: ['trace'], parent_ids: ['parent'], call_ids: numbers.map(idOf) }[field]
    for (const direction of ['asc', 'desc'] as const) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page: CursorPage = await server.post<CursorPage>(`/api/v1/projects/${project_id}/calls`, {
          direction,
          limit: 3,
          cursor,
          columns: ['id'],
          filter: { [field]: named },
        })
        seen.push(...page.calls.map(({ id }) => id))
        cursor = page.cursor
      } while (cursor !== null && seen.length <= numbers.length)
      const expected = numbers.map(idOf)
      expect(seen).toEqual(direction === 'asc' ? expected : expected.toReversed())
    }
  },
)

test('the first page is the newest 50, and a cursor that was not ours is refused', async () => {
  const project_id = 'acme/newest'
  await server.post(`/v2/${project_id}/calls/complete`, {
    batch: Array.from({ length: 51 }, (_, n) => ({
      project_id,
      id: idOf(n),
      started_at: at(n),
      ended_at: at(n),
      op_name: 'op',
    })),
  })
  const path = `/api/v1/projects/${project_id}/calls`
  const first = await server.post<CursorPage>(path, {})
  expect([first.calls.length, first.calls[0]?.id]).toEqual([50, idOf(50)])
  const rest = await server.post<CursorPage>(path, { cursor: first.cursor })
  expect([rest.calls.map(({ id }) => id), rest.cursor]).toEqual([[idOf(0)], null])
  expect((await server.send(path, { cursor: 'x' })).status).toBe(422)
})

test('a preview is how the payloads begin, in whole characters, whether they are sent or not', async () => {
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
  const read = async (asked: object) =>
    (await server.post<{ calls: Record<string, unknown>[] }>(path, { direction: 'asc', ...asked })).calls
  const previews = [
    { inputs: `{"text":"${long}`.slice(0, 21), output: `{"said":"${long}`.slice(0, 21) },
    { inputs: '{"n":1.5}', output: '"short"' },
    { inputs: '{}', output: 'null' },
    { inputs: '{"q":"why"}', output: '' },
  ]
  // 𝒜 is one character, and two of JavaScript's.
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
