import { expect, test } from 'vitest'
import type { Call } from '../../src/contract/calls/calls.ts'
import { callId } from '../../src/otlp/call-id.ts'
import { dumpSpan } from '../../src/otlp/dump.ts'
import type { LogRecord } from '../../src/otlp/model.ts'
import { apiKeyIn, parseJsonLines, projectNames, useServer } from '../harness.ts'
import { encodeLogs, encodeTraces } from '../otlp/encode.ts'
import { makeSpan } from '../otlp/make-span.ts'
import { runCli } from '../run-cli.ts'

/** What is done with stored spans: explained, mapped again, joined with log records. */

const server = useServer()
const newProject = projectNames('acme/spans')

async function send(project_id: string, path: string, body: Buffer): Promise<void> {
  const headers = { 'content-type': 'application/x-protobuf', project_id }
  const response = await server.send(path, body, { headers })
  expect([response.status, response.text]).toEqual([200, ''])
}

async function calls(project_id: string): Promise<Call[]> {
  const { text } = await server.send('/calls/stream_query', { project_id })
  return parseJsonLines<Call>(text)
}

const CHAT = new Map<string, string | bigint>([
  ['gen_ai.operation.name', 'chat'],
  ['gen_ai.request.model', 'gpt-5'],
  ['gen_ai.usage.input_tokens', 12n],
])

test('a call from a span says where its fields come from', async () => {
  const project_id = newProject()
  const span = makeSpan({ attributes: CHAT })
  await send(project_id, '/v1/traces', encodeTraces([span], 'protobuf'))
  const id = callId(span.traceId, span.spanId)
  const explained = await server.send(`/api/v1/projects/${project_id}/calls/${id}/explain`)
  expect(explained.json).toMatchObject({ is_span: true })
  expect(JSON.stringify(explained.json['fields'])).toContain('gen_ai.operation.name')
  expect((await server.send(`/api/v1/projects/${project_id}/calls/missing/explain`)).status).toBe(404)
})

test.each([
  ['attributes', true],
  ['attributes.otel_span.name', true],
  ['attributes.kind', false],
])('the column %s includes the span: %s', async (column, includesSpan) => {
  const project_id = newProject()
  await send(project_id, '/v1/traces', encodeTraces([makeSpan({ attributes: CHAT })], 'protobuf'))
  const { text } = await server.send('/calls/stream_query', { project_id, columns: [column] })
  const [call] = parseJsonLines<Call>(text)
  expect(call?.attributes).toMatchObject({ kind: 'llm' })
  expect(Object.hasOwn(call?.attributes ?? {}, 'otel_span')).toBe(includesSpan)
})

test('a call that was not made from a span has nothing to explain', async () => {
  const project_id = newProject()
  await server.post('/call/start', { start: { project_id, id: 'a', op_name: 'x' } })
  const { json } = await server.send(`/api/v1/projects/${project_id}/calls/a/explain`)
  expect(json).toEqual({ is_span: false, fields: [] })
})

test('remap changes the calls whose mapping has changed, and no others', async () => {
  const project_id = newProject()
  const spans = Array.from({ length: 5 }, () => makeSpan({ attributes: CHAT }))
  await send(project_id, '/v1/traces', encodeTraces(spans, 'protobuf'))
  const expected = await calls(project_id)
  const [first] = spans
  if (first === undefined) throw new Error('no span')
  // As an older mapping could have stored it.
  const author = await server.user('remap-author', { [project_id]: 'write' })
  const id = callId(first.traceId, first.spanId)
  const old = {
    project_id,
    id,
    op_name: 'unknown',
    trace_id: first.traceId,
    ended_at: '2026-01-01T00:00:00Z',
  }
  const batch = JSON.stringify({ batch: [{ ...old, otel_dump: 'DUMP' }] })
  const body = batch.replace('"DUMP"', dumpSpan(first).text)
  expect((await server.as(author)(`/v2/${project_id}/calls/complete`, body)).status).toBe(200)
  // One that is running, and one of an SDK.
  await send(project_id, '/v1/traces', encodeTraces([makeSpan({ endNanos: 0n })], 'protobuf'))
  await server.post('/call/start', { start: { project_id, id: 'sdk', op_name: 'x' } })

  const remap = (request: object) => server.post(`/api/v1/projects/${project_id}/remap`, request)
  const one = await remap({ limit: 2 })
  expect(one).toMatchObject({ checked: 2, cursor: expect.any(String) as unknown })
  const two = await remap({ cursor: one['cursor'] })
  expect(two).toMatchObject({ checked: 3, cursor: null })
  expect(Number(one['changed']) + Number(two['changed'])).toBe(1)
  const after = (await calls(project_id)).filter((call) => call.ended_at !== null)
  const byId = (all: readonly Call[]) =>
    all.map((call) => ({ ...call, wb_user_id: '', sent_by: '' })).sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(byId(after)).toEqual(byId(expected))
  expect(after.find((call) => call.id === id)?.wb_user_id).toBe('remap-author')

  const cli = await runCli(['remap', project_id, '--to', server.url, '--json'], {
    env: { HEDDLE_REMAP_KEY: apiKeyIn(server.authorization) },
  })
  expect(JSON.parse(cli.stdout)).toEqual({ project_id, checked: 5, changed: 0 })
})

test('remap reads large spans in smaller pages', async () => {
  const project_id = newProject()
  for (let i = 0; i < 3; i++) {
    const attributes = new Map([...CHAT, ['note', 'x'.repeat(9 * 1024 * 1024)]])
    await send(project_id, '/v1/traces', encodeTraces([makeSpan({ attributes })], 'protobuf'))
  }
  const remap = (request: object) => server.post(`/api/v1/projects/${project_id}/remap`, request)
  const one = await remap({})
  expect(one).toMatchObject({ checked: 2, cursor: expect.any(String) as unknown })
  expect(await remap({ cursor: one['cursor'] })).toMatchObject({ checked: 1, cursor: null })
})

test.each(['before', 'after'])(
  'content of log records that arrives %s its span is shown in the call',
  async (order) => {
    const project_id = newProject()
    const span = makeSpan({ attributes: CHAT })
    const record: LogRecord = {
      resource: span.resource,
      scope: span.scope,
      traceId: span.traceId,
      spanId: span.spanId,
      eventName: 'gen_ai.user.message',
      timeNanos: span.startNanos,
      body: new Map([['content', 'What is the answer?']]),
      attributes: new Map(),
    }
    const logs = (): Promise<void> => send(project_id, '/v1/logs', encodeLogs([record], 'protobuf'))
    if (order === 'before') await logs()
    await send(project_id, '/v1/traces', encodeTraces([span], 'protobuf'))
    if (order === 'after') await logs()
    const [call, ...others] = await calls(project_id)
    expect(others).toEqual([])
    expect(JSON.stringify(call?.inputs)).toContain('What is the answer?')
  },
)

test('an evaluation in a span becomes feedback, once', async () => {
  const project_id = newProject()
  const event = {
    name: 'gen_ai.evaluation.result',
    timeNanos: 1n,
    droppedAttributes: 0,
    attributes: new Map<string, string | number>([
      ['gen_ai.evaluation.name', 'relevance'],
      ['gen_ai.evaluation.score.value', 0.5],
    ]),
  }
  const body = encodeTraces([makeSpan({ attributes: CHAT, events: [event] })], 'protobuf')
  for (let i = 0; i < 2; i++) await send(project_id, '/v1/traces', body)
  const { result } = await server.post<{ result: object[] }>('/feedback/query', { project_id })
  expect(result).toHaveLength(1)
  expect(result[0]).toMatchObject({ feedback_type: expect.stringContaining('relevance') as unknown })
})
