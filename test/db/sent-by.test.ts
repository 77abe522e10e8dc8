import { beforeAll, describe, expect, test } from 'vitest'
import { parseJsonLines, useServer } from '../harness.ts'

/** The user of a call, as sent, and its authenticated sender. */

const server = useServer()
const project_id = 'acme/senders'
let ann: typeof server.send
let bob: typeof server.send
let count = 0

beforeAll(async () => {
  ann = server.as(await server.user('ann', { [project_id]: 'write' }))
  bob = server.as(await server.user('bob', { [project_id]: 'write' }))
})

type Json = Record<string, unknown>

const started_at = '2026-11-01T10:00:00Z'
const ended_at = '2026-11-01T10:00:01Z'
const newStart = (extra: Json = {}): Json => ({
  project_id,
  id: `call-${count++}`,
  trace_id: 'trace',
  op_name: 'answer',
  started_at,
  ...extra,
})

async function sendersOf({ id }: Json): Promise<Json> {
  const { call } = await server.post<{ call: Json }>('/call/read', { project_id, id })
  return { user: call['wb_user_id'], sent_by: call['sent_by'] }
}

describe.each([
  ['call/start', (send: typeof server.send, start: Json) => send('/call/start', { start })],
  [
    'call/upsert_batch',
    (send: typeof server.send, start: Json) =>
      send('/call/upsert_batch', { batch: [{ mode: 'start', req: { start } }] }),
  ],
  [
    'calls/complete',
    (send: typeof server.send, start: Json) =>
      send('/v2/acme/senders/calls/complete', { batch: [{ ...start, ended_at }] }),
  ],
])('%s', (_, store) => {
  const stored = async (send: typeof server.send, start: Json): Promise<Json> => {
    expect((await store(send, start)).status).toBe(200)
    return sendersOf(start)
  }

  test.each([[undefined], [null], ['']])('the user is the sender if %j was sent', async (wb_user_id) => {
    const start = newStart({ wb_user_id })
    expect(await stored(ann, start)).toEqual({ user: 'ann', sent_by: 'ann' })
  })

  test('the user is what was sent, and the sender cannot be sent', async () => {
    const start = newStart({ wb_user_id: 'Zoë from sales', sent_by: 'bob' })
    expect(await stored(ann, start)).toEqual({ user: 'Zoë from sales', sent_by: 'ann' })
  })

  test.each([[undefined], ['carol']])(
    'an identical resend by another sender changes nothing; the user sent was %j',
    async (wb_user_id) => {
      const start = newStart({ wb_user_id, display_name: 'Named' })
      const first = { user: wb_user_id ?? 'ann', sent_by: 'ann' }
      expect(await stored(ann, start)).toEqual(first)
      for (const send of [bob, bob, ann, bob]) expect(await stored(send, start)).toEqual(first)
    },
  )

  test('another record of the call has its own user and sender', async () => {
    const start = newStart({ wb_user_id: 'carol' })
    await stored(ann, start)
    expect(await stored(bob, { ...start, wb_user_id: 'dave' })).toEqual({ user: 'dave', sent_by: 'bob' })
  })
})

test('the sender of the end, of a rename and of a late start does not matter', async () => {
  const [ended, late] = [newStart(), newStart()]
  const end = (start: Json) => ({ end: { project_id, id: start['id'], ended_at } })
  await ann('/call/start', { start: ended })
  await bob('/call/end', end(ended))
  await bob('/call/update', { project_id, call_id: ended['id'], display_name: 'x' })
  await bob('/call/end', end(late))
  await ann('/call/start', { start: late })
  for (const start of [ended, late]) expect(await sendersOf(start)).toEqual({ user: 'ann', sent_by: 'ann' })
})

test('calls are filtered, sorted and grouped by user and by sender', async () => {
  const project = { ...newStart({ trace_id: 'filtered' }) }
  await ann('/call/start', { start: { ...project, id: 'by-ann', wb_user_id: 'zoë' } })
  await bob('/call/start', { start: { ...project, id: 'by-bob', wb_user_id: 'zoë' } })
  await bob('/call/start', { start: { ...project, id: 'bob' } })
  const ids = async (selection: Json) => {
    const filter = { trace_ids: ['filtered'], ...(selection['filter'] as Json | undefined) }
    const body = { project_id, ...selection, filter, columns: ['id', 'sent_by'] }
    return parseJsonLines<Json>((await server.send('/calls/stream_query', body)).text).map(
      (call) => call['id'],
    )
  }
  const equals = (field: string, value: string) => ({
    query: { $expr: { $eq: [{ $getField: field }, { $literal: value }] } },
  })
  expect(await ids({ filter: { wb_user_ids: ['zoë'] } })).toEqual(['by-ann', 'by-bob'])
  expect(await ids({ filter: { wb_user_ids: ['bob'] } })).toEqual(['bob'])
  expect(await ids(equals('sent_by', 'ann'))).toEqual(['by-ann'])
  expect(await ids(equals('sent_by', 'bob'))).toEqual(['bob', 'by-bob'])
  expect(await ids(equals('user', 'zoë'))).toEqual(['by-ann', 'by-bob'])
  expect(
    await ids({
      sort_by: [
        { field: 'sent_by', direction: 'asc' },
        { field: 'id', direction: 'asc' },
      ],
    }),
  ).toEqual(['by-ann', 'bob', 'by-bob'])
})

test('the sender is exported, and is a column in SQL', async () => {
  const start = newStart({ wb_user_id: 'zoë' })
  await ann('/call/start', { start })
  const filter = encodeURIComponent(JSON.stringify({ call_ids: [start['id']] }))
  const exported = await server.send(
    `/api/v1/projects/acme/senders/export?what=calls&columns=wb_user_id,sent_by&filter=${filter}`,
  )
  expect(parseJsonLines(exported.text)).toMatchObject([{ wb_user_id: 'zoë', sent_by: 'ann' }])
  const rows = await server.send('/api/v1/projects/acme/senders/sql', {
    query: `SELECT user, sent_by FROM calls WHERE id = '${String(start['id'])}'`,
  })
  expect(rows.text).toContain('["zoë", "ann"]')
})
