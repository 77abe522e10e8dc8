import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ExternalClickHouse, startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { startTestServer, type TestServer } from '../harness.ts'
import { assertsDuration } from '../duration.ts'

/** ClickHouse runs on a small tmpfs that is mostly filled by one file; deleting that file frees the disk. */

const DISK_MIB = 256
const BALLAST_MIB = 176
const PROJECT = 'acme/full'

/** Returns the directory, or undefined where mounting is not permitted. */
function mountDisk(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'heddle-disk', directory], {
      stdio: 'pipe',
    })
    return directory
  } catch {
    rmdirSync(directory)
    return undefined
  }
}

function unmount(directory: string): void {
  execFileSync('umount', [directory])
  rmdirSync(directory)
}

/** About 1 MB that does not compress. */
const batch = (n: number) =>
  Array.from({ length: 10 }, (_, i) => ({
    project_id: PROJECT,
    id: `c${n}-${i}`,
    op_name: 'op',
    started_at: '2026-11-01T00:00:00Z',
    ended_at: '2026-11-01T00:00:01Z',
    inputs: { payload: randomBytes(75_000).toString('base64') },
    output: `${n}-${i}`,
  }))

test(
  'with a full disk writers get an immediate error, reads continue, and writes resume without a restart',
  assertsDuration,
  async (context) => {
    const disk = mountDisk()
    if (disk === undefined) {
      console.warn('SKIP: the disk-full test must mount a tmpfs; run it as root')
      context.skip()
      return
    }
    const ballast = join(disk, 'ballast')
    let clickhouse: ExternalClickHouse | undefined
    let server: TestServer | undefined
    try {
      writeFileSync(ballast, Buffer.alloc(BALLAST_MIB * 2 ** 20, 1))
      clickhouse = await startExternalClickHouse(join(disk, 'clickhouse'))
      server = await startTestServer({
        clickhouseUrl: clickhouse.url,
        clickhouseUser: 'default',
        clickhousePassword: '',
      })
      const path = `/v2/${PROJECT}/calls/complete`
      const write = async (body: object) => {
        const startedAt = performance.now()
        const response = await server!.send(path, body)
        return { response, ms: performance.now() - startedAt }
      }
      const acknowledged: string[] = []
      /** Writes until the disk is full (a merge may free space at any time); returns the rejected request. */
      const fillUp = async (from: number): Promise<{ batch: ReturnType<typeof batch> }> => {
        for (let n = from; n < from + 300; n++) {
          const body = { batch: batch(n) }
          const { response, ms } = await write(body)
          if (response.status === 200) {
            acknowledged.push(...body.batch.map((call) => call.id))
            continue
          }
          expect([response.status, response.json['code']]).toEqual([503, 'storage_full'])
          expect(response.json['reason']).toMatch(/disk space/)
          expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
          // Returned without retrying: waiting does not help.
          expect(ms).toBeLessThan(10_000)
          return body
        }
        throw new Error('the disk was never full')
      }
      const first = await fillUp(0)
      expect(acknowledged.length).toBeGreaterThan(50)

      const listed = async (): Promise<Map<string, unknown>> => {
        const { calls } = await server!.post<{ calls: { id: string; output: unknown }[] }>('/calls/query', {
          project_id: PROJECT,
          columns: ['output'],
        })
        expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length)
        return new Map(calls.map((call) => [call.id, call.output]))
      }
      const whileFull = await listed()
      for (const id of acknowledged) expect([id, whileFull.get(id)]).toEqual([id, id.slice(1)])
      const one = await server.send('/call/read', { project_id: PROJECT, id: acknowledged[0] })
      expect(one.status).toBe(200)
      // The node stays ready: reads work, and every node uses the same disk.
      expect((await server.send('/readyz')).status).toBe(200)
      const rejected = await fillUp(1_000)

      rmSync(ballast)
      await expect.poll(async () => (await write(rejected)).response.status, { timeout: 20_000 }).toBe(200)
      const afterwards = await listed()
      for (const id of acknowledged) expect([id, afterwards.get(id)]).toEqual([id, id.slice(1)])
      for (const { id } of rejected.batch) expect(afterwards.has(id)).toBe(true)
      // A rejected call may still be stored: only a dependent insert may have failed.
      const sent = new Set([
        ...acknowledged,
        ...[first, rejected].flatMap((body) => body.batch.map(({ id }) => id)),
      ])
      expect([...afterwards.keys()].filter((id) => !sent.has(id))).toEqual([])
      expect(
        (await server.post<{ count: number }>('/calls/query_stats', { project_id: PROJECT })).count,
      ).toBe(afterwards.size)
    } finally {
      rmSync(ballast, { force: true })
      await server?.stop()
      await clickhouse?.stop()
      unmount(disk)
    }
  },
)
