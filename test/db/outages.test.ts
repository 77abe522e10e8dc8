import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RecordEncoder } from '../../src/store/calls/write/record-encoder.ts'
import { writeEncoded } from '../../src/store/calls/write/write-encoded.ts'
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts'
import { basic, startTestServer, type TestServer } from '../harness.ts'
import { startServerProcess } from '../server-process.ts'
import { assertsDuration } from '../duration.ts'

/** What clients get when ClickHouse hangs, its responses break off or are incomplete, or the process gets SIGTERM. */

const CLICKHOUSE_URL = process.env['HEDDLE_TEST_CLICKHOUSE_URL'] ?? ''
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

/** Every write and read operation with its own statements. */
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

describe('ClickHouse hangs', () => {
  let clickhouse: FaultProxy
  let server: TestServer

  beforeAll(async () => {
    clickhouse = await startFaultProxy(CLICKHOUSE_URL)
    server = await startTestServer({ clickhouseUrl: clickhouse.url, retryWindowMs: 1_000 })
    await server.post(`/v2/${PROJECT}/calls/complete`, { batch: [call('c1'), call('c2')] })
  })
  afterAll(async () => {
    await server.stop()
    await clickhouse.stop()
  })

  test(
    'every request gets 503 with Retry-After, the server stays alive, and recovers without a restart',
    assertsDuration,
    async () => {
      // Connections are accepted, but no response comes: like a hanging machine or SIGSTOP.
      clickhouse.delay(600_000)
      const startedAt = performance.now()
      const responses = await Promise.all(
        [...WRITES, ...READS].map(async ([path, body]) => [path, await server.send(path, body)] as const),
      )
      const ms = performance.now() - startedAt
      for (const [path, response] of responses) {
        expect([path, response.status, response.json['code']]).toEqual([path, 503, 'unavailable'])
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      // The retry window, then a ping that also gets no response; some requests run two statements.
      expect(ms).toBeGreaterThan(1_000)
      expect(ms).toBeLessThan(15_000)
      const pages = await Promise.all(['/readyz', '/healthz', '/livez'].map((path) => server.send(path)))
      expect(pages.map((page) => page.status)).toEqual([503, 200, 200])
      clickhouse.restore()
      for (const [path, body] of [...WRITES, ...READS]) {
        expect([path, (await server.send(path, body)).status]).toEqual([path, 200])
      }
      await expect.poll(async () => (await server.send('/readyz')).status).toBe(200)
    },
  )
})

describe('a list reaches its time limit while ClickHouse is unavailable', () => {
  let clickhouse: FaultProxy
  let server: TestServer

  beforeAll(async () => {
    clickhouse = await startFaultProxy(CLICKHOUSE_URL)
    server = await startTestServer({
      clickhouseUrl: clickhouse.url,
      retryWindowMs: 20_000,
      listTimeoutSeconds: 1,
    })
    await server.post(`/v2/${PROJECT}/calls/complete`, { batch: [call('c1')] })
  })
  afterEach(() => clickhouse.restore())
  afterAll(async () => {
    await server.stop()
    await clickhouse.stop()
  })

  const faults: readonly (readonly [string, () => void])[] = [
    ['refuses connections', () => clickhouse.disconnect()],
    ['hangs', () => clickhouse.delay(600_000)],
  ]
  test.each(faults)(
    'ClickHouse %s: the client gets 503, not that its query is too large',
    async (_, fail) => {
      fail()
      const response = await server.send('/calls/stream_query', {
        project_id: PROJECT,
        filter: { call_ids: ['c1'] },
      })
      expect([response.status, response.json['code']], response.text).toEqual([503, 'unavailable'])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    },
  )
})

describe('a ClickHouse response breaks off', () => {
  let clickhouse: FaultProxy
  let server: TestServer

  beforeAll(async () => {
    clickhouse = await startFaultProxy(CLICKHOUSE_URL)
    server = await startTestServer({ clickhouseUrl: clickhouse.url, retryWindowMs: 3_000 })
    await fill(server)
  })
  afterEach(() => clickhouse.restore())
  afterAll(async () => {
    await server.stop()
    await clickhouse.stop()
  })

  test('a streamed list breaks off too, and does not end normally', async () => {
    clickhouse.breakResponses(1, 2_000_000)
    const response = await fetch(`${server.url}/calls/stream_query`, {
      method: 'POST',
      headers: { authorization: server.authorization },
      body: JSON.stringify({ project_id: PROJECT }),
    })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow(/terminated/)
    expect(clickhouse.brokenCount).toBe(1)
  })

  test.each([
    ['/calls/query', { project_id: PROJECT }, 2_000_000],
    ['/feedback/query', { project_id: PROJECT }, 400_000],
  ])('%s returns 503, never a partial list', async (path, body, bytes) => {
    clickhouse.breakResponses(1_000, bytes)
    const response = await server.send(path, body)
    expect([response.status, response.json['code']]).toEqual([503, 'unavailable'])
  })

  test('a small list that broke off once is retried transparently', async () => {
    clickhouse.breakResponses(1, 400_000)
    const { result } = await server.post<{ result: unknown[] }>('/feedback/query', { project_id: PROJECT })
    expect(result).toHaveLength(800)
  })

  test('a write whose acknowledgement was lost is retried, and stored once', async () => {
    clickhouse.breakResponses(1, 0)
    await server.post('/v2/acme/lost-ack/calls/complete', { batch: [call('once', 'acme/lost-ack')] })
    expect(await server.post('/calls/query_stats', { project_id: 'acme/lost-ack' })).toMatchObject({
      count: 1,
    })
  })

  test('rows of a write whose first attempt failed are not overwritten by later ones', async () => {
    const { callWriter, db, newId } = server.heddle.deps
    const write = async (id: string): Promise<() => boolean> => {
      const { clock, columns } = callWriter
      const encoder = new RecordEncoder({ sent_by: 'u', now: 1n, newId, clock, columns })
      const { facts } = encoder.start({ project_id: 'acme/kept-rows', id, op_name: id.repeat(100) })
      const row = facts.row ?? Buffer.alloc(0)
      const before = Buffer.from(row)
      await writeEncoded(server.heddle.deps, encoder, [facts])
      return () => row.equals(before)
    }
    const isStoredUnchanged = await write('stored')
    await write('stored after it')
    expect(isStoredUnchanged()).toBe(false)

    const { uncertainInserts } = db
    let isUnchanged = isStoredUnchanged
    // The broken response may be that of another statement.
    for (let n = 0; n < 20 && db.uncertainInserts === uncertainInserts; n++) {
      clickhouse.breakResponses(1, 0)
      isUnchanged = await write(`failed once ${n}`)
    }
    expect(db.uncertainInserts).toBeGreaterThan(uncertainInserts)
    clickhouse.restore()
    await write('stored at last')
    // The attempt that failed may still be sending it.
    expect(isUnchanged()).toBe(true)
  })
})

describe('ClickHouse fails after status 200', () => {
  let clickhouse: TruncatingProxy
  let server: TestServer

  beforeAll(async () => {
    clickhouse = await startTruncatingProxy(CLICKHOUSE_URL)
    server = await startTestServer({ clickhouseUrl: clickhouse.url, retryWindowMs: 500 })
    await fill(server)
  })
  afterEach(() => clickhouse.truncate(undefined))
  afterAll(async () => {
    await server.stop()
    await clickhouse.stop()
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
  ])('a list that ends %s never ends normally', async (_ending, text) => {
    clickhouse.truncate({ afterBytes: 200_000, text })
    const lists = ['/calls/query', '/feedback/query'].map((path) =>
      server.send(path, { project_id: PROJECT }),
    )
    for (const response of await Promise.all(lists)) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, expect.any(String)])
    }
    const stream = server.send('/calls/stream_query', { project_id: PROJECT })
    await expect(stream.then((response) => response.status)).rejects.toThrow(/terminated/)
  })
})

describe('SIGTERM', () => {
  test('requests in progress succeed, and the process exits within seconds', assertsDuration, async () => {
    const clickhouse = await startFaultProxy(CLICKHOUSE_URL)
    const apiKey = `hd_${randomBytes(24).toString('hex')}`
    const database = `test_${randomBytes(6).toString('hex')}`
    const server = await startServerProcess({
      data: tmpdir(),
      adminPassword: apiKey,
      apiKey,
      clickhouseUrl: clickhouse.url,
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
      // Each statement takes a second, so all these requests are in progress when the signal arrives.
      clickhouse.delay(1_000)
      const pending = Array.from({ length: 30 }, (_, i) =>
        i % 3 === 0
          ? send(`/v2/${PROJECT}/calls/complete`, { batch: [call(`t${i}`)] })
          : send('/call/start', { start: call(`t${i}`) }),
      )
      await new Promise((resolve) => setTimeout(resolve, 500))
      const startedAt = performance.now()
      const stopped = server.stop()
      const responses = await Promise.all(pending)
      expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]))
      await stopped
      expect(server.process.exitCode).toBe(0)
      expect(performance.now() - startedAt).toBeLessThan(12_000)
      await expect(send('/call/start', { start: call('late') })).rejects.toThrow(/fetch failed/)
      const other = await startTestServer({ clickhouseDatabase: database, initApiKey: apiKey })
      const count = await other.as(basic('api', apiKey))('/calls/query_stats', { project_id: PROJECT })
      expect(count.json['count']).toBe(31)
      await other.stop()
    } finally {
      await server.kill()
      await clickhouse.stop()
    }
  })
})

interface Truncation {
  readonly afterBytes: number
  readonly text: string
}

interface TruncatingProxy {
  readonly url: string
  /** Ends longer responses after this many bytes with this text, as if they were complete. */
  truncate(truncation: Truncation | undefined): void
  stop(): Promise<void>
}

async function startTruncatingProxy(targetUrl: string): Promise<TruncatingProxy> {
  let truncation: Truncation | undefined
  const server: Server = createServer((incoming, outgoing) => {
    const options = { method: incoming.method, headers: incoming.headers }
    const proxied = request(targetUrl + (incoming.url ?? ''), options, (response) => {
      const plan = truncation
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      if (plan === undefined) {
        response.pipe(outgoing)
        return
      }
      let left = plan.afterBytes
      response.on('data', (bytes: Buffer) => {
        if (left < 0) return
        outgoing.write(bytes.subarray(0, left))
        left -= bytes.length
        if (left < 0) outgoing.end(plan.text)
      })
      response.on('end', () => outgoing.end())
    })
    proxied.on('error', () => outgoing.destroy())
    incoming.pipe(proxied)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    truncate: (next) => {
      truncation = next
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
