import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { startHeddle } from '../../src/app/heddle.ts'
import { listKeys } from '../../src/store/access/keys.ts'
import { listQuotas } from '../../src/store/access/quotas.ts'
import { testSettings, useServer } from '../harness.ts'
import { runCli } from '../run-cli.ts'
import { waitUntil } from '../wait-until.ts'
import { assertsDuration } from '../duration.ts'

/** Low rates: the token buckets must not refill between two requests, even on a busy machine. */
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

async function countCalls(project_id: string): Promise<number> {
  return (await server.post<{ count: number }>('/calls/query_stats', { project_id })).count
}

/** Runs `heddle …` on the test database. */
async function cli(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await runCli(args, {
    env: {
      HEDDLE_CLICKHOUSE_URL: settings.clickhouseUrl,
      HEDDLE_CLICKHOUSE_USER: settings.clickhouseUser,
      HEDDLE_CLICKHOUSE_PASSWORD: settings.clickhousePassword,
      HEDDLE_CLICKHOUSE_DATABASE: settings.clickhouseDatabase,
    },
  })
  return { code, out: stdout, err: stderr }
}

describe('quotas', () => {
  test('a key that exceeds its quota gets 429 with the quota and Retry-After; other keys are not affected', async () => {
    const flood = server.as(await server.user('flood'))
    const quiet = server.as(await server.user('quiet'))
    expect((await flood('/call/upsert_batch', starts('flood/p', 20))).status).toBe(200)
    const rejected = await flood('/call/upsert_batch', starts('flood/p', 20))
    expect(rejected.status).toBe(429)
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(rejected.json).toMatchObject({
      code: 'rate_limited',
      reason: expect.stringMatching(
        /^the quota of key key_\w+, 1 calls per second, is used up; nothing was stored/,
      ),
    })
    expect(await countCalls('flood/p')).toBe(20)
    expect((await quiet('/call/upsert_batch', starts('quiet/p', 20))).status).toBe(200)
    // Reads do not count.
    expect((await flood('/calls/query', { project_id: 'flood/p' })).status).toBe(200)
    await waitUntil(async () => (await flood('/call/upsert_batch', starts('flood/p', 2))).status === 200)
  })

  test('the quota of a project applies to all keys together, and a batch is stored completely or not at all', async () => {
    const keys = await Promise.all(
      ['ann', 'bob'].map(async (name) =>
        server.as(await server.user(name, { 'shared/p': 'write', 'shared/free': 'write' })),
      ),
    )
    expect((await keys[0]!('/call/upsert_batch', starts('shared/p', 19))).status).toBe(200)
    const mixed = starts('shared/p', 19) as { batch: object[] }
    mixed.batch.push(...(starts('shared/free', 1) as { batch: object[] }).batch)
    const rejected = await keys[1]!('/call/upsert_batch', mixed)
    expect([rejected.status, rejected.json['reason']]).toEqual([
      429,
      expect.stringContaining('project shared/p, 1 calls per second'),
    ])
    expect(await countCalls('shared/free')).toBe(0)
    // The rejected batch did not use any quota.
    expect((await keys[1]!('/call/upsert_batch', starts('shared/free', 18))).status).toBe(200)
  })

  test('bytes are checked by Content-Length, before the body is read', async () => {
    const heavy = server.as(await server.user('heavy'))
    expect((await heavy('/call/upsert_batch', starts('heavy/p', 1, 'x'.repeat(49_000)))).status).toBe(200)
    const rejected = await heavy('/call/upsert_batch', Buffer.alloc(10_000, 'no JSON at all'))
    expect([rejected.status, rejected.json['reason']]).toEqual([
      429,
      expect.stringContaining('2500 bytes per second'),
    ])
  })

  test('a compressed body counts with its decompressed size', async () => {
    const packed = server.as(await server.user('packed'))
    const body = gzipSync(JSON.stringify(starts('packed/p', 1, 'x'.repeat(200_000))))
    const init = { headers: { 'content-encoding': 'gzip' } }
    expect((await packed('/call/upsert_batch', body, init)).status).toBe(200)
    const rejected = await packed('/call/upsert_batch', starts('packed/p', 1))
    expect(rejected.status).toBe(429)
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
  })

  test(
    'overrides set by the CLI reach every node within 10 s, and can be cleared',
    assertsDuration,
    async () => {
      const authorization = await server.user('tuned')
      const tuned = server.as(authorization)
      // A second node on the same database, without quotas of its own.
      const other = await startHeddle(settings, pino({ level: 'silent' }))
      const sendToOtherNode = async (
        path: string,
        body: object,
      ): Promise<{ status: number; text: string }> => {
        const response = await fetch(other.url + path, {
          method: 'POST',
          headers: { authorization },
          body: JSON.stringify(body),
        })
        return { status: response.status, text: await response.text() }
      }
      const key_id =
        (await listKeys(server.heddle.deps.db)).find((row) => row.user_id === 'tuned')?.key_id ?? ''
      expect((await sendToOtherNode('/call/upsert_batch', starts('tuned/p', 50))).status).toBe(200)

      expect(await cli('quotas', 'set', 'tuned/p', '--calls-per-second', '3')).toMatchObject({ code: 0 })
      expect(
        await cli('quotas', 'set', key_id, '--calls-per-second', '0', '--bytes-per-second', '1000000'),
      ).toMatchObject({
        code: 0,
      })
      const startedAt = Date.now()
      for (const node of [tuned, sendToOtherNode]) {
        await waitUntil(async () => {
          const response = await node('/call/upsert_batch', starts('tuned/p', 61))
          return response.status === 429 && response.text.includes('project tuned/p, 3 calls per second')
        })
      }
      expect(Date.now() - startedAt).toBeLessThan(10_500)
      // The key no longer has a limit on calls.
      expect((await tuned('/call/upsert_batch', starts('tuned/q', 30))).status).toBe(200)

      const listed = await cli('quotas', 'list')
      expect(listed.out).toMatch(/tuned\/p +3 +default/)
      expect(listed.out).toMatch(new RegExp(`${key_id} +no limit +1000000`))
      expect(await cli('quotas', 'clear', 'tuned/p')).toMatchObject({ code: 0 })
      expect(await cli('quotas', 'clear', key_id)).toMatchObject({ code: 0 })
      expect(await listQuotas(server.heddle.deps.db)).toEqual([])
      await waitUntil(
        async () => (await sendToOtherNode('/call/upsert_batch', starts('tuned/p', 50))).status === 200,
      )
      await other.stop()
    },
  )

  test('an invalid target or a missing limit is rejected with a message', async () => {
    expect(await cli('quotas', 'set', 'nonsense', '--calls-per-second', '2')).toMatchObject({
      code: 1,
      err: expect.stringContaining('must be entity/project or the id of a key'),
    })
    expect(await cli('quotas', 'set', 'key_0', '--calls-per-second', '2')).toMatchObject({ code: 1 })
    expect(await cli('quotas', 'set', 'a/b')).toMatchObject({ code: 2 })
    expect(await cli('quotas', 'set', 'a/b', '--calls-per-second', '-1')).toMatchObject({ code: 2 })
    expect(await cli('quotas', 'clear', 'a/b')).toMatchObject({ code: 1 })
  })
})
