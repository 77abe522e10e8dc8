import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { basic, startTestServer, type TestServer } from '../harness.ts'
import { startServerProcess } from '../server-process.ts'

/** The engine hangs, answers break off or lie, the process is asked to end: what clients are told. */

const ENGINE = process.env['HEDDLE_TEST_CLICKHOUSE_URL'] ?? ''
const PROJECT = 'acme/trouble'
const CALLS = 3_000
const PAYLOAD = 'x'.repeat(1_000)

const call = (id: string, project_id = PROJECT) => ({
  project_id,
  id,
  op_name: 'op',
  started_at: '2026-11-01T00:00:00Z',
  ended_at: '2026-11-01T00:00:01Z',
  inputs: { payload: PAYLOAD },
  output: { payload: PAYLOAD },
})

const feedback = (n: number) => ({
  project_id: PROJECT,
  id: `f${n}`,
  weave_ref: `weave:///${PROJECT}/call/c1`,
  feedback_type: 'note',
  payload: { payload: PAYLOAD },
})

async function fill(server: TestServer): Promise<void> {
  for (let n = 0; n < CALLS; n += 500) {
    const batch = Array.from({ length: 500 }, (_, i) => call(`c${n + i}`))
    await server.post(`/v2/${PROJECT}/calls/complete`, { batch })
  }
  await server.post('/feedback/batch/create', { batch: Array.from({ length: 800 }, (_, i) => feedback(i)) })
}

/** Every way to write and to read that has a path of its own to the engine. */
const WRITES: readonly (readonly [string, object])[] = [
  ['/call/start', { start: call('w1') }],
  ['/call/end', { end: { project_id: PROJECT, id: 'c1', ended_at: '2026-11-01T00:00:02Z' } }],
  ['/call/upsert_batch', { batch: [{ mode: 'start', req: { start: call('w2') } }] }],
  [`/v2/${PROJECT}/calls/complete`, { batch: [call('w3')] }],
  ['/call/update', { project_id: PROJECT, call_id: 'c2', display_name: 'other' }],
  ['/calls/delete', { project_id: PROJECT, call_ids: ['nobody'] }],
  ['/feedback/create', feedback(9_000)],
  ['/obj/create', { obj: { project_id: PROJECT, object_id: 'o', val: { a: 1 } } }],
  ['/table/create', { table: { project_id: PROJECT, rows: [{ a: 1 }] } }],
]

const READS: readonly (readonly [string, object])[] = [
  ['/call/read', { project_id: PROJECT, id: 'c1' }],
  ['/calls/query', { project_id: PROJECT, limit: 10 }],
  ['/calls/stream_query', { project_id: PROJECT, limit: 10 }],
  ['/calls/query_stats', { project_id: PROJECT }],
  ['/feedback/query', { project_id: PROJECT }],
  ['/objs/query', { project_id: PROJECT }],
]

describe('an engine that hangs', () => {
  let engine: FaultProxy
  let server: TestServer

  beforeAll(async () => {
    engine = await startFaultProxy(ENGINE)
    server = await startTestServer({ clickhouseUrl: engine.url, retryWindowMs: 1_000 })
    await server.post(`/v2/${PROJECT}/calls/complete`, { batch: [call('c1'), call('c2')] })
  })
  afterAll(async () => {
    await server.stop()
    await engine.stop()
  })

  test('everyone is told 503 and when to come back, liveness stays, and it goes on by itself', async () => {
    // Connections are taken, and nothing is ever answered: a machine that hangs, a SIGSTOP.
    engine.delay(600_000)
    const began = performance.now()
    const answers = await Promise.all(
      [...WRITES, ...READS].map(async ([path, body]) => [path, await server.send(path, body)] as const),
    )
    const ms = performance.now() - began
    for (const [path, answer] of answers) {
      expect([path, answer.status, answer.json['code']]).toEqual([path, 503, 'unavailable'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    // The hold, and a ping that is not answered either; some requests make two statements.
    expect(ms).toBeGreaterThan(1_000)
    expect(ms).toBeLessThan(15_000)
    const pages = await Promise.all(['/readyz', '/healthz', '/livez'].map((path) => server.send(path)))
    expect(pages.map((page) => page.status)).toEqual([503, 200, 200])
    engine.mend()
    for (const [path, body] of [...WRITES, ...READS]) {
      expect([path, (await server.send(path, body)).status]).toEqual([path, 200])
    }
    await expect.poll(async () => (await server.send('/readyz')).status).toBe(200)
  })
})

describe('an answer of the engine that breaks off', () => {
  let engine: FaultProxy
  let server: TestServer

  beforeAll(async () => {
    engine = await startFaultProxy(ENGINE)
    server = await startTestServer({ clickhouseUrl: engine.url, retryWindowMs: 500 })
    await fill(server)
  })
  afterEach(() => engine.mend())
  afterAll(async () => {
    await server.stop()
    await engine.stop()
  })

  test('a streamed list breaks off too, and does not look complete', async () => {
    engine.tearAnswers(1, 2_000_000)
    const response = await fetch(`${server.url}/calls/stream_query`, {
      method: 'POST',
      headers: { authorization: server.authorization },
      body: JSON.stringify({ project_id: PROJECT }),
    })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow(/terminated/)
    expect(engine.torn).toBe(1)
  })

  test.each([
    ['/calls/query', { project_id: PROJECT }, 2_000_000],
    ['/feedback/query', { project_id: PROJECT }, 400_000],
  ])('%s is answered 503 and never with a part', async (path, body, bytes) => {
    engine.tearAnswers(1_000, bytes)
    const answer = await server.send(path, body)
    expect([answer.status, answer.json['code']]).toEqual([503, 'unavailable'])
  })

  test('a small list that broke off once is asked for again, unnoticed', async () => {
    engine.tearAnswers(1, 400_000)
    const { result } = await server.post<{ result: unknown[] }>('/feedback/query', { project_id: PROJECT })
    expect(result).toHaveLength(800)
  })

  test('a write whose acknowledgement was lost is sent again to the engine, and stored once', async () => {
    engine.tearAnswers(1, 0)
    await server.post('/v2/acme/lost-ack/calls/complete', { batch: [call('once', 'acme/lost-ack')] })
    expect(await server.post('/calls/query_stats', { project_id: 'acme/lost-ack' })).toMatchObject({
      count: 1,
    })
  })
})

describe('an engine that says 200 and fails afterwards', () => {
  let engine: LyingEngine
  let server: TestServer

  beforeAll(async () => {
    engine = await startLyingEngine(ENGINE)
    server = await startTestServer({ clickhouseUrl: engine.url, retryWindowMs: 500 })
    await fill(server)
  })
  afterEach(() => engine.lie(undefined))
  afterAll(async () => {
    await server.stop()
    await engine.stop()
  })

  const FAILURE =
    'Code: 241. DB::Exception: Memory limit exceeded: would use 2 GiB. (MEMORY_LIMIT_EXCEEDED) (version 24.8.1.1)'

  test.each([
    ['with its error', FAILURE],
    ['with its error on a line', `${FAILURE}\n`],
    [
      'with its error, marked',
      `\r\n__exception__\r\nabcdefghijklmnop\r\n${FAILURE}\n110 abcdefghijklmnop\r\n__exception__\r\n`,
    ],
    ['with nothing', ''],
  ])('a list that ends %s never looks complete', async (_how, text) => {
    engine.lie({ afterBytes: 200_000, text })
    const lists = ['/calls/query', '/feedback/query'].map((path) =>
      server.send(path, { project_id: PROJECT }),
    )
    for (const answer of await Promise.all(lists)) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)])
    }
    const stream = server.send('/calls/stream_query', { project_id: PROJECT })
    await expect(stream.then((answer) => answer.status)).rejects.toThrow(/terminated/)
  })
})

describe('SIGTERM', () => {
  test('requests that are under way are answered well, and the process ends in seconds', async () => {
    const engine = await startFaultProxy(ENGINE)
    const apiKey = `hd_${randomBytes(24).toString('hex')}`
    const database = `test_${randomBytes(6).toString('hex')}`
    const server = await startServerProcess({
      data: tmpdir(),
      adminPassword: apiKey,
      apiKey,
      clickhouseUrl: engine.url,
      environment: {
        HEDDLE_CLICKHOUSE_USER: process.env['HEDDLE_TEST_CLICKHOUSE_USER'] ?? 'default',
        HEDDLE_CLICKHOUSE_PASSWORD: process.env['HEDDLE_TEST_CLICKHOUSE_PASSWORD'] ?? '',
        HEDDLE_CLICKHOUSE_DATABASE: database,
      },
    })
    try {
      const send = (path: string, body: object): Promise<Response> =>
        fetch(server.url + path, {
          method: 'POST',
          headers: { authorization: basic('api', apiKey) },
          body: JSON.stringify(body),
        })
      expect((await send('/call/start', { start: call('first') })).status).toBe(200)
      // Each statement takes a second: all of these are certainly under way when the signal comes.
      engine.delay(1_000)
      const pending = Array.from({ length: 30 }, (_, i) =>
        i % 3 === 0
          ? send(`/v2/${PROJECT}/calls/complete`, { batch: [call(`t${i}`)] })
          : send('/call/start', { start: call(`t${i}`) }),
      )
      await new Promise((resolve) => setTimeout(resolve, 500))
      const began = performance.now()
      const stopped = server.stop()
      const answers = await Promise.all(pending)
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
      await stopped
      expect(server.process.exitCode).toBe(0)
      expect(performance.now() - began).toBeLessThan(12_000)
      await expect(send('/call/start', { start: call('late') })).rejects.toThrow(/fetch failed/)
      const other = await startTestServer({ clickhouseDatabase: database, initApiKey: apiKey })
      const count = await other.as(basic('api', apiKey))('/calls/query_stats', { project_id: PROJECT })
      expect(count.json['count']).toBe(31)
      await other.stop()
    } finally {
      await server.kill()
      await engine.stop()
    }
  })
})

interface Lie {
  readonly afterBytes: number
  readonly text: string
}

interface LyingEngine {
  readonly url: string
  /** Answers that are longer end after so many bytes with this text, as if all was well. */
  lie(lie: Lie | undefined): void
  stop(): Promise<void>
}

async function startLyingEngine(engineUrl: string): Promise<LyingEngine> {
  let lie: Lie | undefined
  const server: Server = createServer((incoming, outgoing) => {
    const options = { method: incoming.method, headers: incoming.headers }
    const asked = request(engineUrl + (incoming.url ?? ''), options, (answer) => {
      const plan = lie
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      if (plan === undefined) {
        answer.pipe(outgoing)
        return
      }
      let left = plan.afterBytes
      answer.on('data', (bytes: Buffer) => {
        if (left < 0) return
        outgoing.write(bytes.subarray(0, left))
        left -= bytes.length
        if (left < 0) outgoing.end(plan.text)
      })
      answer.on('end', () => outgoing.end())
    })
    asked.on('error', () => outgoing.destroy())
    incoming.pipe(asked)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (next) => {
      lie = next
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
