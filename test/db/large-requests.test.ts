import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseJsonLines, useServer } from '../harness.ts'
import { ERROR_BODY } from '../operations.ts'
import { waitUntil } from '../wait-until.ts'

/** Large requests are executed in a thread of their own; clients see no difference. */

const KIB = 1024
const MIB = 1024 * KIB
const server = useServer({}, { hasLargeRequestThread: true })
const PROJECT = 'acme/large'

type Json = Record<string, unknown>

const start = (id: string, fields: Json = {}): Json => ({
  project_id: PROJECT,
  id,
  trace_id: 'trace',
  op_name: 'op',
  started_at: `2026-01-01T00:00:${id.slice(-2)}Z`,
  ...fields,
})

async function streamed(query: Json = {}): Promise<Json[]> {
  const response = await server.send('/calls/stream_query', { project_id: PROJECT, ...query })
  expect(response.status).toBe(200)
  return parseJsonLines<Json>(response.text)
}

const text = (length: number): string => 'é"\n'.repeat(length / 4)

/** Calls 00 to 09; the payloads of every third one are too large for the main thread. */
const SIZES = Array.from({ length: 10 }, (_, n) => (n % 3 === 1 ? 2 * MIB + n : 10 + n))
const idOf = (n: number): string => `call-0${n}`

beforeAll(async () => {
  for (const [n, size] of SIZES.entries()) {
    const inputs = { text: text(size) }
    const body = JSON.stringify({ start: start(idOf(n), { inputs, attributes: { n } }) })
    const headers = n === 4 ? { 'content-encoding': 'gzip' } : {}
    const response = await server.send('/call/start', n === 4 ? gzipSync(body) : body, { headers })
    if (response.status !== 200) throw new Error(response.text)
  }
})

describe('reading', () => {
  const contents = (calls: readonly Json[]) => calls.map((call) => [call['id'], call['inputs']])
  const expected = SIZES.map((size, n) => [idOf(n), { text: text(size) }])

  test('large calls have their place in a stream, in every order', async () => {
    expect(contents(await streamed())).toEqual(expected)
    const descending = { sort_by: [{ field: 'started_at', direction: 'desc' }] }
    expect(contents(await streamed({ ...descending, limit: 9, offset: 1 }))).toEqual(
      expected.toReversed().slice(1),
    )
    const byField = { sort_by: [{ field: 'attributes.n', direction: 'desc' }] }
    expect(contents(await streamed(byField))).toEqual(expected.toReversed())
    expect(contents(await streamed({ limit: 3 }))).toEqual(expected.slice(0, 3))
  })

  test('options apply to large calls in a stream', async () => {
    const [call] = await streamed({
      filter: { call_ids: [idOf(1)] },
      include_costs: true,
      columns: ['inputs'],
    })
    expect(call).toMatchObject({ id: idOf(1), inputs: { text: text(SIZES[1]!) }, attributes: {} })
    expect(await streamed({ columns: ['id'] })).toHaveLength(10)
  })

  test('large calls are read one by one and as one document', async () => {
    const { call } = await server.post<{ call: Json }>('/call/read', { project_id: PROJECT, id: idOf(1) })
    expect(call['inputs']).toEqual({ text: text(SIZES[1]!) })
    const { calls } = await server.post<{ calls: Json[] }>('/calls/query', { project_id: PROJECT })
    expect(contents(calls)).toEqual(expected)
  })

  test('exports are executed in the thread', async () => {
    const response = await server.send(`/api/v1/projects/${PROJECT}/export?what=calls&limit=5`)
    expect(response.headers.get('content-disposition')).toContain('acme-large-calls.jsonl')
    expect(contents(parseJsonLines(response.text))).toEqual(expected.slice(0, 5))
    const head = await server.send(`/api/v1/projects/${PROJECT}/export?what=calls`, undefined, {
      method: 'HEAD',
    })
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('expanded refs are limited to 64 MiB, and each object is read once', async () => {
    const val = { k: 'A'.repeat(5 * MIB) }
    const { digest } = await server.post<{ digest: string }>('/obj/create', {
      obj: { project_id: PROJECT, object_id: 'big', val },
    })
    const ref = `weave:///${PROJECT}/object/big:${digest}`
    const inputs = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`a${n}`, ref]))
    await server.post('/call/start', { start: start('expand-20', { inputs }) })
    const [call] = await streamed({
      filter: { call_ids: ['expand-20'] },
      expand_columns: Object.keys(inputs).map((key) => `inputs.${key}`),
    })
    const values = Object.values(call?.['inputs'] as Json)
    expect(values.filter((value) => typeof value === 'object')).toHaveLength(12)
    expect(values[0]).toEqual({ ...val, _ref: ref })
    expect(values.slice(12)).toEqual(Array.from({ length: 8 }, () => ref))
  })

  test.each(['/docs', '/openapi.json'])('%s is built by the thread', async (path) => {
    const response = await server.as('')(path)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(response.text).toContain('/calls/stream_query')
    const head = await server.as('')(path, undefined, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('values of many refs to one object', async () => {
    const obj = { project_id: PROJECT, object_id: 'some', val: { k: 'A'.repeat(300 * KIB) } }
    const { digest } = await server.post<{ digest: string }>('/obj/create', { obj })
    const refs = Array.from({ length: 20 }, () => `weave:///${PROJECT}/object/some:${digest}`)
    const { vals } = await server.post<{ vals: unknown[] }>('/refs/read_batch', { refs })
    expect([vals.length, vals[19]]).toEqual([20, obj.val])
    const response = await server.send('/refs/read_batch', { refs: Array(1_000).fill(refs[0]) })
    expect([response.status, response.json]).toEqual([422, { ...ERROR_BODY, code: 'unprocessable' }])
  })
})

describe('writing', () => {
  test('a large batch, and one with many records', async () => {
    const item = (id: string, inputs: Json) => ({ mode: 'start', req: { start: start(id, { inputs }) } })
    const many = Array.from({ length: 1_500 }, (_, n) => item(`many-${n}-00`, {}))
    const { res } = await server.post<{ res: unknown[] }>('/call/upsert_batch', { batch: many })
    expect(res).toHaveLength(1_500)
    const large = [item('batch-00', { text: text(MIB) }), item('batch-01', {})]
    await server.post('/call/upsert_batch', { batch: large })
    const filter = { call_ids: ['batch-00', 'batch-01', 'many-1499-00'] }
    const { count } = await server.post<{ count: number }>('/calls/query_stats', {
      project_id: PROJECT,
      filter,
    })
    expect(count).toBe(3)
  })

  test('a later record replaces an earlier one, whichever thread stored them', async () => {
    for (const size of [MIB, 10, MIB, 10]) {
      const inputs = { text: text(size) }
      await server.post('/call/start', { start: start('replaced-00', { inputs }) })
      const { call } = await server.post<{ call: Json }>('/call/read', {
        project_id: PROJECT,
        id: 'replaced-00',
      })
      expect((call['inputs'] as { text: string }).text).toHaveLength(inputs.text.length)
    }
  })

  test('an end, a rename and another start of a large call', async () => {
    const inputs = { text: text(2 * MIB) }
    const read = async () =>
      (await server.post<{ call: Json }>('/call/read', { project_id: PROJECT, id: 'joined-00' })).call
    await server.post('/call/start', { start: start('joined-00', { inputs }) })
    const end = { project_id: PROJECT, id: 'joined-00', ended_at: '2026-01-01T00:01:00Z', output: 1 }
    const item = { mode: 'start', req: { start: { project_id: PROJECT, op_name: 'new', trace_id: 'new' } } }
    const { res } = await server.post<{ res: Json[] }>('/call/upsert_batch', {
      batch: [item, { mode: 'end', req: { end } }],
    })
    expect(await read()).toMatchObject({ inputs, output: 1, ended_at: expect.stringContaining('00:01:00') })
    // The call without an id was created once, although the request was executed twice.
    const found = await streamed({ filter: { trace_ids: ['new'] } })
    expect(found.map((call) => call['id'])).toEqual([res[0]?.['id']])
    await server.post('/call/update', { project_id: PROJECT, call_id: 'joined-00', display_name: 'renamed' })
    expect(await read()).toMatchObject({ inputs, output: 1, display_name: 'renamed' })
    await server.post('/call/start', { start: start('joined-00', { inputs: { small: true } }) })
    expect(await read()).toMatchObject({ inputs: { small: true }, output: 1, display_name: 'renamed' })
    await server.post('/calls/delete', { project_id: PROJECT, call_ids: ['joined-00'] })
    expect(await read()).toBeNull()
  })

  test('objects, tables and files', async () => {
    const val = { list: Array.from({ length: 50_000 }, (_, n) => ({ n, text: 'é' })) }
    const obj = await server.post<{ digest: string }>('/obj/create', {
      obj: { project_id: PROJECT, object_id: 'list', val },
    })
    const read = await server.post<{ obj: Json }>('/obj/read', {
      project_id: PROJECT,
      object_id: 'list',
      digest: obj.digest,
    })
    expect(read.obj['val']).toEqual(val)
    const table = await server.post<{ digest: string; row_digests: string[] }>('/table/create', {
      table: { project_id: PROJECT, rows: val.list },
    })
    expect(table.row_digests).toHaveLength(50_000)
    const rows = await server.post<{ rows: Json[] }>('/table/query', {
      project_id: PROJECT,
      digest: table.digest,
    })
    expect(rows.rows.at(-1)?.['val']).toEqual(val.list.at(-1))
    const form = new FormData()
    form.set('project_id', PROJECT)
    form.set('file', new Blob([Buffer.alloc(3 * MIB, 7)]), 'file')
    const file = await server.send('/file/create', undefined, { method: 'POST', body: form })
    const content = await fetch(`${server.url}/file/content`, {
      method: 'POST',
      headers: { authorization: server.authorization },
      body: JSON.stringify({ project_id: PROJECT, digest: file.json['digest'] }),
    })
    expect(Buffer.from(await content.arrayBuffer()).equals(Buffer.alloc(3 * MIB, 7))).toBe(true)
  })
})

describe('errors', () => {
  const large = (fields: Json = {}) => ({
    start: start('error-00', { inputs: { text: text(MIB) }, ...fields }),
  })

  test('are those of the operation, with the request id of the client', async () => {
    const headers = { 'x-request-id': 'my-id' }
    const invalid = await server.send('/call/start', large({ op_name: 3 }), { headers })
    expect([invalid.status, invalid.json]).toEqual([
      422,
      { ...ERROR_BODY, code: 'unprocessable', request_id: 'my-id', detail: expect.any(Array) },
    ])
    expect(invalid.headers.get('x-request-id')).toBe('my-id')
    const stranger = server.as(await server.user('stranger'))
    expect((await stranger('/call/start', large())).status).toBe(403)
    expect((await server.as('Basic eDp5')('/call/start', large())).status).toBe(401)
  })

  test('the caller named in a header is ignored', async () => {
    const nobody = Buffer.from('{"user_id":"x","username":"x"}').toString('base64url')
    const headers = { 'x-heddle-caller': nobody }
    expect((await server.as('Basic eDp5')('/call/start', large(), { headers })).status).toBe(401)
    expect((await server.send('/call/start', large(), { headers })).status).toBe(200)
  })

  test('bodies beyond the limit get 413: announced, chunked and decoded', async () => {
    const spaces = Buffer.alloc(65 * MIB, ' ')
    const tooLarge = { status: 413, json: { code: 'too_large' } }
    expect(await server.send('/call/start', spaces)).toMatchObject(tooLarge)
    const chunked = await server.send('/call/start', undefined, {
      method: 'POST',
      body: new Blob([spaces]).stream(),
      duplex: 'half',
    })
    expect(chunked).toMatchObject(tooLarge)
    const headers = { 'content-encoding': 'gzip' }
    expect(await server.send('/call/start', gzipSync(spaces), { headers })).toMatchObject(tooLarge)
  })

  test('a client that disconnects leaves nothing behind', async () => {
    const request = httpRequest(`${server.url}/call/start`, {
      method: 'POST',
      headers: { authorization: server.authorization, 'content-length': 20 * MIB },
    })
    request.on('error', () => {})
    request.write(Buffer.alloc(5 * MIB, ' '))
    await once(request, 'socket')
    await waitUntil(async () => (await inFlight()) === 2, 20_000)
    request.destroy()
    await waitUntil(async () => (await inFlight()) === 1, 20_000)
  })
})

/** Requests in progress, including the one that asks. */
async function inFlight(): Promise<number> {
  const { text: metrics } = await server.send('/metrics')
  return Number(/^heddle_http_in_flight_requests (\d+)$/m.exec(metrics)?.[1])
}
