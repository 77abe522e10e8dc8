import { describe, expect, test } from 'vitest'
import { formatTime } from '../../src/core/time/time.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import { apiKeyIn, parseJsonLines, type TestResponse, basic, startTestServer, useServer } from '../harness.ts'

/** Rules of the Weave protocol that a naive server gets wrong. The suites of single resources test more details. */

const server = useServer()

type Json = Record<string, unknown>
type Call = Json & { id: string; summary: Json & { weave: Json } }

let serial = 0
const unique = (): string => `n${++serial}`

/** A separate project for each rule. */
const newProject = (): string => `acme/rule-${unique()}`

const STARTED = '2026-11-01T00:00:00.000000Z'
const ENDED = '2026-11-01T00:00:02.000000Z'

/** A call record as it is sent. */
type Sent = Json & { readonly id: string }

function start(project_id: string, extra: Json = {}): Sent {
  const id = unique()
  const record = { project_id, id, trace_id: `trace-${id}`, op_name: 'op', started_at: STARTED }
  return { ...record, attributes: {}, inputs: {}, ...extra }
}

function end(call: { id: string; project_id?: unknown }, extra: Json = {}): Json {
  return {
    project_id: call.project_id,
    id: call.id,
    ended_at: ENDED,
    output: 'done',
    summary: {},
    ...extra,
  }
}

function complete(project_id: string, extra: Json = {}): Sent {
  const call = start(project_id)
  return { ...call, ...end(call), ...extra }
}

const startItem = (record: Json): Json => ({ mode: 'start', req: { start: record } })
const endItem = (record: Json): Json => ({ mode: 'end', req: { end: record } })

async function store(project_id: string, ...calls: Json[]): Promise<void> {
  await server.post(`/v2/${project_id}/calls/complete`, { batch: calls })
}

async function readCall(project_id: string, id: string, extra: Json = {}): Promise<Call | null> {
  return (await server.post<{ call: Call | null }>('/call/read', { project_id, id, ...extra })).call
}

async function query(project_id: string, body: Json = {}): Promise<Call[]> {
  const response = await server.send('/calls/stream_query', { project_id, ...body })
  expect([response.status, response.text]).toEqual([200, expect.anything()])
  return parseJsonLines<Call>(response.text)
}

const ids = async (project_id: string, body: Json = {}): Promise<string[]> =>
  (await query(project_id, body)).map((call) => call.id)

async function count(project_id: string, body: Json = {}): Promise<number> {
  return (await server.post<{ count: number }>('/calls/query_stats', { project_id, ...body })).count
}

async function publish(
  project_id: string,
  object_id: string,
  val: unknown,
  extra: Json = {},
): Promise<string> {
  const obj = { project_id, object_id, val, ...extra }
  return (await server.post<{ digest: string }>('/obj/create', { obj })).digest
}

async function readObject(project_id: string, object_id: string, digest: string): Promise<TestResponse> {
  return server.send('/obj/read', { project_id, object_id, digest })
}

async function upload(path: string, content: string, fields: Json): Promise<TestResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', new Blob([content]), 'blob')
  const packed = new Response(form)
  const headers = { 'content-type': packed.headers.get('content-type') ?? '' }
  return server.send(path, Buffer.from(await packed.arrayBuffer()), { headers })
}

const field = (name: string): Json => ({ $getField: name })
const literal = (value: unknown): Json => ({ $literal: value })
const eq = (name: string, value: unknown): Json => ({ $eq: [field(name), literal(value)] })
const where = (expr: Json): Json => ({ query: { $expr: expr } })

describe('ingest', () => {
  test('rule 1: JSON bodies without a content type are accepted', async () => {
    const call = start(newProject())
    const body = JSON.stringify({ start: call })
    // fetch adds a content type to a string, but not to bytes.
    const bare = await server.send('/call/start', Buffer.from(body))
    expect([bare.status, bare.json['id']]).toEqual([200, call.id])
    for (const type of [
      'text/plain',
      'application/octet-stream',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-8',
    ]) {
      const response = await server.send('/call/start', body, { headers: { 'content-type': type } })
      expect([type, response.status]).toEqual([type, 200])
    }
    expect(await count(String(call['project_id']))).toBe(1)
  })

  test('rule 2: the API is also served under /traces, and server_info returns the handshake', async () => {
    for (const prefix of ['', '/traces', '/', '//traces']) {
      const response = await server.send(`${prefix}/server_info`)
      expect([prefix, response.status, response.json]).toEqual([
        prefix,
        200,
        {
          min_required_weave_python_version: '0.0.0',
          trace_server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        },
      ])
      const call = start(newProject())
      expect(await server.post(`${prefix}/call/start`, { start: call })).toMatchObject({ id: call.id })
    }
  })

  test('rule 3: /v2 accepts complete calls and separate starts and ends', async () => {
    const project_id = newProject()
    const whole = complete(project_id)
    expect(await server.post(`/v2/${project_id}/calls/complete`, { batch: [whole] })).toEqual({})
    const eager = start(project_id)
    const started = await server.post(`/v2/${project_id}/call/start`, { start: eager })
    expect(started).toEqual({ id: eager.id, trace_id: eager['trace_id'] })
    expect(await server.post(`/v2/${project_id}/call/end`, { end: end(eager, { output: [1] }) })).toEqual({})
    expect(await readCall(project_id, whole.id)).toMatchObject({ output: 'done', ended_at: ENDED })
    expect(await readCall(project_id, eager.id)).toMatchObject({ output: [1], ended_at: ENDED })
    expect(await count(project_id)).toBe(2)
  })

  test('rule 4: files are uploaded as forms and returned as bytes, at both spellings of the path', async () => {
    const project_id = newProject()
    const digest = 'ungWv48BzXpBQUDeXa4iI7ADYaOWF3qctBDYYfIAFa0'
    for (const noun of ['file', 'files']) {
      // The Python SDK always sends expected_digest.
      const stored = await upload(`/${noun}/create`, 'abc', { project_id, expected_digest: digest })
      expect([stored.status, stored.json]).toEqual([200, { digest }])
      const content = await server.send(`/${noun}/content`, { project_id, digest })
      expect([content.status, content.text]).toEqual([200, 'abc'])
      expect(content.headers.get('content-type')).not.toContain('json')
      expect((await server.send(`/${noun}/content`, { project_id, digest: 'x'.repeat(43) })).status).toBe(404)
    }
  })

  test('rule 5: feedback is accepted in batches', async () => {
    const project_id = newProject()
    const item = {
      project_id,
      weave_ref: `weave:///${project_id}/call/c`,
      feedback_type: 'custom',
      payload: { n: 1 },
    }
    const { res } = await server.post<{ res: Json[] }>('/feedback/batch/create', {
      batch: [{ ...item, id: 'chosen' }, item],
    })
    expect(res).toEqual([
      { id: 'chosen', created_at: expect.stringMatching(/Z$/), wb_user_id: 'admin', payload: { n: 1 } },
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: expect.anything(),
        wb_user_id: 'admin',
        payload: { n: 1 },
      },
    ])
    expect(await server.post('/feedback/query', { project_id })).toMatchObject({ total_count: 2 })
    expect(await server.post('/feedback/batch/create', { batch: [] })).toEqual({ res: [] })
  })
})

describe('records in any order', () => {
  test('rule 6: an end before its start, a child before its parent, and an update, deletion or feedback before the call are accepted', async () => {
    const project_id = newProject()
    const parent = start(project_id)
    const child = start(project_id, { parent_id: parent.id, trace_id: parent['trace_id'] })
    const gone = start(project_id)
    await server.post('/feedback/create', {
      project_id,
      weave_ref: `weave:///${project_id}/call/${parent.id}`,
      feedback_type: 'wandb.note.1',
      payload: { note: 'early' },
    })
    await server.post('/call/update', { project_id, call_id: parent.id, display_name: 'named early' })
    await server.post('/calls/delete', { project_id, call_ids: [gone.id] })
    const { res } = await server.post<{ res: Json[] }>('/call/upsert_batch', {
      batch: [endItem(end(child)), startItem(child), endItem(end(parent, { output: 'parent' }))],
    })
    expect(res).toEqual([{}, { id: child.id, trace_id: child['trace_id'] }, {}])
    await server.post('/call/upsert_batch', { batch: [startItem(gone), startItem(parent)] })
    const calls = await query(project_id, { include_feedback: true })
    expect(calls.map((call) => call.id).sort()).toEqual([parent.id, child.id].sort())
    expect(calls.find((call) => call.id === child.id)).toMatchObject({ output: 'done', parent_id: parent.id })
    expect(calls.find((call) => call.id === parent.id)).toMatchObject({
      output: 'parent',
      display_name: 'named early',
      summary: { weave: { feedback: [{ payload: { note: 'early' } }] } },
    })
    expect(await readCall(project_id, gone.id)).toBeNull()
  })

  test('rule 7: records without a start are invisible in reads and counts', async () => {
    const project_id = newProject()
    const orphan = { project_id, id: unique() }
    await server.post('/call/end', { end: end(orphan) })
    await server.post('/call/update', { project_id, call_id: unique(), display_name: 'nobody' })
    expect(await readCall(project_id, orphan.id)).toBeNull()
    expect(await ids(project_id)).toEqual([])
    expect(await ids(project_id, { filter: { call_ids: [orphan.id] } })).toEqual([])
    expect(await server.post('/calls/query', { project_id })).toEqual({ calls: [] })
    expect(await count(project_id)).toBe(0)
    expect(await server.post('/calls/delete', { project_id, call_ids: [orphan.id] })).toEqual({
      num_deleted: 0,
    })
  })

  test('rule 8: unknown fields and null in optional fields are ignored', async () => {
    const project_id = newProject()
    const nulls = (...names: string[]): Json => Object.fromEntries(names.map((name) => [name, null]))
    const call = start(project_id, {
      ...nulls(
        'display_name',
        'parent_id',
        'thread_id',
        'turn_id',
        'otel_dump',
        'wb_user_id',
        'wb_run_id',
        'wb_run_step',
      ),
      no_such_field: { deep: [1] },
    })
    await server.post('/call/start', { start: call, further: true })
    // TypeScript SDKs send both in an end.
    const ending = end(call, {
      display_name: 'ignored',
      is_eval: true,
      trace_id: null,
      started_at: null,
      ...nulls('exception', 'wb_run_step_end', 'output'),
    })
    await server.post('/call/upsert_batch', { batch: [{ ...endItem(ending), note: 1 }], trailing: null })
    await store(
      project_id,
      complete(project_id, { is_eval: false, ...nulls('exception', 'output', 'display_name') }),
    )
    expect(await readCall(project_id, call.id)).toMatchObject({
      display_name: null,
      output: null,
      ended_at: ENDED,
    })
    expect(await count(project_id)).toBe(2)
    const all = nulls(
      'filter',
      'query',
      'limit',
      'offset',
      'sort_by',
      'columns',
      'expand_columns',
      'include_costs',
    )
    expect(await ids(project_id, all)).toHaveLength(2)
    expect(await server.post('/objs/query', { project_id, ...all, metadata_only: null })).toEqual({
      objs: [],
    })
    expect(await server.post('/feedback/query', { project_id, ...all, fields: null })).toMatchObject({
      result: [],
    })
    expect(await server.post('/cost/query', { project_id, ...all, fields: null })).toEqual({ results: [] })
    expect(await server.post('/table/query', { project_id, digest: 'none', ...all })).toEqual({ rows: [] })
  })

  test('rule 9: an unusual item is stored and does not fail its batch', async () => {
    const project_id = newProject()
    const unusual: Json[] = [
      // Ids that Weave's server would reject.
      { id: '0190C5B0-3F4E-7D3A-9B1C-00000000ABCD' },
      { id: 'DEADBEEFDEADBEEF', trace_id: 'ABCDEF' },
      { id: 'a/b:c?d#e%2f', parent_id: '../..' },
      { id: '日本語 👍', trace_id: ' ' },
      { id: "'; DROP TABLE calls; --" },
      { id: 'x'.repeat(256), trace_id: 'y'.repeat(256) },
      { id: 'null' },
      { id: 'itself', parent_id: 'itself' },
      // Names and times.
      { op_name: 'o'.repeat(5_000), display_name: 'd'.repeat(5_000) },
      { op_name: 'weave:///not/a/whole-ref' },
      { op_name: '\u0000\ud800' },
      { started_at: '2026-11-01T00:00:00' },
      { started_at: '2026-11-01 00:00:00+02:00' },
      { started_at: '1900-01-01T00:00:00Z' },
      { started_at: '2299-12-31T23:59:59.999999999Z' },
      { started_at: 1_790_000_000 },
      { started_at: 1_790_000_000.25 },
      { started_at: 1_790_000_000_250 },
      { ended_at: '2020-01-01T00:00:00Z' },
      // Payloads.
      { inputs: null, attributes: null, summary: null, output: null },
      { inputs: { ['__proto__']: 1, constructor: { prototype: 1 }, '': '', 'a.b': [] } },
      { output: [[], {}, null, 'text', 1e300, -0] },
      { summary: { usage: 'no usage', weave: [], status_counts: 7 } },
      { exception: '', wb_run_id: '', parent_id: '', thread_id: '', turn_id: '', display_name: '' },
    ]
    const calls = unusual.map((extra) => complete(project_id, extra))
    for (const call of calls)
      for (const [key, value] of Object.entries(call)) if (value === undefined) delete call[key]
    await store(project_id, ...calls)
    expect((await ids(project_id)).sort()).toEqual(calls.map((call) => call.id).sort())
    for (const call of calls) expect(await readCall(project_id, call.id)).toMatchObject({ id: call.id })

    const other = newProject()
    const items = unusual.flatMap((extra) => {
      const call = start(other, extra)
      return [
        startItem(call),
        endItem({ project_id: other, id: call.id }),
        endItem({ project_id: other, id: call.id, summary: null, output: undefined, ended_at: null }),
      ]
    })
    // Only the required fields of a start; an empty id counts as absent.
    items.push(
      startItem({ project_id: other, op_name: 'bare' }),
      startItem({ project_id: other, op_name: 'bare', id: '', trace_id: '' }),
    )
    const { res } = await server.post<{ res: Json[] }>('/call/upsert_batch', { batch: items })
    expect(res).toHaveLength(items.length)
    expect(await count(other)).toBe(unusual.length + 2)
    expect(await server.post('/call/upsert_batch', { batch: [] })).toEqual({ res: [] })
    expect(await server.post(`/v2/${other}/calls/complete`, { batch: [] })).toEqual({})

    // Python writes these for floats that JSON cannot represent.
    const text = JSON.stringify({ batch: [complete(other, { id: 'nan', output: '@' })] }).replace(
      '"@"',
      '[NaN,-Infinity]',
    )
    expect((await server.send(`/v2/${other}/calls/complete`, text)).status).toBe(200)
    expect(await readCall(other, 'nan')).toMatchObject({ output: [null, null] })
  })

  test('rule 10: a record sent again, in any request shape, is stored and counted once', async () => {
    const project_id = newProject()
    const call = start(project_id, { inputs: { a: 1 } })
    const whole = { ...call, ...end(call) }
    for (let round = 0; round < 2; round++) {
      await Promise.all([
        server.post('/call/start', { start: call }),
        server.post('/call/end', { end: end(call) }),
        store(project_id, whole, whole),
        server.post('/call/upsert_batch', { batch: [startItem(call), endItem(end(call)), startItem(call)] }),
      ])
      expect(await count(project_id)).toBe(1)
      expect(await count(project_id, { filter: { call_ids: [call.id] } })).toBe(1)
      expect(await query(project_id)).toMatchObject([{ id: call.id, inputs: { a: 1 }, output: 'done' }])
    }
    const feedback = {
      project_id,
      id: 'f',
      weave_ref: 'weave:///a/b/call/c',
      feedback_type: 'x',
      payload: {},
    }
    for (let i = 0; i < 2; i++) await server.post('/feedback/batch/create', { batch: [feedback, feedback] })
    expect(await server.post('/feedback/query', { project_id })).toMatchObject({ total_count: 1 })
  })
})

describe('reading calls', () => {
  test('rule 11: stream_query returns lines without a default limit, and an empty body if there are no calls', async () => {
    const project_id = newProject()
    const none = await server.send('/calls/stream_query', { project_id })
    expect([none.status, none.text]).toEqual([200, ''])
    expect(none.headers.get('content-type')).toContain('application/jsonl')
    const calls = Array.from({ length: 2_500 }, () => complete(project_id))
    await store(project_id, ...calls)
    const { text } = await server.send('/calls/stream_query', { project_id, columns: ['id'] })
    const lines = text.split('\n')
    expect(lines.pop()).toBe('')
    expect(lines).toHaveLength(2_500)
    for (const line of lines.slice(0, 10)) expect(JSON.parse(line)).toMatchObject({ project_id })
    // Streaming: the first line arrives before the last one is read.
    const response = await fetch(`${server.url}/calls/stream_query`, {
      method: 'POST',
      headers: { authorization: server.authorization },
      body: JSON.stringify({ project_id }),
    })
    expect(response.headers.get('content-length')).toBeNull()
    const reader = response.body!.getReader()
    const first = await reader.read()
    expect(Buffer.from(first.value ?? []).toString('utf8')).toMatch(/^\{"id":/)
    await reader.cancel()
  })

  test('rule 12: summary.weave is computed at each read, not taken from the stored summary', async () => {
    const project_id = newProject()
    const forged = {
      weave: {
        status: 'running',
        latency_ms: 1,
        trace_name: 'forged',
        display_name: 'forged',
        costs: 1,
        feedback: 1,
        mine: 1,
      },
    }
    const at = (ms: number): string => new Date(Date.parse(STARTED) + ms).toISOString()
    await store(
      project_id,
      complete(project_id, { id: 'success', summary: forged, ended_at: '2026-11-01T00:00:01.999999Z' }),
      complete(project_id, {
        id: 'error',
        exception: 'boom',
        ended_at: at(1),
        summary: { status_counts: { error: 1 } },
      }),
      complete(project_id, {
        id: 'descendant',
        ended_at: at(0),
        summary: { status_counts: { success: 1, error: 2 } },
      }),
      complete(project_id, {
        id: 'named',
        op_name: `weave:///${project_id}/op/short:abc`,
        display_name: 'Long',
      }),
      complete(project_id, { id: 'ref', op_name: `weave:///${project_id}/op/short:abc` }),
    )
    await server.post('/call/start', { start: start(project_id, { id: 'running' }) })
    const calls = new Map((await query(project_id)).map((call) => [call.id, call.summary.weave]))
    expect(Object.fromEntries(calls)).toEqual({
      success: { mine: 1, status: 'success', latency_ms: 1999, trace_name: 'op' },
      error: { status: 'error', latency_ms: 1, trace_name: 'op' },
      descendant: { status: 'descendant_error', latency_ms: 0, trace_name: 'op' },
      named: { status: 'success', latency_ms: 2000, display_name: 'Long' },
      ref: { status: 'success', latency_ms: 2000, trace_name: 'short' },
      running: { status: 'running', stale: true, trace_name: 'op' },
    })
    // Usage is counted under either pair of token names.
    const usage = {
      a: { prompt_tokens: 10, completion_tokens: 1 },
      b: { input_tokens: 20, output_tokens: 2 },
    }
    await store(project_id, complete(project_id, { id: 'used', summary: { usage } }))
    const price = { prompt_token_cost: 1, completion_token_cost: 100 }
    await server.post('/cost/create', { project_id, costs: { a: price, b: price } })
    const used = await readCall(project_id, 'used', { include_costs: true })
    expect(used?.summary).toMatchObject({
      usage,
      weave: {
        costs: {
          a: { prompt_tokens: 10, prompt_tokens_total_cost: 10, completion_tokens_total_cost: 100 },
          b: { prompt_tokens: 20, prompt_tokens_total_cost: 20, completion_tokens_total_cost: 200 },
        },
      },
    })
  })

  test('rule 13: times have microsecond precision', async () => {
    const project_id = newProject()
    const times = { started_at: '2026-11-01T00:00:00.123456Z', ended_at: '2026-11-01T02:00:00.654321+02:00' }
    const call = complete(project_id, times)
    await store(project_id, call)
    expect(await readCall(project_id, call.id)).toMatchObject({
      started_at: '2026-11-01T00:00:00.123456Z',
      ended_at: '2026-11-01T00:00:00.654321Z',
    })
    const part = start(project_id, { started_at: '2026-11-01T00:00:00.000001Z' })
    await server.post('/call/start', { start: part })
    await server.post('/call/end', { end: end(part, { ended_at: '2026-11-01T00:00:00.000002' }) })
    expect(await readCall(project_id, part.id)).toMatchObject({
      started_at: '2026-11-01T00:00:00.000001Z',
      ended_at: '2026-11-01T00:00:00.000002Z',
    })
    const later = where({ $gt: [field('started_at'), literal('2026-11-01T00:00:00.000001Z')] })
    expect(await ids(project_id, later)).toEqual([call.id])
  })
})

describe('content', () => {
  test('rule 14: digests equal those that clients compute', async () => {
    const project_id = newProject()
    const vectors = [
      ['{"a":1}', 'XdhgKMbg1k4iUYb5astpM4ssWXZN95FiEH9cS7NNExA'],
      ['{"a":1.0}', 'dCYJsgfwkAqOLf866DrEeUGvXCm7brXylYTKfdY9g1Q'],
      ['{"b":1,"a":[1,2,{"c":null}]}', '8HSDE3LYU7hJLrao2AAI70nOyPigxrZx9xNNQwSlEdQ'],
      ['{"ü":"é"}', 'zCVQGSjGQAJvb3Bq6MXbzRzkIXYY9baN7B7kXzfg7oc'],
      ['{"x":"👍"}', '77VijDhtRDOyXVGa3kVAtZ0ow0LMBvCrbL68nneljvI'],
      ['{"n":1e22}', 'N11oqvKf2OCFwcXqy2OMtYVpnXOMCo6oG8NLEu5XhXs'],
      ['{"n":1e-7}', 'bIZjYZYvKL7L2OyucYSzymwPSKL46P0uYSSngxyrKe8'],
      ['{"n":123456789012345678901234567890}', '37AJSVtyt5blHyY53XnuVxXvg90XSej3d6MBS7fdekg'],
      ['{"n":-0.0}', 'rHlqY9Vvzd5hJMWJPTckYp4oFFKXajMn4DEehXqYlsI'],
      ['{"\\uffff":1,"😀":2}', 'uYIYF0bvxz9HxbbuA3nbiwOWh2Yu7bSIYk6aAeKwWCE'],
      ['null', 'dCNOmKYnSYX12vHzasLXiswzlGT5UHA7jAGYkvmCuQs'],
    ] as const
    for (const [i, [val, digest]] of vectors.entries()) {
      const body = `{"obj":{"project_id":"${project_id}","object_id":"v${i}","val":${val},"expected_digest":"${digest}"}}`
      const response = await server.send('/obj/create', body)
      expect([val, response.json['digest']]).toEqual([val, digest])
    }
    const rows = [2, 3, 4].map((value, i) => ({ id: i + 1, value }))
    expect(await server.post('/table/create', { table: { project_id, rows } })).toEqual({
      digest: '03b86e8588d298a1814945664597d94281cb0dbca3b4ff8b0fcff30a6305d33e',
      row_digests: [
        'mriP98RC2VPGkzk0QeZZ2hq4pUA8fQnhNlsivPxyYYA',
        'DT31YGNzrm7UClL9NXjXYHGXBhYZJsh4Ct9jjBWY74s',
        '1dMFHVoxulzjLOSTzDQMrTQ5ckPCI3aF2487OjvmxJI',
      ],
    })
    expect((await upload('/file/create', '', { project_id })).json['digest']).toBe(
      '47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU',
    )
  })

  test('rule 15: numbers are returned with the same digits as sent', async () => {
    const project_id = newProject()
    const exactNumbers =
      '{"a":1.0,"b":1e22,"c":123456789012345678901234567890,"d":-0.0,"e":1.10,"f":[5E-7,0.1]}'
    const raw = (body: unknown): string => JSON.stringify(body).replaceAll('"@"', exactNumbers)
    const call = complete(project_id, {
      id: 'c',
      inputs: '@',
      output: '@',
      attributes: '@',
      summary: { mine: '@' },
    })
    const writes: [string, unknown][] = [
      [`/v2/${project_id}/calls/complete`, { batch: [call] }],
      ['/obj/create', { obj: { project_id, object_id: 'o', val: '@' } }],
      ['/table/create', { table: { project_id, rows: ['@'] } }],
      [
        '/feedback/create',
        { project_id, weave_ref: 'weave:///a/b/call/c', feedback_type: 'x', payload: '@' },
      ],
    ]
    const responses = []
    for (const [path, body] of writes) {
      const response = await server.send(path, raw(body))
      expect([path, response.status, response.text]).toEqual([path, 200, expect.anything()])
      responses.push(response.json)
    }
    const digest = responses[2]?.['digest']
    const read = await server.send('/call/read', { project_id, id: 'c' })
    for (const name of ['inputs', 'output', 'attributes', 'mine'])
      expect(read.text).toContain(`"${name}":${exactNumbers}`)
    expect((await server.send('/calls/stream_query', { project_id })).text).toContain(
      `"inputs":${exactNumbers}`,
    )
    expect((await readObject(project_id, 'o', 'latest')).text).toContain(`"val":${exactNumbers}`)
    expect((await server.send('/table/query', { project_id, digest })).text).toContain(
      `"val":${exactNumbers}`,
    )
    expect((await server.send('/feedback/query', { project_id })).text).toContain(`"payload":${exactNumbers}`)
    const ref = `weave:///${project_id}/object/o:${responses[1]?.['digest'] as string}`
    expect((await server.send('/refs/read_batch', { refs: [ref] })).text).toContain(exactNumbers)
  })

  test('rule 16: a version is found by digest, latest, index and alias; a deleted one is 404 with deleted_at; an unexpected digest is 409', async () => {
    const project_id = newProject()
    const first = await publish(project_id, 'model', { v: 1 })
    const second = await publish(project_id, 'model', { v: 2 })
    await server.heddle.deps.db.insert('object_labels', [
      {
        project_id,
        object_id: 'model',
        kind: 'alias',
        label: 'prod',
        tagged_digest: '',
        digest: first,
        created_at: formatTime(server.heddle.deps.now()),
      },
    ])
    for (const [digest, v] of [
      [first, 1],
      [second, 2],
      ['latest', 2],
      ['v0', 1],
      ['v1', 2],
      ['prod', 1],
    ] as const) {
      const { json } = await readObject(project_id, 'model', digest)
      expect([digest, json['obj']]).toEqual([digest, expect.objectContaining({ val: { v } })])
    }
    for (const digest of ['x'.repeat(43), 'v2', 'nobody']) {
      const missing = await readObject(project_id, 'model', digest)
      expect([missing.status, missing.json]).toEqual([
        404,
        expect.objectContaining({ reason: `Obj model:${digest} not found` }),
      ])
      expect(missing.json).not.toHaveProperty('deleted_at')
    }
    await server.post('/obj/delete', { project_id, object_id: 'model', digests: [first] })
    for (const digest of [first, 'v0']) {
      const deleted = await readObject(project_id, 'model', digest)
      expect([deleted.status, deleted.json['deleted_at']]).toEqual([
        404,
        expect.stringMatching(/^\d{4}-.*Z$/),
      ])
    }
    const expected_digest = 'x'.repeat(43)
    const wrong = { project_id, expected_digest }
    expect((await server.send('/obj/create', { obj: { ...wrong, object_id: 'o', val: 1 } })).status).toBe(409)
    expect((await server.send('/table/create', { table: { ...wrong, rows: [] } })).status).toBe(409)
    expect((await server.send('/table/create_from_digests', { ...wrong, row_digests: [] })).status).toBe(409)
    expect((await upload('/file/create', 'abc', wrong)).status).toBe(409)
  })

  test('rule 17: version_index follows the first publication and never changes; publishing again moves latest and created_at', async () => {
    const project_id = newProject()
    const versions = async (): Promise<[unknown, unknown, unknown][]> => {
      const { objs } = await server.post<{ objs: Json[] }>('/objs/query', { project_id })
      return objs.map((obj) => [(obj['val'] as Json)['v'], obj['version_index'], obj['is_latest']])
    }
    const a = await publish(project_id, 'o', { v: 'a' })
    const b = await publish(project_id, 'o', { v: 'b' })
    await publish(project_id, 'o', { v: 'c' })
    expect(await versions()).toEqual([
      ['a', 0, 0],
      ['b', 1, 0],
      ['c', 2, 1],
    ])
    await publish(project_id, 'o', { v: 'a' })
    expect(await versions()).toEqual([
      ['b', 1, 0],
      ['c', 2, 0],
      ['a', 0, 1],
    ])
    await server.post('/obj/delete', { project_id, object_id: 'o', digests: [a] })
    expect(await versions()).toEqual([
      ['b', 1, 0],
      ['c', 2, 1],
    ])
    await server.post('/obj/delete', { project_id, object_id: 'o', digests: [b] })
    await publish(project_id, 'o', { v: 'd' })
    expect(await versions()).toEqual([
      ['c', 2, 0],
      ['d', 3, 1],
    ])
    await publish(project_id, 'o', { v: 'b' })
    expect(await versions()).toEqual([
      ['c', 2, 0],
      ['d', 3, 0],
      ['b', 1, 1],
    ])
  })

  test('rule 18: a table is returned completely, in order, with duplicates; an unknown one is empty', async () => {
    const project_id = newProject()
    const rows = Array.from({ length: 3_000 }, (_, i) => ({ n: i % 7 }))
    const { digest } = await server.post<{ digest: string }>('/table/create', { table: { project_id, rows } })
    const read = await server.post<{ rows: Json[] }>('/table/query', { project_id, digest })
    expect(read.rows.map((row) => row['val'])).toEqual(rows)
    expect(read.rows.map((row) => row['original_index'])).toEqual(rows.map((_, i) => i))
    expect(await server.post('/table/query_stats', { project_id, digest })).toEqual({ count: 3_000 })
    for (const unknown of ['0'.repeat(64), 'nonsense', '']) {
      expect(await server.post('/table/query', { project_id, digest: unknown })).toEqual({ rows: [] })
      expect(await server.post('/table/query_stats', { project_id, digest: unknown })).toEqual({ count: 0 })
    }
    const filter = { row_digests: ['x'.repeat(43)] }
    expect(await server.post('/table/query', { project_id, digest, filter })).toEqual({ rows: [] })
  })

  test('rule 19: create_from_digests accepts an empty list, which SDKs use to detect the operation', async () => {
    const project_id = newProject()
    const digest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    expect(await server.post('/table/create_from_digests', { project_id, row_digests: [] })).toEqual({
      digest,
    })
    expect(await server.post('/table/query', { project_id, digest })).toEqual({ rows: [] })
    const { row_digests } = await server.post<{ row_digests: string[] }>('/table/create', {
      table: { project_id, rows: [{ a: 1 }, { a: 2 }] },
    })
    const reversed = await server.post<{ digest: string }>('/table/create_from_digests', {
      project_id,
      row_digests: row_digests.toReversed(),
    })
    expect(await server.post('/table/query', { project_id, digest: reversed.digest })).toMatchObject({
      rows: [{ val: { a: 2 } }, { val: { a: 1 } }],
    })
  })

  test('rule 20: refs are resolved through objects and tables, in order; a deleted object is null, a missing one is 404', async () => {
    const project_id = newProject()
    const ref = (name: string, digest: string): string => `weave:///${project_id}/object/${name}:${digest}`
    const { digest, row_digests } = await server.post<{ digest: string; row_digests: string[] }>(
      '/table/create',
      {
        table: { project_id, rows: [{ q: 'one' }, { q: ['two', { deep: true }] }] },
      },
    )
    const data = ref(
      'data',
      await publish(project_id, 'data', { rows: `weave:///${project_id}/table/${digest}` }),
    )
    const model = ref('model', await publish(project_id, 'model', { data, 'odd key': [1, 2] }))
    const gone = ref('gone', await publish(project_id, 'gone', { a: 1 }))
    await server.post('/obj/delete', { project_id, object_id: 'gone' })
    const refs = [
      `${model}/attr/data/attr/rows/id/${row_digests[1]}/key/q/index/1/attr/deep`,
      gone,
      `${model}/key/odd%20key/index/1`,
      `${data}/attr/rows/id/${row_digests[0]}`,
      `${model}/attr/nothing`,
      model,
    ]
    expect(await server.post('/refs/read_batch', { refs })).toEqual({
      vals: [true, null, 2, { q: 'one' }, null, { data, 'odd key': [1, 2] }],
    })
    const unknown = 'x'.repeat(43)
    const missing = await server.send('/refs/read_batch', { refs: [model, ref('model', unknown)] })
    expect([missing.status, missing.json['missing_object_digests']]).toEqual([404, [unknown]])
    for (const bad of [
      ref('model', 'latest'),
      `weave:///${project_id}/table/${digest}`,
      `weave:///${project_id}/call/c`,
    ]) {
      const response = await server.send('/refs/read_batch', { refs: [bad] })
      expect([bad, response.status, response.json['reason']]).toEqual([bad, 400, expect.any(String)])
    }
  })
})

describe('queries', () => {
  test('rule 21: ":*" means any version, in op_names, input_refs and output_refs', async () => {
    const project_id = newProject()
    const op = (name: string, digest: string): string => `weave:///${project_id}/op/${name}:${digest}`
    const object = (name: string, digest: string): string => `weave:///${project_id}/object/${name}:${digest}`
    await store(
      project_id,
      complete(project_id, {
        id: 'a',
        op_name: op('predict', '1'),
        inputs: { x: object('m', '1') },
        output: object('r', '1'),
      }),
      complete(project_id, {
        id: 'b',
        op_name: op('predict', '2'),
        inputs: { x: [object('m', '2')] },
        output: { y: object('r', '2') },
      }),
      complete(project_id, {
        id: 'c',
        op_name: op('predict_all', '1'),
        inputs: { x: object('mm', '1') },
        output: object('rr', '1'),
      }),
      complete(project_id, { id: 'd', op_name: 'predict' }),
    )
    const found = (filter: Json): Promise<string[]> => ids(project_id, { filter })
    expect(await found({ op_names: [op('predict', '*')] })).toEqual(['a', 'b'])
    expect(await found({ op_names: [op('predict', '2'), op('predict_all', '*'), 'predict'] })).toEqual([
      'b',
      'c',
      'd',
    ])
    expect(await found({ input_refs: [object('m', '*')] })).toEqual(['a', 'b'])
    expect(await found({ input_refs: [object('m', '2'), object('mm', '*')] })).toEqual(['b', 'c'])
    expect(await found({ output_refs: [object('r', '*')] })).toEqual(['a', 'b'])
    expect(await found({ output_refs: ['%:*', object('_', '*')] })).toEqual([])
    expect(await found({ op_names: [] })).toEqual(['a', 'b', 'c', 'd'])
    expect(await count(project_id, { filter: { op_names: [op('predict', '*')] } })).toBe(2)
  })

  test('rule 22: literals cast the other side, a missing value is "", NULL matches neither a condition nor its $not, and missing values sort last', async () => {
    const project_id = newProject()
    const values: [string, unknown][] = [
      ['int', 5],
      ['float', 5.5],
      ['digits', '10'],
      ['word', 'word'],
      ['yes', true],
      ['null', null],
      ['object', { a: [1] }],
    ]
    await store(
      project_id,
      ...values.map(([id, x], i) =>
        complete(project_id, { id, inputs: { x }, started_at: `2026-11-01T00:00:0${i}Z` }),
      ),
      complete(project_id, { id: 'missing', started_at: '2026-11-01T00:00:08Z' }),
    )
    const found = (expr: Json): Promise<string[]> => ids(project_id, where(expr))
    const x = field('inputs.x')
    // The literal determines the type of the other side; a value that cannot be cast matches neither way.
    expect(await found({ $gt: [x, literal(5)] })).toEqual(['digits'])
    expect(await found({ $not: [{ $gt: [x, literal(5)] }] })).not.toContain('word')
    expect(await found({ $gte: [x, literal(5.5)] })).toEqual(['float', 'digits'])
    expect(await found({ $not: [{ $gte: [x, literal(5.5)] }] })).toEqual(['int'])
    expect(await found(eq('inputs.x', '5'))).toEqual(['int'])
    expect(await found(eq('inputs.x', true))).toContain('yes')
    expect(await found(eq('inputs.x', '{"a":[1]}'))).toEqual(['object'])
    expect(await found(eq('inputs.x.a.0', 1))).toEqual(['object'])
    // Missing and null equal the empty text, and do not exist.
    expect(await found(eq('inputs.x', ''))).toEqual(['null', 'missing'])
    expect(await found(eq('inputs.x', null))).toEqual([])
    expect(await found({ $and: [{ $convert: { input: x, to: 'exists' } }] })).toEqual([
      'int',
      'float',
      'digits',
      'word',
      'yes',
      'object',
    ])
    expect(await found({ $contains: { input: x, substr: literal('') } })).toHaveLength(values.length + 1)
    expect(await found({ $contains: { input: x, substr: literal('WOR'), case_insensitive: true } })).toEqual([
      'word',
    ])
    expect(await found({ $in: [x, [literal(5), literal(10)]] })).toEqual(['int', 'digits'])
    // Columns can be unset.
    expect(await found(eq('parent_id', null))).toHaveLength(values.length + 1)
    expect(await found({ $not: [eq('parent_id', null)] })).toEqual([])
    for (const direction of ['asc', 'desc']) {
      const sorted = await ids(project_id, { sort_by: [{ field: 'inputs.x', direction }] })
      expect([direction, sorted.slice(-2).sort()]).toEqual([direction, ['missing', 'null']])
      const numbers = sorted.filter((id) => ['int', 'float', 'digits'].includes(id))
      expect(numbers).toEqual(direction === 'asc' ? ['int', 'float', 'digits'] : ['digits', 'float', 'int'])
      // Parts of the path may be missing too.
      expect(await ids(project_id, { sort_by: [{ field: 'inputs.none.deeper', direction }] })).toHaveLength(8)
    }
    const running = start(project_id, { id: 'running' })
    await server.post('/call/start', { start: running })
    for (const direction of ['asc', 'desc']) {
      expect((await ids(project_id, { sort_by: [{ field: 'ended_at', direction }] })).at(-1)).toBe('running')
    }
  })

  test('rule 23: a comparison of two literals is accepted in every query', async () => {
    const project_id = newProject()
    await store(project_id, complete(project_id, { id: 'c' }))
    await server.post('/feedback/create', {
      project_id,
      id: 'f',
      weave_ref: 'weave:///a/b/call/c',
      feedback_type: 'x',
      payload: {},
    })
    await server.post('/cost/create', {
      project_id,
      costs: { m: { prompt_token_cost: 1, completion_token_cost: 1 } },
    })
    for (const [right, found] of [
      ['1', 1],
      ['2', 0],
    ] as const) {
      const body = { project_id, ...where({ $eq: [literal('1'), literal(right)] }) }
      expect((await server.post<{ result: Json[] }>('/feedback/query', body)).result).toHaveLength(found)
      expect((await server.post<{ results: Json[] }>('/cost/query', body)).results).toHaveLength(found)
      expect(await count(project_id, body)).toBe(found)
      expect(await ids(project_id, body)).toHaveLength(found)
    }
  })

  test('rule 24: columns select by their first part, and expanded refs contain their ref', async () => {
    const project_id = newProject()
    const inner = `weave:///${project_id}/object/inner:${await publish(project_id, 'inner', { deep: 1.5 })}`
    const outer = `weave:///${project_id}/object/outer:${await publish(project_id, 'outer', { b: inner })}`
    await store(
      project_id,
      complete(project_id, { id: 'c', inputs: { model: outer, n: 1 }, output: outer, wb_run_id: 'run' }),
    )
    const [some] = await query(project_id, { columns: ['inputs.model.b'] })
    expect(some).toMatchObject({
      id: 'c',
      project_id,
      op_name: 'op',
      started_at: STARTED,
      inputs: { model: outer, n: 1 },
    })
    expect(some).toMatchObject({
      trace_id: expect.any(String),
      output: null,
      attributes: {},
      wb_run_id: null,
      summary: null,
    })
    const [summed] = await query(project_id, { columns: ['summary'] })
    expect(summed).toMatchObject({ ended_at: ENDED, summary: { weave: { status: 'success' } }, inputs: {} })
    const [one] = await query(project_id, { expand_columns: ['inputs.model'] })
    expect(one).toMatchObject({ inputs: { model: { b: inner, _ref: outer }, n: 1 }, output: outer })
    const [both] = await query(project_id, { expand_columns: ['output', 'output.b'] })
    expect(both).toMatchObject({ output: { b: { deep: 1.5, _ref: inner }, _ref: outer } })
    const [plain] = await query(project_id, {
      expand_columns: ['output', 'output.b'],
      return_expanded_column_values: false,
    })
    expect(plain).toMatchObject({ output: outer })
  })
})

describe('prices and feedback', () => {
  test('rule 25: cost/create returns [id, model], built-in prices are not listed, and the effective date takes precedence over the level', async () => {
    const project_id = newProject()
    const price = (cost: number, date: string): Json => ({
      prompt_token_cost: cost,
      completion_token_cost: cost,
      effective_date: date,
    })
    const created = await server.post<{ ids: [string, string][] }>('/cost/create', {
      project_id,
      costs: { 'gpt-4o': price(1, '2026-01-01') },
    })
    expect(created.ids).toEqual([[expect.not.stringContaining('gpt'), 'gpt-4o']])
    const { results } = await server.post<{ results: Json[] }>('/cost/query', { project_id })
    expect(results).toEqual([
      expect.objectContaining({ id: created.ids[0]?.[0], llm_id: 'gpt-4o', prompt_token_cost: 1 }),
    ])
    await server.post('/cost/create', { project_id, costs: { 'gpt-4o': price(2, '2026-06-01') } })
    await server.post('/cost/create', { project_id, costs: { 'gpt-4o': price(3, '2027-01-01') } })
    const usage = { 'gpt-4o': { prompt_tokens: 1, completion_tokens: 1 } }
    const cost = async (started_at: string): Promise<Json> => {
      const call = complete(project_id, { started_at, summary: { usage } })
      await store(project_id, call)
      const read = await readCall(project_id, call.id, { include_costs: true })
      return (read!.summary.weave['costs'] as Record<string, Json>)['gpt-4o']!
    }
    expect(await cost('2026-03-01T00:00:00Z')).toMatchObject({
      prompt_token_cost: 1,
      pricing_level: 'project',
    })
    expect(await cost('2026-07-01T00:00:00Z')).toMatchObject({ prompt_token_cost: 2 })
    expect(await cost('2027-02-01T00:00:00Z')).toMatchObject({ prompt_token_cost: 3 })
    // Before the first project price is effective, the built-in price applies.
    expect(await cost('2025-12-01T00:00:00Z')).toMatchObject({ pricing_level: 'default' })
  })

  test('rule 26: reactions are enriched, payloads are validated by type, and wb_user_id is the authenticated user', async () => {
    const project_id = newProject()
    const weave_ref = `weave:///${project_id}/call/c`
    const someone = server.as(await server.user('someone', { [project_id]: 'write' }))
    const send = (record: Json): Promise<TestResponse> =>
      someone('/feedback/create', { project_id, weave_ref, wb_user_id: 'admin', ...record })
    const reaction = await send({ feedback_type: 'wandb.reaction.1', payload: { emoji: '👍🏽' } })
    expect(reaction.json).toMatchObject({
      wb_user_id: 'someone',
      payload: {
        emoji: '👍🏽',
        alias: ':thumbs_up_medium_skin_tone:',
        detoned: '👍',
        detoned_alias: ':thumbs_up:',
      },
    })
    const { result } = await server.post<{ result: Json[] }>('/feedback/query', { project_id })
    expect(result).toMatchObject([{ wb_user_id: 'someone', payload: { detoned: '👍' } }])
    const wrong: Json[] = [
      { feedback_type: 'wandb.reaction.1', payload: { emoji: 'two' } },
      { feedback_type: 'wandb.reaction.1', payload: {} },
      { feedback_type: 'wandb.note.1', payload: { note: '' } },
      { feedback_type: 'wandb.note.1', payload: { note: 'x'.repeat(1025) } },
      { feedback_type: 'wandb.annotation.quality', payload: { value: 1 } },
      { feedback_type: 'wandb.runnable.judge', payload: { output: 1 } },
      { feedback_type: 'custom', payload: {}, scorer_tags: ['x'] },
    ]
    for (const record of wrong) expect([record, (await send(record)).status]).toEqual([record, 400])
    // One invalid record rejects the whole batch before anything is stored.
    const batch = [{ feedback_type: 'custom', payload: {} }, wrong[0]].map((record) => ({
      project_id,
      weave_ref,
      ...record,
    }))
    expect((await someone('/feedback/batch/create', { batch })).status).toBe(400)
    expect(await server.post('/feedback/query', { project_id })).toMatchObject({ total_count: 1 })
  })

  test('rule 27: replace keeps the given id; listed feedback has no null where SDKs expect lists, flat dotted keys, and a total', async () => {
    const project_id = newProject()
    const record = {
      project_id,
      weave_ref: `weave:///${project_id}/call/c`,
      feedback_type: 'x',
      payload: { old: 'old' },
    }
    for (let i = 0; i < 3; i++) await server.post('/feedback/create', { ...record, id: `f${i}` })
    // Weave generates a new id here. Keeping the id makes the request idempotent.
    const payload = { note: 'new', deep: { n: 1.5 } }
    const replaced = await server.post('/feedback/replace', { ...record, feedback_id: 'f1', payload })
    expect(replaced).toMatchObject({ id: 'f1', payload })
    expect(await server.post('/feedback/replace', { ...record, feedback_id: 'f1', payload })).toEqual(
      replaced,
    )
    const byId = where(eq('id', 'f1'))
    const listed = {
      id: 'f1',
      payload,
      scorer_tags: [],
      scorer_tag_reasons: {},
      scorer_tag_confidences: {},
      scorer_ratings: {},
      scorer_rating_reasons: {},
      scorer_rating_confidences: {},
      span_agent_name: '',
      span_agent_version: '',
      span_status_code: 'UNSET',
      span_conversation_id: '',
      span_trace_id: '',
      scorer_trace_id: '',
    }
    // Without `fields`, columns that are empty in all records are left out.
    expect(
      await server.post('/feedback/query', { project_id, fields: Object.keys(listed), ...byId }),
    ).toEqual({ result: [listed], total_count: 1 })
    const fields = ['id', 'payload.note', 'payload.deep.n']
    expect(await server.post('/feedback/query', { project_id, fields, ...byId })).toEqual({
      result: [{ id: 'f1', 'payload.note': 'new', 'payload.deep.n': 1.5 }],
      total_count: 1,
    })
    expect(await server.post('/feedback/query', { project_id, fields: ['id'], limit: 1 })).toMatchObject({
      result: [{ id: 'f0' }],
      total_count: 3,
    })
    expect(await server.post('/feedback/query', { project_id, fields: ['count(*)'] })).toMatchObject({
      result: [{ 'count(*)': 3 }],
    })
  })
})

describe('other rules', () => {
  test('rule 28: deleting a call deletes its descendants, and counts them', async () => {
    const project_id = newProject()
    const trace = { trace_id: 't' }
    await store(
      project_id,
      complete(project_id, { ...trace, id: 'root' }),
      complete(project_id, { ...trace, id: 'child', parent_id: 'root' }),
      complete(project_id, { ...trace, id: 'grandchild', parent_id: 'child' }),
      complete(project_id, { ...trace, id: 'sibling', parent_id: 'root' }),
      // In another trace, the same parent id is a different call.
      complete(project_id, { trace_id: 'other', id: 'stranger', parent_id: 'child' }),
    )
    expect(
      await server.post('/calls/delete', { project_id, call_ids: ['child', 'child', 'unknown'] }),
    ).toEqual({ num_deleted: 2 })
    expect((await ids(project_id)).sort()).toEqual(['root', 'sibling', 'stranger'])
    expect(await server.post('/calls/delete', { project_id, call_ids: ['root'] })).toEqual({ num_deleted: 2 })
    expect(await ids(project_id)).toEqual(['stranger'])
    const many = Array.from({ length: 1001 }, (_, i) => `c${i}`)
    expect((await server.send('/calls/delete', { project_id, call_ids: many })).status).toBe(413)
  })

  test('rule 29: weave_ref and item_ref are synonyms, and so are direction and order', async () => {
    const project_id = newProject()
    const callRef = `weave:///${project_id}/call/c`
    for (const name of ['weave_ref', 'item_ref']) {
      await server.post('/feedback/create', {
        project_id,
        id: name,
        [name]: callRef,
        feedback_type: 'x',
        payload: {},
      })
      await server.post('/feedback/replace', {
        project_id,
        feedback_id: `r-${name}`,
        [name]: callRef,
        feedback_type: 'x',
        payload: {},
      })
    }
    for (const name of ['weave_ref', 'item_ref']) {
      const { result } = await server.post<{ result: Json[] }>('/feedback/query', {
        project_id,
        fields: [name],
        ...where(eq(name, callRef)),
      })
      expect(result).toEqual(Array.from({ length: 4 }, () => ({ [name]: callRef })))
    }
    await store(
      project_id,
      complete(project_id, { id: 'a', inputs: { n: 1 } }),
      complete(project_id, { id: 'b', inputs: { n: 2 } }),
    )
    const { digest } = await server.post<{ digest: string }>('/table/create', {
      table: { project_id, rows: [{ n: 1 }, { n: 2 }] },
    })
    for (const name of ['direction', 'order']) {
      const by = (sortField: string): Json => ({ sort_by: [{ field: sortField, [name]: 'desc' }] })
      expect(await ids(project_id, by('inputs.n'))).toEqual(['b', 'a'])
      expect(await server.post('/table/query', { project_id, digest, ...by('n') })).toMatchObject({
        rows: [{ val: { n: 2 } }, { val: { n: 1 } }],
      })
      const { result } = await server.post<{ result: Json[] }>('/feedback/query', {
        project_id,
        fields: ['id'],
        ...by('id'),
      })
      expect(result[0]).toEqual({ id: 'weave_ref' })
    }
    const conflicting = { sort_by: [{ field: 'inputs.n', order: 'desc', direction: 'asc' }] }
    expect(await ids(project_id, conflicting)).toEqual(['b', 'a'])
  })

  test('rule 30: a record may refer to records that do not exist yet', async () => {
    const project_id = newProject()
    const nowhere = (kind: string): string => `weave:///${project_id}/${kind}`
    const digest = 'x'.repeat(43)
    await publish(project_id, 'early', {
      _type: 'CustomWeaveType',
      weave_type: { type: 'PIL.Image.Image' },
      files: { 'image.png': digest },
      rows: nowhere(`table/${'0'.repeat(64)}`),
      model: nowhere(`object/none:${digest}`),
    })
    await store(
      project_id,
      complete(project_id, {
        id: 'c',
        op_name: nowhere(`op/none:${digest}`),
        inputs: { m: nowhere(`object/none:${digest}`) },
        parent_id: 'nobody',
      }),
    )
    const missing = await server.post<{ digest: string }>('/table/create_from_digests', {
      project_id,
      row_digests: [digest],
    })
    await server.post('/feedback/create', {
      project_id,
      weave_ref: nowhere('call/none'),
      feedback_type: 'wandb.annotation.quality',
      annotation_ref: nowhere(`object/quality:${digest}`),
      payload: { value: 1 },
    })
    expect(await ids(project_id)).toEqual(['c'])
    expect(await server.post('/table/query_stats', { project_id, digest: missing.digest })).toEqual({
      count: 1,
    })
    expect((await readObject(project_id, 'early', 'latest')).status).toBe(200)
  })

  test('rule 31: while ClickHouse is down every response is 503 with Retry-After, and the same request succeeds afterwards', async () => {
    const clickhouse = await startFaultProxy(process.env['HEDDLE_TEST_CLICKHOUSE_URL'] ?? '')
    const disconnected = await startTestServer({ clickhouseUrl: clickhouse.url, retryWindowMs: 300 })
    try {
      const project_id = 'acme/away'
      await disconnected.post('/call/start', { start: start(project_id, { id: 'before' }) })
      const writes: [string, Json][] = [
        ['/call/start', { start: start(project_id, { id: 'a' }) }],
        [
          '/call/upsert_batch',
          { batch: [startItem(start(project_id, { id: 'b' })), endItem(end({ id: 'before', project_id }))] },
        ],
        [`/v2/${project_id}/calls/complete`, { batch: [complete(project_id, { id: 'c' })] }],
        // The project is new, so it is recorded first.
        ['/call/start', { start: start('acme/new-while-away', { id: 'd' }) }],
        ['/obj/create', { obj: { project_id, object_id: 'o', val: 1 } }],
        ['/table/create', { table: { project_id, rows: [{ a: 1 }] } }],
        [
          '/feedback/create',
          { project_id, id: 'f', weave_ref: 'weave:///a/b/call/c', feedback_type: 'x', payload: {} },
        ],
        [
          '/cost/create',
          {
            project_id,
            costs: { m: { prompt_token_cost: 1, completion_token_cost: 1, effective_date: '2026-01-01' } },
          },
        ],
        ['/call/update', { project_id, call_id: 'before', display_name: 'renamed' }],
      ]
      const reads: [string, Json][] = [
        ['/call/read', { project_id, id: 'before' }],
        ['/calls/stream_query', { project_id }],
        ['/calls/query_stats', { project_id }],
        ['/objs/query', { project_id }],
        ['/refs/read_batch', { refs: [`weave:///${project_id}/object/o:${'x'.repeat(43)}`] }],
      ]
      clickhouse.disconnect()
      for (const [path, body] of [...writes, ...reads]) {
        const response = await disconnected.send(path, body)
        expect([path, response.status, response.json]).toEqual([
          path,
          503,
          expect.objectContaining({ code: 'unavailable', reason: expect.any(String) }),
        ])
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      // A key that this node has not seen cannot be checked now: the status is not 401.
      const stranger = disconnected.as(basic('api', `hd_${'s'.repeat(43)}`))
      const status = async (): Promise<number> =>
        (await stranger('/call/read', { project_id, id: 'before' })).status
      await expect.poll(status, { timeout: 10_000 }).toBe(503)
      expect((await disconnected.send('/readyz')).status).toBe(503)
      expect((await disconnected.send('/healthz')).status).toBe(200)
      clickhouse.restore()
      for (const [path, body] of writes)
        expect([path, (await disconnected.send(path, body)).status]).toEqual([path, 200])
      const { calls } = await disconnected.post<{ calls: Call[] }>('/calls/query', {
        project_id,
        columns: ['display_name'],
      })
      expect(calls.map((call) => call.id).sort()).toEqual(['a', 'b', 'before', 'c'])
      // A short outage is hidden by retries.
      const retrying = await startTestServer({ clickhouseUrl: clickhouse.url, retryWindowMs: 20_000 })
      clickhouse.disconnect()
      setTimeout(() => clickhouse.restore(), 500)
      await retrying.post('/call/start', { start: start(project_id) })
      await retrying.stop()
    } finally {
      clickhouse.restore()
      await disconnected.stop()
      await clickhouse.stop()
    }
  })

  test('rule 32: no compression or signature is required; an API key is the password for any username, usually "api"', async () => {
    const authorization = await server.user('keeper')
    const key = apiKeyIn(authorization)
    const project_id = 'keeper/p'
    const call = start(project_id)
    const plain = await server.as(basic('api', key))(
      '/call/start',
      { start: call },
      { headers: { 'accept-encoding': 'identity' } },
    )
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null])
    const headers = {
      'user-agent': 'python-httpx/0.28',
      'x-weave-retry-id': unique(),
      'x-weave-client-capabilities': 'trace_id_on_end,eval_child_meta',
      'accept-encoding': 'gzip, deflate',
    }
    const read = await server.as(basic('keeper', key))('/call/read', { project_id, id: call.id }, { headers })
    expect([read.status, read.json['call']]).toEqual([
      200,
      expect.objectContaining({ id: call.id, wb_user_id: 'keeper' }),
    ])
    for (const wrong of [
      basic('api', key.slice(0, -1)),
      basic(key, 'api'),
      basic(key, ''),
      `Bearer ${key.slice(0, -1)}`,
    ]) {
      expect((await server.as(wrong)('/call/read', { project_id, id: call.id })).status).toBe(401)
    }
  })
})
