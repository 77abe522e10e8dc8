import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { startHeddle } from '../../src/app/heddle.ts'
import { run } from '../../src/cli/run.ts'
import { listKeys } from '../../src/store/access/keys.ts'
import { listQuotas } from '../../src/store/access/quotas.ts'
import { testSettings, useServer } from '../harness.ts'

/** Slow enough that a busy machine does not fill the buckets between two requests. */
const settings = testSettings({ quotaBurstSeconds: 20 })
const server = useServer({
  ...settings,
  quotaKeyCallsPerSecond: 1,
  quotaKeyBytesPerSecond: 2_500,
  quotaProjectCallsPerSecond: 1,
})

let last = 0

function starts(project_id: string, count: number, padding = ''): object {
  return {
    batch: Array.from({ length: count }, () => ({
      mode: 'start',
      req: {
        start: { project_id, id: `quota-${++last}`, trace_id: 't', op_name: 'op', inputs: { padding } },
      },
    })),
  }
}

async function countOf(project_id: string): Promise<number> {
  return (await server.post<{ count: number }>('/calls/query_stats', { project_id })).count
}

/** `heddle …` on the database of the tests. */
async function cli(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const code = await run(words, {
    env: {
      HEDDLE_CLICKHOUSE_URL: settings.clickhouseUrl,
      HEDDLE_CLICKHOUSE_USER: settings.clickhouseUser,
      HEDDLE_CLICKHOUSE_PASSWORD: settings.clickhousePassword,
      HEDDLE_CLICKHOUSE_DATABASE: settings.clickhouseDatabase,
    },
    stdin: Readable.from([]),
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    once: () => {},
  })
  return { code, out, err }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 150; n++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('it did not come to that within 15 s')
}

describe('quotas', () => {
  test('a key that sends too many calls is told which quota, and when to come back; others are not touched', async () => {
    const flood = server.as(await server.user('flood'))
    const quiet = server.as(await server.user('quiet'))
    expect((await flood('/call/upsert_batch', starts('flood/p', 20))).status).toBe(200)
    const refused = await flood('/call/upsert_batch', starts('flood/p', 20))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(refused.json).toMatchObject({
      code: 'rate_limited',
      reason: expect.stringMatching(
        /^the quota of key key_\w+, 1 calls per second, is used up; nothing was stored/,
      ),
    })
    expect(await countOf('flood/p')).toBe(20)
    expect((await quiet('/call/upsert_batch', starts('quiet/p', 20))).status).toBe(200)
    // Reading, and writing what is no call, is not counted.
    expect((await flood('/calls/query', { project_id: 'flood/p' })).status).toBe(200)
    await until(async () => (await flood('/call/upsert_batch', starts('flood/p', 2))).status === 200)
  })

  test('a project has its quota, whoever sends, and a batch is stored as a whole or not at all', async () => {
    const keys = await Promise.all(
      ['ann', 'bob'].map(async (name) =>
        server.as(await server.user(name, { 'shared/p': 'write', 'shared/free': 'write' })),
      ),
    )
    expect((await keys[0]!('/call/upsert_batch', starts('shared/p', 19))).status).toBe(200)
    const mixed = starts('shared/p', 19) as { batch: object[] }
    mixed.batch.push(...(starts('shared/free', 1) as { batch: object[] }).batch)
    const refused = await keys[1]!('/call/upsert_batch', mixed)
    expect([refused.status, refused.json['reason']]).toEqual([
      429,
      expect.stringContaining('project shared/p, 1 calls per second'),
    ])
    expect(await countOf('shared/free')).toBe(0)
    // What was refused was not counted for anybody.
    expect((await keys[1]!('/call/upsert_batch', starts('shared/free', 18))).status).toBe(200)
  })

  test('bytes are refused by what is announced, before any of the body is read', async () => {
    const heavy = server.as(await server.user('heavy'))
    expect((await heavy('/call/upsert_batch', starts('heavy/p', 1, 'x'.repeat(49_000)))).status).toBe(200)
    const refused = await heavy('/call/upsert_batch', Buffer.alloc(10_000, 'no JSON at all'))
    expect([refused.status, refused.json['reason']]).toEqual([
      429,
      expect.stringContaining('2500 bytes per second'),
    ])
  })

  test('compressed bytes are counted as what they decode to', async () => {
    const packed = server.as(await server.user('packed'))
    const body = gzipSync(JSON.stringify(starts('packed/p', 1, 'x'.repeat(200_000))))
    const init = { headers: { 'content-encoding': 'gzip' } }
    expect((await packed('/call/upsert_batch', body, init)).status).toBe(200)
    const refused = await packed('/call/upsert_batch', starts('packed/p', 1))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
  })

  test('overrides of the command line reach every node within 10 s, and go again', async () => {
    const authorization = await server.user('tuned')
    const tuned = server.as(authorization)
    // A second node on the same database, without quotas of its own.
    const other = await startHeddle(settings, pino({ level: 'silent' }))
    const elsewhere = async (path: string, body: object): Promise<{ status: number; text: string }> => {
      const answer = await fetch(other.url + path, {
        method: 'POST',
        headers: { authorization },
        body: JSON.stringify(body),
      })
      return { status: answer.status, text: await answer.text() }
    }
    const key_id =
      (await listKeys(server.heddle.deps.db)).find((row) => row.user_id === 'tuned')?.key_id ?? ''
    expect((await elsewhere('/call/upsert_batch', starts('tuned/p', 50))).status).toBe(200)

    expect(await cli('quotas', 'set', 'tuned/p', '--calls-per-second', '3')).toMatchObject({ code: 0 })
    expect(
      await cli('quotas', 'set', key_id, '--calls-per-second', '0', '--bytes-per-second', '1000000'),
    ).toMatchObject({
      code: 0,
    })
    const began = Date.now()
    for (const node of [tuned, elsewhere]) {
      await until(async () => {
        const answer = await node('/call/upsert_batch', starts('tuned/p', 61))
        return answer.status === 429 && answer.text.includes('project tuned/p, 3 calls per second')
      })
    }
    expect(Date.now() - began).toBeLessThan(10_500)
    // The key itself has no limit of calls any more.
    expect((await tuned('/call/upsert_batch', starts('tuned/q', 30))).status).toBe(200)

    const listed = await cli('quotas', 'list')
    expect(listed.out).toMatch(/tuned\/p +3 +default/)
    expect(listed.out).toMatch(new RegExp(`${key_id} +no limit +1000000`))
    expect(await cli('quotas', 'clear', 'tuned/p')).toMatchObject({ code: 0 })
    expect(await cli('quotas', 'clear', key_id)).toMatchObject({ code: 0 })
    expect(await listQuotas(server.heddle.deps.db)).toEqual([])
    await until(async () => (await elsewhere('/call/upsert_batch', starts('tuned/p', 50))).status === 200)
    await other.stop()
  })

  test('what is neither a key nor a project, or says nothing, is refused in a sentence', async () => {
    expect(await cli('quotas', 'set', 'nonsense', '--calls-per-second', '2')).toMatchObject({
      code: 1,
      err: expect.stringContaining('neither entity/project nor the id of a key'),
    })
    expect(await cli('quotas', 'set', 'key_0', '--calls-per-second', '2')).toMatchObject({ code: 1 })
    expect(await cli('quotas', 'set', 'a/b')).toMatchObject({ code: 2 })
    expect(await cli('quotas', 'set', 'a/b', '--calls-per-second', '-1')).toMatchObject({ code: 2 })
    expect(await cli('quotas', 'clear', 'a/b')).toMatchObject({ code: 1 })
  })
})
