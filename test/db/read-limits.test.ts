import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHeddle } from '../../src/app/heddle.ts'
import type { Settings } from '../../src/app/settings.ts'
import { sql } from '../../src/store/query/sql.ts'
import { startTestServer, testSettings, type TestServer } from '../harness.ts'
import { assertsDuration } from '../duration.ts'
import { waitUntil } from '../wait-until.ts'

/** Limits per read, with error messages for the caller, and fair scheduling between projects. */

interface Line {
  readonly msg: string
  readonly [field: string]: unknown
}

async function fill(server: TestServer, project: string, calls: number, filler = 200): Promise<void> {
  const { db } = server.heddle.deps
  await db.command(
    sql`INSERT INTO calls (project_id, id, started_at, trace_id, op_name, inputs, output, version)
SELECT ${`acme/${project}`}, concat(${project}, '-', toString(number)), toDateTime64('2026-10-01 00:00:00', 6, 'UTC') + number, toString(number % 100), 'fill',
  concat('{"n":', toString(number), ',"q":"', repeat(hex(cityHash64(number)), ${Math.ceil(filler / 16)}), '"}'), 'null', 1 FROM numbers(${calls})`,
    'fill',
  )
}

const fullScan = (project: string) => ({
  project_id: `acme/${project}`,
  query: { $expr: { $contains: { input: { $getField: 'inputs.q' }, substr: { $literal: 'never there' } } } },
})

function withServer(
  flags: Partial<Settings>,
  title: string,
  tests: (server: () => TestServer) => void,
  filler = 200,
): void {
  describe(`read limits: ${title}`, () => {
    let server: TestServer | undefined
    beforeAll(async () => {
      server = await startTestServer(flags)
      await fill(server, 'demo', 20_000, filler)
    }, 120_000)
    afterAll(async () => {
      await server?.stop()
    })
    tests(() => server!)
  })
}

withServer({ readMaxRows: 5_000 }, 'rows', (server) => {
  test('a read of too many rows is rejected with the setting and a hint how to narrow it', async () => {
    const response = await server().send('/calls/query_stats', fullScan('demo'))
    expect(response.status).toBe(422)
    expect(response.json['limit']).toBe('HEDDLE_READ_MAX_ROWS')
    expect(response.json['reason']).toMatch(/more than 5000 rows.*narrow it by time/)
  })

  test('the same read of few rows succeeds, and so does reading one call', async () => {
    const filter = { call_ids: ['demo-7'] }
    expect((await server().send('/calls/query_stats', { ...fullScan('demo'), filter })).status).toBe(200)
    expect((await server().send('/call/read', { project_id: 'acme/demo', id: 'demo-7' })).status).toBe(200)
  })
})

withServer({ readMaxBytes: 100_000 }, 'bytes', (server) => {
  test('a read of too many bytes is rejected with the setting', async () => {
    const response = await server().send('/calls/query_stats', fullScan('demo'))
    expect([response.status, response.json['limit']]).toEqual([422, 'HEDDLE_READ_MAX_BYTES'])
  })
})

withServer({ readMaxMemoryBytes: 3_000_000 }, 'memory', (server) => {
  test('a read that needs too much memory is rejected with the setting', async () => {
    const response = await server().send('/calls/query_stats', fullScan('demo'))
    expect([response.status, response.json['limit']], response.text).toEqual([
      422,
      'HEDDLE_READ_MAX_MEMORY_BYTES',
    ])
  })
})

/** Each condition scans every document: 300 MB take one core about half a second. */
const LARGE = 16_000
const slow = (project: string, conditions = 30) => ({
  project_id: `acme/${project}`,
  query: {
    $expr: {
      $or: Array.from({ length: conditions }, (_, n) => ({
        $contains: {
          input: { $getField: `inputs.q` },
          substr: { $literal: `never there ${n}` },
          case_insensitive: true,
        },
      })),
    },
  },
})

withServer(
  { scanTimeoutSeconds: 1, listTimeoutSeconds: 4, retryWindowMs: 3_000 },
  'time',
  (server) => {
    test('a read that takes too long is rejected with the setting, as a permanent error', async () => {
      const response = await server().send('/calls/query_stats', slow('demo'))
      expect([response.status, response.json['limit']], response.text).toEqual([
        422,
        'HEDDLE_SCAN_TIMEOUT_SECONDS',
      ])
      expect(response.json['reason']).toMatch(/more than 1 s/)
    }, 60_000)

    test('a read by id that takes too long cannot be narrowed: it is retried, then the client gets 503', async () => {
      const { db } = server().heddle.deps
      const retries = db.retryCount
      const slowRead = db.rows(
        sql`SELECT sum(sleepEachRow(0.1)) FROM numbers(20) SETTINGS max_execution_time = 0.4, max_block_size = 1`,
        { name: 'slow read by id', kind: 'point' },
      )
      await expect(slowRead).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
      expect(db.retryCount).toBeGreaterThan(retries)
    }, 60_000)

    test('a stream without output for too long is rejected too, but not once it has started', async () => {
      const sort_by = [{ field: 'trace_id', direction: 'asc' }]
      const response = await server().send('/calls/stream_query', { ...slow('demo', 300), sort_by })
      expect([response.status, response.json['limit']], response.text).toEqual([
        422,
        'HEDDLE_LIST_TIMEOUT_SECONDS',
      ])
      await waitUntil(async () => (await countRunning(server(), 'calls')) === 0, 30_000)
      // Takes six seconds; the first bytes come after half a second.
      const slowRows = server().heddle.deps.db.stream<{ n: string }>(
        sql`SELECT number AS n, sleepEachRow(0.1), repeat('x', 500000) FROM numbers(60) SETTINGS max_block_size = 1`,
        { name: 'slow rows', kind: 'list' },
      )
      let rows = 0
      for await (const row of slowRows) rows += row.n === String(rows) ? 1 : 0
      expect(rows).toBe(60)
    }, 60_000)
  },
  LARGE,
)

async function countRunning(server: TestServer, name: string): Promise<number> {
  const { db } = server.heddle.deps
  const row = await db.first<{ n: string }>(
    sql`SELECT count() AS n FROM system.processes WHERE Settings['log_comment'] LIKE ${name} AND current_database = currentDatabase()`,
    { name: 'processes', kind: 'point' },
  )
  return Number(row?.n ?? 0)
}

withServer(
  { maxConcurrentReadsPerProject: 2, maxConcurrentReads: 8, readWaitMs: 60_000 },
  'concurrency',
  (server) => {
    const { query } = slow('demo', 30)
    const projectUrl = '/api/v1/projects/acme/demo'
    const exported = `${projectUrl}/export?what=calls&query=${encodeURIComponent(JSON.stringify(query))}`
    test.each([
      ['calls/query_stats', '/calls/query_stats', slow('demo', 100), 'calls%'],
      ['calls/stream_query', '/calls/stream_query', slow('demo', 100), 'calls%'],
      ['calls/query', '/calls/query', slow('demo', 100), 'calls%'],
      ['search', `${projectUrl}/search`, { text: 'fill', query }, 'search'],
      ['an export of lines', `${exported}&format=jsonl`, undefined, 'calls%'],
      ['an export to Parquet', `${exported}&format=parquet`, undefined, 'export calls'],
    ])(
      'the query is cancelled in ClickHouse when the client disconnects: %s',
      { ...assertsDuration, timeout: 60_000 },
      async (_title, path, body, name) => {
        const abort = new AbortController()
        const response = server()
          .send(path, body, { signal: abort.signal })
          .catch(() => 'aborted')
        await waitUntil(async () => (await countRunning(server(), name)) > 0, 20_000)
        abort.abort()
        expect(await response).toBe('aborted')
        await waitUntil(async () => (await countRunning(server(), name)) === 0, 5_000)
      },
    )

    test('heavy reads of one project are limited to the maximum concurrency, and all succeed', async () => {
      let maxRunning = 0
      const watch = { isOver: false }
      const pending = Promise.all(
        Array.from({ length: 8 }, () => server().send('/calls/query_stats', slow('demo', 3))),
      ).finally(() => (watch.isOver = true))
      while (!watch.isOver) {
        maxRunning = Math.max(maxRunning, await countRunning(server(), 'calls counted'))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      expect((await pending).map((response) => response.status)).toEqual(Array(8).fill(200))
      expect(maxRunning).toBeGreaterThan(0)
      expect(maxRunning).toBeLessThanOrEqual(2)
    }, 120_000)

    test(
      'twenty heavy reads of one project do not delay a light read of another',
      { ...assertsDuration, timeout: 120_000 },
      async () => {
        await fill(server(), 'other', 100)
        const light = async (): Promise<number> => {
          const start = performance.now()
          const response = await server().send('/calls/query', { project_id: 'acme/other', limit: 10 })
          expect(response.status).toBe(200)
          return performance.now() - start
        }
        await light()
        const abort = new AbortController()
        const heavy = Array.from({ length: 20 }, () =>
          server()
            .send('/calls/query_stats', slow('demo'), { signal: abort.signal, method: 'POST' })
            .then(
              (response) => response.status,
              () => 'aborted' as const,
            ),
        )
        await waitUntil(async () => (await countRunning(server(), 'calls counted')) === 2, 20_000)
        const start = performance.now()
        const times: number[] = []
        for (let n = 0; n < 5; n++) times.push(await light())
        const isStillBusy = (await countRunning(server(), 'calls counted')) > 0
        abort.abort()
        await Promise.all(heavy)
        expect(isStillBusy, 'the heavy reads ended too soon for a meaningful test').toBe(true)
        // Each heavy read takes seconds; waiting for all twenty would take ten times as long as waiting for two.
        expect(Math.max(...times), `${performance.now() - start} ms in all`).toBeLessThan(3_000)
      },
    )

    test('an aborted read that waits in the queue is not started', async () => {
      const abort = new AbortController()
      const heavy = Array.from({ length: 10 }, () =>
        server()
          .send('/calls/query_stats', slow('demo', 20), { signal: abort.signal, method: 'POST' })
          .catch(() => 'aborted'),
      )
      await waitUntil(async () => (await countRunning(server(), 'calls counted')) === 2, 20_000)
      abort.abort()
      await Promise.all(heavy)
      await waitUntil(async () => (await countRunning(server(), 'calls counted')) === 0, 5_000)
      expect((await server().send('/calls/query_stats', { project_id: 'acme/demo' })).status).toBe(200)
    }, 60_000)
  },
  LARGE,
)

withServer(
  { maxConcurrentReadsPerUser: 2, maxConcurrentReadsPerProject: 1, maxConcurrentReads: 3, readWaitMs: 200 },
  'users',
  (server) => {
    test('a user is limited over all projects, and another user still gets a slot', async () => {
      const [eve, bob] = [
        await server().user('eve', { acme: 'write' }),
        await server().user('bob', { acme: 'write' }),
      ]
      await fill(server(), 'second', 20_000, LARGE)
      const abort = new AbortController()
      const heavy = ['demo', 'second'].map((project) =>
        server()
          .as(eve)('/calls/query_stats', slow(project, 100), { signal: abort.signal, method: 'POST' })
          .catch(() => 'aborted'),
      )
      await waitUntil(async () => (await countRunning(server(), 'calls counted')) === 2, 20_000)
      const light = { project_id: 'acme/third' }
      const rejected = await server().as(eve)('/calls/query_stats', light)
      expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '2'])
      expect(rejected.json['reason']).toContain('HEDDLE_MAX_CONCURRENT_READS_PER_USER')
      expect((await server().as(bob)('/calls/query_stats', light)).status).toBe(200)
      // Reads by id, writes and reads within writes: only the last need a slot.
      const byId = await server().as(eve)('/call/read', { project_id: 'acme/demo', id: 'demo-7' })
      const start = { project_id: 'acme/third', id: 'a', trace_id: 't', op_name: 'op', inputs: {} }
      const written = await server().as(eve)('/call/start', { start })
      const deleted = await server().as(eve)('/calls/delete', { project_id: 'acme/third', call_ids: ['a'] })
      expect([byId.status, written.status, deleted.status]).toEqual([200, 200, 503])
      abort.abort()
      await Promise.all(heavy)
    }, 60_000)
  },
  LARGE,
)

withServer(
  { maxConcurrentReadsPerProject: 1, maxConcurrentReads: 1, readWaitMs: 200 },
  'no slot in time',
  (server) => {
    test('a read without a free slot in time gets 503 with Retry-After and the setting', async () => {
      const abort = new AbortController()
      const heavy = server()
        .send('/calls/query_stats', slow('demo', 100), { signal: abort.signal, method: 'POST' })
        .catch(() => 'aborted')
      await waitUntil(async () => (await countRunning(server(), 'calls counted')) > 0, 20_000)
      const response = await server().send('/calls/query_stats', { project_id: 'acme/demo' })
      abort.abort()
      await heavy
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
      expect(response.json['reason']).toContain('HEDDLE_MAX_CONCURRENT_READS_PER_PROJECT')
    }, 60_000)

    test('an export with a slow reader delays other exports, but no reads', async () => {
      const path = '/api/v1/projects/acme/demo/export?what=calls&format=jsonl'
      const { authorization, url } = server()
      const abort = new AbortController()
      const slow = await fetch(url + path, { headers: { authorization }, signal: abort.signal })
      expect(slow.status).toBe(200)
      expect((await server().send('/calls/query_stats', { project_id: 'acme/demo' })).status).toBe(200)
      const other = await server().send(path)
      expect([other.status, other.headers.get('retry-after')]).toEqual([503, '2'])
      abort.abort()
      await waitUntil(async () => (await server().send(`${path}&limit=1`)).status === 200, 5_000)
    }, 60_000)
  },
  LARGE,
)

describe('the slow query log', () => {
  async function slowQueryLines(flags: Partial<Settings>): Promise<Line[]> {
    const lines: Line[] = []
    const settings = testSettings(flags)
    const log = pino(
      { level: 'warn' },
      { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
    )
    const heddle = await startHeddle(settings, log)
    const body = JSON.stringify({ ...fullScan('demo'), filter: { trace_ids: ['a-secret'] } })
    const { authorization } = ADMIN
    await fetch(`${heddle.url}/calls/query_stats`, { method: 'POST', body, headers: { authorization } })
    await heddle.deps.db.ddl(`DROP DATABASE IF EXISTS ${settings.clickhouseDatabase}`)
    await heddle.stop()
    return lines.filter((line) => line.msg === 'slow query')
  }
  const ADMIN = {
    authorization: `Basic ${Buffer.from('api:hd_the-key-of-the-admin-of-every-test-server-0').toString('base64')}`,
  }

  test('contains the statement, its duration, rows and bytes read, project and request, but no values', async () => {
    const line = (await slowQueryLines({ slowQueryMs: 1 })).find(({ name }) =>
      String(name).startsWith('calls counted'),
    )
    expect(line).toMatchObject({
      kind: 'scan',
      project_id: 'acme/demo',
      request_id: expect.any(String) as string,
      ms: expect.any(Number) as number,
      read_rows: expect.any(Number) as number,
      read_bytes: expect.any(Number) as number,
      sql: expect.stringMatching(/trace_id IN \{p\d+:Array\(String\)\}/) as string,
    })
    expect(JSON.stringify(line)).not.toContain('a-secret')
  })

  test('contains values if the setting allows it, and nothing below the threshold', async () => {
    const lines = await slowQueryLines({ slowQueryMs: 1, slowQueryLogValues: 1 })
    expect(JSON.stringify(lines)).toContain('a-secret')
    expect(await slowQueryLines({ slowQueryMs: 60_000 })).toEqual([])
  })
})
