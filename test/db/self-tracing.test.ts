import { networkInterfaces } from 'node:os'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSelfTracing } from '../../src/app/self-tracing.ts'
import { parseJsonLines, startTestServer, type TestServer, useServer } from '../harness.ts'
import { waitUntil } from '../wait-until.ts'

/** A server that exports a span per request, to a second Heddle as the collector. */

const COLLECTED = 'acme/self-tracing'
const collector = useServer()
let traced: TestServer

beforeAll(async () => {
  const headers = `authorization=${encodeURIComponent(collector.authorization)},project-id=${COLLECTED}`
  traced = await startTestServer({
    otlpTracesEndpoint: `${collector.url}/otel/v1/traces`,
    otlpHeaders: headers,
    otlpServiceName: 'heddle-under-test',
  })
})

afterAll(async () => {
  await traced.stop()
})

interface Collected {
  readonly trace_id: string
  readonly parent_id: string | null
  readonly op_name: string
}

async function collected(): Promise<Collected[]> {
  const { text } = await collector.send('/calls/stream_query', { project_id: COLLECTED })
  return parseJsonLines<Collected>(text)
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'

test('a request is a span in the trace of its client; others are not exported', async () => {
  const send = (path: string, headers: Record<string, string>, body?: object) =>
    traced.send(path, body, { headers })
  const query = { project_id: 'acme/demo' }
  await send('/calls/query_stats', { traceparent: `00-${TRACE}-b7ad6b7169203331-00` }, query)
  await send('/calls/query_stats', { 'user-agent': 'heddle-self-tracing' }, query)
  await send('/readyz', {})
  await send('/calls/query_stats', { traceparent: `00-${TRACE}-b7ad6b7169203331-01` }, query)
  await send('/call/read', { traceparent: 'nonsense' }, { project_id: 'acme/demo', id: 'none' })
  await waitUntil(async () => (await collected()).length >= 2)
  const spans = await collected()
  expect(spans.map(({ op_name }) => op_name).sort()).toEqual([
    expect.stringContaining('call_read'),
    expect.stringContaining('calls_query_stats'),
  ])
  const stats = spans.find(({ op_name }) => op_name.includes('calls_query_stats'))
  expect([stats?.trace_id, stats?.parent_id]).toEqual([TRACE, expect.stringMatching(/b7ad6b7169203331$/)])
}, 30_000)

test('requests succeed while the collector does not respond, and the server stops', async () => {
  const server = await startTestServer({ otlpEndpoint: 'http://127.0.0.1:9' })
  const { status } = await server.send('/calls/query_stats', { project_id: 'acme/demo' })
  expect(status).toBe(200)
  await server.stop()
})

test('a server never traces into itself', () => {
  const messages: string[] = []
  const log = pino({}, { write: (line) => void messages.push(line) })
  const own = 'http://127.0.0.1:6340'
  const address = Object.values(networkInterfaces()).flatMap((list) => list ?? [])[0]?.address ?? '127.0.0.1'
  const host = address.includes(':') ? `[${address}]` : address
  for (const otlpEndpoint of [own, 'http://localhost:6340/otel', `http://${host}:6340`]) {
    const settings = {
      otlpEndpoint,
      otlpTracesEndpoint: undefined,
      otlpHeaders: undefined,
      otlpTracesExporter: undefined,
      otlpServiceName: undefined,
    }
    expect(startSelfTracing(settings, [own], log)).toBeUndefined()
  }
  expect(messages).toHaveLength(3)
  expect(messages[0]).toContain('is this server')
})
