import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sendS3 } from '../../src/app/backup/s3-request.ts'
import { findColdDisk } from '../../src/app/s3-disks.ts'
import { readSettings } from '../../src/app/settings.ts'
import type { S3Disk } from '../../src/clickhouse/s3-disks.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import { post, PROJECT, send, type Server } from '../import/api.ts'
import { waitUntil } from '../wait-until.ts'
import { embeddedAccess, query, tableChecksums } from './backup/checksums.ts'
import { Installation } from './backup/installation.ts'
import { startMoto } from './backup/moto.ts'
import type { OpsContext, OpsSuite } from './suite.ts'
import { storeUncompressed } from './uncompressed.ts'

/** Old calls move to S3, and everything works on them as before: reads, restarts, erasure, backups. */
export const coldStorage: OpsSuite = { name: 'cold-storage', minutes: 0.5, run }

const BUCKET = 'heddle-cold'
const DAY_MS = 86_400_000
const MOVE_MS = 120_000
const CALLS = 40
const ERASED_USER = 'somebody-to-erase'
const ERASED_TEXT = `erased-${randomBytes(30).toString('hex')}`
const KEPT_TEXT = `kept-${randomBytes(30).toString('hex')}`

async function run(context: OpsContext): Promise<void> {
  const s3 = await startMoto(BUCKET)
  // Between the two: what moto stores does not survive a restart.
  const proxy = await startFaultProxy(s3.url)
  const age = { HEDDLE_COLD_STORAGE_AFTER_DAYS: '60' }
  const others = {
    HEDDLE_COLD_STORAGE_S3_ENDPOINT: proxy.url,
    HEDDLE_COLD_STORAGE_S3_ACCESS_KEY_ID: 'access',
    HEDDLE_COLD_STORAGE_S3_SECRET_ACCESS_KEY: 'secret<&>',
    HEDDLE_BACKUP_TARGET: join(context.directory, 'backups'),
    HEDDLE_RETRY_WINDOW_MS: '2000',
  }
  const settings = { ...age, ...others, HEDDLE_COLD_STORAGE_TARGET: `s3://${BUCKET}/old/calls` }
  const installation = new Installation(join(context.directory, 'data'), {})
  const clickhouse = async <Row>(statement: string): Promise<Row[]> =>
    query<Row>(await embeddedAccess(installation.data), statement)
  const rowsByDisk = async (): Promise<Record<string, number>> => {
    const rows = await clickhouse<{ disk: string; rows: number }>(
      `SELECT disk_name AS disk, toUInt32(sum(rows)) AS rows FROM system.parts WHERE database = 'heddle' AND table = 'calls' AND active GROUP BY disk`,
    )
    return Object.fromEntries(rows.map((each) => [each.disk, each.rows]))
  }
  const objectsWith = (text: string): Promise<number> => {
    const disk = findColdDisk(readSettings(settings))
    assert.ok(disk !== undefined)
    return countObjects(disk, s3.url, text)
  }

  try {
    await installation.start()
    await storeUncompressed(await embeddedAccess(installation.data), 'calls')
    await write(installation.server, 'old', 100)
    await write(installation.server, 'recent', 1)
    const expected = await readAll(installation.server)
    await installation.stop()

    installation.environment = settings
    await installation.start()
    await context.check('calls that exist already move when they are old, others stay', async () => {
      await waitUntil(async () => (await rowsByDisk())['heddle_cold'] === CALLS, MOVE_MS)
      assert.deepEqual(await rowsByDisk(), { default: CALLS, heddle_cold: CALLS })
      assert.ok((await objectsWith(KEPT_TEXT)) > 0, 'no object contains the text of the calls')
      assert.equal(await readAll(installation.server), expected)
    })
    await context.check('a restart finds them', async () => {
      await installation.stop()
      await installation.start()
      assert.equal(await readAll(installation.server), expected)
    })
    await context.check('while S3 is unreachable, calls are written and recent ones read', async () => {
      proxy.disconnect()
      try {
        await clickhouse('SYSTEM DROP MARK CACHE')
        await write(installation.server, 'during', 1)
        // Also old ones: an insert never waits for S3.
        await write(installation.server, 'during-old', 100)
        assert.equal((await list(installation.server, since(2))).length, 2 * CALLS)
        const startedAt = performance.now()
        await assert.rejects(list(installation.server, { filter: { call_ids: ['old-1'] } }), /returned 503/)
        console.log(`      503 after ${Math.round(performance.now() - startedAt)} ms`)
      } finally {
        proxy.restore()
      }
      assert.equal((await list(installation.server, {})).length, 4 * CALLS)
    })
    await context.check('erasure removes the text from the bucket', async () => {
      assert.ok((await objectsWith(ERASED_TEXT)) > 0)
      const { code, stderr } = await installation.run('erase', '--user', ERASED_USER, '--by', 'privacy team')
      assert.equal(code, 0, stderr)
      await waitUntil(async () => (await objectsWith(ERASED_TEXT)) === 0, MOVE_MS)
      assert.ok((await objectsWith(KEPT_TEXT)) > 0)
    })
    await context.check('a backup contains the calls in cold storage', async () => {
      const checksums = await tableChecksums(await embeddedAccess(installation.data))
      await installation.json('backup')
      await installation.kill()
      await rm(installation.data, { recursive: true, force: true })
      await installation.json('restore')
      await installation.start()
      assert.deepEqual(await tableChecksums(await embeddedAccess(installation.data)), checksums)
    })
    await installation.stop()
    await context.check('a start without the cold storage says what is missing', async () => {
      installation.environment = others
      const { code, stderr } = await installation.run('projects', 'list')
      assert.equal(code, 1, stderr)
      assert.match(stderr, /HEDDLE_COLD_STORAGE_TARGET/)
      installation.environment = { ...age, ...others }
      await assert.rejects(installation.start())
    })
  } finally {
    await installation.kill()
    await proxy.stop()
    await s3.stop()
  }
}

/** Complete calls of an age. One has the user to erase. */
async function write(server: Server, name: string, days: number): Promise<void> {
  const time = (seconds: number): string =>
    new Date(Date.now() - days * DAY_MS + seconds * 1_000).toISOString()
  const batch = Array.from({ length: CALLS }, (_, n) => ({
    project_id: PROJECT,
    id: `${name}-${n}`,
    trace_id: `${name}-${n}`,
    op_name: 'answer',
    started_at: time(n),
    ended_at: time(n + 0.5),
    attributes: n === 0 ? { user_id: ERASED_USER } : {},
    inputs: { question: n === 0 ? ERASED_TEXT : KEPT_TEXT },
    output: 1,
    summary: {},
  }))
  await post(server, `/v2/${PROJECT}/calls/complete`, { batch })
}

const since = (days: number): object => ({
  query: {
    $expr: { $gt: [{ $getField: 'started_at' }, { $literal: (Date.now() - days * DAY_MS) / 1_000 }] },
  },
})

async function list(server: Server, body: object): Promise<string[]> {
  const response = await send(
    server,
    '/calls/stream_query',
    JSON.stringify({ project_id: PROJECT, sort_by: [{ field: 'id', direction: 'asc' }], ...body }),
  )
  return (await response.text()).split('\n').filter((line) => line !== '')
}

const readAll = async (server: Server): Promise<string> => (await list(server, {})).join('\n')

/** The number of objects in the bucket that contain a text. */
async function countObjects(disk: S3Disk, url: string, text: string): Promise<number> {
  const listing = await (await fetch(`${url}/${BUCKET}?list-type=2`)).text()
  const keys = [...listing.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key)
  let count = 0
  for (const key of keys) {
    const object = await sendS3(disk, { method: 'GET', url: new URL(`${url}/${BUCKET}/${key}`) })
    const bytes = Buffer.from(await object.arrayBuffer())
    if (bytes.includes(text)) count++
  }
  return count
}
