import { expect, test } from 'vitest'
import { contentFacts } from '../../src/store/calls/write/record-encoder.ts'
import { sql } from '../../src/store/query/sql.ts'
import { useServer } from '../harness.ts'

/** Inputs and outputs that arrive apart from their call (core/calls/call-contents.ts), in any order. */

const server = useServer()
const project_id = 'acme/contents'

const contents = (call_id: string) => [
  { call_id, timeNanos: 1n, inputs: '{"messages":[{"role":"user","n":1.0}]}', output: undefined },
  { call_id, timeNanos: 2n, inputs: '{"messages":[{"role":"tool"}]}', output: undefined },
  { call_id, timeNanos: 3n, inputs: undefined, output: '{"messages":[{"role":"assistant"}]}' },
]

async function storeContents(items: ReturnType<typeof contents>): Promise<void> {
  const { callWriter } = server.heddle.deps
  await callWriter.write(
    items.map(({ call_id, ...content }) => contentFacts(project_id, call_id, content, callWriter.clock)),
  )
}

const complete = (id: string, extra: object = {}) => ({
  project_id,
  id,
  trace_id: 't',
  op_name: 'chat',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01Z',
  inputs: { model: 'm' },
  output: null,
  ...extra,
})

async function store(...batch: object[]): Promise<void> {
  await server.post(`/v2/${project_id}/calls/complete`, { batch })
}

async function read(id: string): Promise<[string, string]> {
  const { text } = await server.send('/calls/stream_query', {
    project_id,
    filter: { call_ids: [id] },
    columns: ['inputs', 'output'],
  })
  const lines = text.trim().split('\n')
  expect(lines).toHaveLength(1)
  return [
    /"inputs":(\{.*?\}\]\}|\{.*?\})[,}]/.exec(lines[0]!)![1]!,
    JSON.stringify(JSON.parse(lines[0]!).output),
  ]
}

const JOINED: [string, string] = [
  '{"model":"m","messages":[{"role":"user","n":1.0},{"role":"tool"}]}',
  '{"messages":[{"role":"assistant"}]}',
]

test.each([
  ['before the call', [0, 1, 2, 3]],
  ['after it', [3, 0, 1, 2]],
  ['on both sides, reversed', [2, 1, 3, 0]],
  ['twice', [0, 2, 3, 3, 1, 0, 2, 1]],
])('contents that arrive %s are joined', async (name, order) => {
  const id = `call ${name}`
  for (const step of order) {
    if (step === 3) await store(complete(id))
    else await storeContents([contents(id)[step]!])
  }
  expect(await read(id)).toEqual(JOINED)
})

test('a call that has its own messages keeps them', async () => {
  await storeContents(contents('own'))
  await store(complete('own', { inputs: { messages: [1] }, output: 'text' }))
  expect(await read('own')).toEqual(['{"messages":[1]}', '"text"'])
})

test('an end and another end are joined with the contents too', async () => {
  const start = { ...complete('parts'), ended_at: undefined, output: undefined }
  const end = (output: unknown) => ({
    mode: 'end',
    req: { end: { project_id, id: 'parts', ended_at: '2026-01-01T00:00:02Z', output } },
  })
  await storeContents(contents('parts').slice(0, 2))
  await server.post('/call/upsert_batch', { batch: [{ mode: 'start', req: { start } }] })
  await server.post('/call/upsert_batch', { batch: [end('first')] })
  await storeContents(contents('parts').slice(2))
  expect(await read('parts')).toEqual([JOINED[0], '"first"'])
  await server.post('/call/upsert_batch', { batch: [end(null)] })
  expect(await read('parts')).toEqual(JOINED)
})

test('followers of the live feed see that a call has changed', async () => {
  await store(complete('live'))
  const versions = async (): Promise<number> => {
    const rows = await server.heddle.deps.db.rows<{ n: string }>(
      sql`SELECT count(DISTINCT content_hash) AS n FROM live_log WHERE id = 'live'`,
      { name: 'test', kind: 'list' },
    )
    return Number(rows[0]!.n)
  }
  expect(await versions()).toBe(1)
  await storeContents(contents('live'))
  expect(await versions()).toBe(2)
})
