import { expect, test } from 'vitest'
import { TENANT_TABLES } from '../../src/store/query/scope.ts'
import { identifier, sql } from '../../src/store/query/sql.ts'
import { parseJsonLines, useServer } from '../harness.ts'

/** `HEDDLE_REDACT_KEYS`: values under these keys are replaced before anything of a call is stored. */

const server = useServer({ redactKeys: 'default,ssn' }, { hasLargeRequestThread: true })
const CREDENTIAL = 'sk-canary'

const CALL = {
  trace_id: 'trace',
  op_name: 'op',
  started_at: '2026-10-03T00:00:00Z',
}
const PAYLOADS = {
  attributes: { client: { api_key: CREDENTIAL }, ssn: [CREDENTIAL], user_id: 'anna' },
  inputs: { headers: { Authorization: `Bearer ${CREDENTIAL}` }, n: 1 },
  output: [{ access_token: CREDENTIAL, tokens: 5 }],
}
const STORED = {
  attributes: { client: { api_key: 'REDACTED' }, ssn: ['REDACTED'], user_id: 'anna' },
  inputs: { headers: { Authorization: 'REDACTED' }, n: 1 },
  output: [{ access_token: 'REDACTED', tokens: 5 }],
}
const ENDED = { ended_at: '2026-10-03T00:00:01Z', summary: {} }

type Json = Record<string, unknown>

async function read(project_id: string, id: string): Promise<Json | null> {
  return (await server.post<{ call: Json | null }>('/call/read', { project_id, id })).call
}

async function metric(): Promise<number> {
  const { text } = await server.send('/metrics')
  return Number(/^heddle_redacted_values_total (\d+)/m.exec(text)?.[1])
}

/** Rows of all tables with data of the project that mention the credential. */
async function tablesWithCredential(project_id: string): Promise<string[]> {
  const found: string[] = []
  for (const table of TENANT_TABLES) {
    const row = await server.heddle.deps.db.first<{ n: string }>(
      sql`SELECT count() AS n FROM ${identifier(table)} AS t WHERE project_id = ${project_id} AND position(toString(tuple(t.*)), ${CREDENTIAL}) > 0`,
      { name: 'test', kind: 'scan' },
    )
    if (row?.n !== '0') found.push(table)
  }
  return found
}

const LARGE = 'x'.repeat(3 * 1024 * 1024)

/** The requests that store one call. */
const WAYS: readonly [name: string, requests: (call: Json) => [path: string, body: Json][]][] = [
  [
    'single',
    (call) => {
      const { output, ended_at, summary, ...start } = call
      const { project_id, id } = call
      return [
        ['/call/start', { start }],
        ['/call/end', { end: { project_id, id, output, ended_at, summary } }],
      ]
    },
  ],
  [
    'batch',
    (call) => {
      const { output, ended_at, summary, ...start } = call
      const { project_id, id } = call
      const end = { project_id, id, output, ended_at, summary }
      const batch = [
        { mode: 'end', req: { end } },
        { mode: 'start', req: { start } },
      ]
      return [['/call/upsert_batch', { batch }]]
    },
  ],
  ['complete', (call) => [[`/v2/${String(call['project_id'])}/calls/complete`, { batch: [call] }]]],
  [
    'large',
    (call) => {
      const inputs = { ...(call['inputs'] as Json), text: LARGE }
      return [[`/v2/${String(call['project_id'])}/calls/complete`, { batch: [{ ...call, inputs }] }]]
    },
  ],
]

test.each(WAYS)(
  'calls are stored without credentials, and a resend changes nothing: %s',
  async (name, requests) => {
    const project_id = `acme/redacted-${name}`
    const call = { ...CALL, ...PAYLOADS, ...ENDED, project_id, id: `call-${name}` }
    const before = await metric()
    for (const [path, body] of requests(call)) await server.post(path, body)
    const first = await read(project_id, call.id)
    const inputs = name === 'large' ? { ...STORED.inputs, text: LARGE } : STORED.inputs
    expect(first).toMatchObject({ ...STORED, inputs })
    await expect.poll(metric).toBe(before + 4)
    expect(await tablesWithCredential(project_id)).toEqual([])
    for (const [path, body] of requests(call)) await server.post(path, body)
    expect(await read(project_id, call.id)).toEqual(first)
    const query = {
      $expr: { $eq: [{ $getField: 'inputs.headers.Authorization' }, { $literal: 'REDACTED' }] },
    }
    const { text } = await server.send('/calls/stream_query', { project_id, query, columns: ['id'] })
    expect(parseJsonLines<{ id: string }>(text).map(({ id }) => id)).toEqual([call.id])
  },
)

test('all other bytes stay as they were sent', async () => {
  const project_id = 'acme/redacted-bytes'
  const inputs = '{ "n" : 1.0, "api_key" : "%", "é" : [1e2, "\\u00e9"], "password": "" }'
  const start = { ...CALL, project_id, id: 'exact', attributes: {}, inputs: '#' }
  const body = JSON.stringify({ start }).replace('"#"', inputs.replace('%', CREDENTIAL))
  expect((await server.send('/call/start', Buffer.from(body))).status).toBe(200)
  const { text } = await server.send('/call/read', { project_id, id: 'exact' })
  expect(text).toContain(inputs.replace('%', 'REDACTED'))
})

test('spans and log records of OpenTelemetry are stored without credentials, and can be mapped again', async () => {
  const project_id = 'acme/redacted-otel'
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const attribute = (key: string, stringValue: string): object => ({ key, value: { stringValue } })
  const resource = {
    attributes: [
      attribute('wandb.entity', 'acme'),
      attribute('wandb.project', 'redacted-otel'),
      attribute('db.password', CREDENTIAL),
    ],
  }
  const span = {
    traceId,
    spanId,
    name: 'chat',
    kind: 1,
    startTimeUnixNano: '1790000000000000000',
    endTimeUnixNano: '1790000001000000000',
    attributes: [
      attribute('openai.api_key', CREDENTIAL),
      attribute('input.value', JSON.stringify({ ssn: CREDENTIAL, q: 1 })),
      attribute('input.mime_type', 'application/json'),
    ],
  }
  const headers = { 'content-type': 'application/json' }
  const traces = { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] }
  const sent = await server.send('/v1/traces', traces, { headers })
  expect([sent.status, sent.text]).toEqual([200, expect.any(String)])
  const { calls } = await server.post<{ calls: Json[] }>('/calls/query', { project_id })
  expect(calls).toHaveLength(1)
  expect(calls[0]).toMatchObject({
    inputs: { ssn: 'REDACTED', q: 1 },
    attributes: { openai: { api_key: 'REDACTED' } },
  })
  const { text } = await server.send('/api/v1/projects/acme/redacted-otel/remap', {})
  expect(text).toContain('"changed":0')
  expect(await read(project_id, calls[0]!['id'] as string)).toMatchObject({
    inputs: { q: 1 },
    op_name: 'chat',
  })
  const body = { kvlistValue: { values: [attribute('content', 'hi'), attribute('api_key', CREDENTIAL)] } }
  const record = {
    traceId,
    spanId,
    timeUnixNano: '1790000000500000000',
    eventName: 'gen_ai.choice',
    body: { kvlistValue: { values: [{ key: 'message', value: body }] } },
  }
  const logs = { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] }
  expect((await server.send('/v1/logs', logs, { headers })).status).toBe(200)
  expect(await tablesWithCredential(project_id)).toEqual([])
})
