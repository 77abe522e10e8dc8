import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHeddle } from '../../src/app/heddle.ts'
import type { Settings } from '../../src/app/settings.ts'
import { sql } from '../../src/store/query/sql.ts'
import { startTestServer, testSettings, type TestServer } from '../harness.ts'

/** Limits of what one read may take, told to the caller, and turns between projects. */

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

const everything = (project: string) => ({
  project_id: `acme/${project}`,
  query: { $expr: { $contains: { input: { $getField: 'inputs.q' }, substr: { $literal: 'never there' } } } },
})

function withServer(
  flags: Partial<Settings>,
  title: string,
  tests: (server: () => TestServer) => void,
  filler = 200,
): void {
  describe(`limits of reads: ${title}`, () => {
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
  test('a read that goes through too many rows is refused with the name of the limit and what to narrow', async () => {
    const answer = await server().send('/calls/query_stats', everything('demo'))
    expect(answer.status).toBe(422)
    expect(answer.json['limit']).toBe('HEDDLE_READ_MAX_ROWS')
    expect(answer.json['reason']).toMatch(/more than 5000 rows.*narrow it by time/)
  })

  test('the same read of few rows is answered, and so is one call', async () => {
    const filter = { call_ids: ['demo-7'] }
    expect((await server().send('/calls/query_stats', { ...everything('demo'), filter })).status).toBe(200)
    expect((await server().send('/call/read', { project_id: 'acme/demo', id: 'demo-7' })).status).toBe(200)
  })
})

withServer({ readMaxBytes: 100_000 }, 'bytes', (server) => {
  test('a read that goes through too many bytes is refused with the name of the limit', async () => {
    const answer = await server().send('/calls/query_stats', everything('demo'))
    expect([answer.status, answer.json['limit']]).toEqual([422, 'HEDDLE_READ_MAX_BYTES'])
  })
})

withServer({ readMaxMemoryBytes: 3_000_000 }, 'memory', (server) => {
  test('a read that needs too much memory is refused with the name of the limit', async () => {
    const answer = await server().send('/calls/query_stats', everything('demo'))
    expect([answer.status, answer.json['limit']], answer.text).toEqual([422, 'HEDDLE_READ_MAX_MEMORY_BYTES'])
  })
})

/** Each condition looks through every document: 300 MB of them take a core about half a second. */
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
  { scanTimeoutSeconds: 1, listTimeoutSeconds: 4 },
  'time',
  (server) => {
    test('a read that takes too long is refused with the name of the limit, and is not called passing', async () => {
      const answer = await server().send('/calls/query_stats', slow('demo'))
      expect([answer.status, answer.json['limit']], answer.text).toEqual([422, 'HEDDLE_SCAN_TIMEOUT_SECONDS'])
      expect(answer.json['reason']).toMatch(/more than 1 s/)
    }, 60_000)

    test('a stream that says nothing for too long is refused likewise, and is left alone once it has begun', async () => {
      const sort_by = [{ field: 'trace_id', direction: 'asc' }]
      const answer = await server().send('/calls/stream_query', { ...slow('demo', 100), sort_by })
      expect([answer.status, answer.json['limit']], answer.text).toEqual([422, 'HEDDLE_LIST_TIMEOUT_SECONDS'])
      await until(async () => (await running(server(), 'calls')) === 0, 5_000)
      // Six seconds in all, the first bytes after half a second.
      const begun = server().heddle.deps.db.stream<{ n: string }>(
        sql`SELECT number AS n, sleepEachRow(0.1), repeat('x', 500000) FROM numbers(60) SETTINGS max_block_size = 1`,
        { name: 'slow rows', kind: 'list' },
      )
      let rows = 0
      for await (const row of begun) rows += row.n === String(rows) ? 1 : 0
      expect(rows).toBe(60)
    }, 60_000)
  },
  LARGE,
)

async function running(server: TestServer, name: string): Promise<number> {
  const { db } = server.heddle.deps
  const row = await db.first<{ n: string }>(
    sql`SELECT count() AS n FROM system.processes WHERE Settings['log_comment'] LIKE ${name} AND current_database = currentDatabase()`,
    { name: 'processes', kind: 'point' },
  )
  return Number(row?.n ?? 0)
}

async function until(isTrue: () => Promise<boolean>, ms: number): Promise<number> {
  const start = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - start > ms) throw new Error(`not within ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return performance.now() - start
}

withServer(
  { maxConcurrentReadsPerProject: 2, maxConcurrentReads: 8, readWaitMs: 60_000 },
  'turns',
  (server) => {
    const { query } = slow('demo', 30)
    const of = '/api/v1/projects/acme/demo'
    const exported = `${of}/export?what=calls&query=${encodeURIComponent(JSON.stringify(query))}`
    test.each([
      ['calls/query_stats', '/calls/query_stats', slow('demo', 100), 'calls%'],
      ['calls/stream_query', '/calls/stream_query', slow('demo', 100), 'calls%'],
      ['calls/query', '/calls/query', slow('demo', 100), 'calls%'],
      ['search', `${of}/search`, { text: 'fill', query }, 'search'],
      ['an export of lines', `${exported}&format=jsonl`, undefined, 'calls%'],
      ['an export to Parquet', `${exported}&format=parquet`, undefined, 'export calls'],
    ])(
      'the query ends in the engine when the client leaves: %s',
      async (_title, path, body, name) => {
        const leaving = new AbortController()
        const asked = server()
          .send(path, body, { signal: leaving.signal })
          .catch(() => 'left')
        await until(async () => (await running(server(), name)) > 0, 20_000)
        leaving.abort()
        expect(await asked).toBe('left')
        await until(async () => (await running(server(), name)) === 0, 5_000)
      },
      60_000,
    )

    test('heavy reads of one project go on so many at a time, and all are answered', async () => {
      let most = 0
      const watch = { isOver: false }
      const asked = Promise.all(
        Array.from({ length: 8 }, () => server().send('/calls/query_stats', slow('demo', 3))),
      ).finally(() => (watch.isOver = true))
      while (!watch.isOver) {
        most = Math.max(most, await running(server(), 'calls counted'))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      expect((await asked).map((answer) => answer.status)).toEqual(Array(8).fill(200))
      expect(most).toBeGreaterThan(0)
      expect(most).toBeLessThanOrEqual(2)
    }, 120_000)

    test('twenty heavy reads of one project do not keep a light read of another waiting', async () => {
      await fill(server(), 'other', 100)
      const light = async (): Promise<number> => {
        const start = performance.now()
        const answer = await server().send('/calls/query', { project_id: 'acme/other', limit: 10 })
        expect(answer.status).toBe(200)
        return performance.now() - start
      }
      await light()
      const leaving = new AbortController()
      const heavy = Array.from({ length: 20 }, () =>
        server()
          .send('/calls/query_stats', slow('demo'), { signal: leaving.signal, method: 'POST' })
          .then(
            (answer) => answer.status,
            () => 'left' as const,
          ),
      )
      await until(async () => (await running(server(), 'calls counted')) === 2, 20_000)
      const start = performance.now()
      const times: number[] = []
      for (let n = 0; n < 5; n++) times.push(await light())
      const isStillBusy = (await running(server(), 'calls counted')) > 0
      leaving.abort()
      await Promise.all(heavy)
      expect(isStillBusy, 'the heavy reads were over too soon to show anything').toBe(true)
      // Each of the heavy ones takes seconds; behind all twenty it would take ten times as long as behind two.
      expect(Math.max(...times), `${performance.now() - start} ms in all`).toBeLessThan(3_000)
    }, 120_000)

    test('whoever left the line is let in no more', async () => {
      const leaving = new AbortController()
      const heavy = Array.from({ length: 10 }, () =>
        server()
          .send('/calls/query_stats', slow('demo', 20), { signal: leaving.signal, method: 'POST' })
          .catch(() => 'left'),
      )
      await until(async () => (await running(server(), 'calls counted')) === 2, 20_000)
      leaving.abort()
      await Promise.all(heavy)
      await until(async () => (await running(server(), 'calls counted')) === 0, 5_000)
      expect((await server().send('/calls/query_stats', { project_id: 'acme/demo' })).status).toBe(200)
    }, 60_000)
  },
  LARGE,
)

withServer(
  { maxConcurrentReadsPerProject: 1, maxConcurrentReads: 1, readWaitMs: 200 },
  'no turn in time',
  (server) => {
    test('a read that finds no turn in time is answered 503, with when to come back and which limit it was', async () => {
      const leaving = new AbortController()
      const heavy = server()
        .send('/calls/query_stats', slow('demo', 100), { signal: leaving.signal, method: 'POST' })
        .catch(() => 'left')
      await until(async () => (await running(server(), 'calls counted')) > 0, 20_000)
      const answer = await server().send('/calls/query_stats', { project_id: 'acme/demo' })
      leaving.abort()
      await heavy
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
      expect(answer.json['reason']).toContain('HEDDLE_MAX_CONCURRENT_READS_PER_PROJECT')
    }, 60_000)

    test('an export whose reader takes his time keeps other exports waiting, and no read', async () => {
      const path = '/api/v1/projects/acme/demo/export?what=calls&format=jsonl'
      const { authorization, url } = server()
      const leaving = new AbortController()
      const slow = await fetch(url + path, { headers: { authorization }, signal: leaving.signal })
      expect(slow.status).toBe(200)
      expect((await server().send('/calls/query_stats', { project_id: 'acme/demo' })).status).toBe(200)
      const other = await server().send(path)
      expect([other.status, other.headers.get('retry-after')]).toEqual([503, '2'])
      leaving.abort()
      await until(async () => (await server().send(`${path}&limit=1`)).status === 200, 5_000)
    }, 60_000)
  },
  LARGE,
)

describe('the log of slow queries', () => {
  async function linesOf(flags: Partial<Settings>): Promise<Line[]> {
    const lines: Line[] = []
    const settings = testSettings(flags)
    const log = pino(
      { level: 'warn' },
      { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
    )
    const heddle = await startHeddle(settings, log)
    const body = JSON.stringify({ ...everything('demo'), filter: { trace_ids: ['a-secret'] } })
    const { authorization } = ADMIN
    await fetch(`${heddle.url}/calls/query_stats`, { method: 'POST', body, headers: { authorization } })
    await heddle.deps.db.ddl(`DROP DATABASE IF EXISTS ${settings.clickhouseDatabase}`)
    await heddle.stop()
    return lines.filter((line) => line.msg === 'slow query')
  }
  const ADMIN = {
    authorization: `Basic ${Buffer.from('api:hd_the-key-of-the-admin-of-every-test-server-0').toString('base64')}`,
  }

  test('tells the statement, its time and what it read, whose it was, and no value', async () => {
    const line = (await linesOf({ slowQueryMs: 1 })).find(({ name }) =>
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

  test('tells values where that is allowed, and nothing below the threshold', async () => {
    const told = await linesOf({ slowQueryMs: 1, slowQueryLogValues: 1 })
    expect(JSON.stringify(told)).toContain('a-secret')
    expect(await linesOf({ slowQueryMs: 60_000 })).toEqual([])
  })
})
