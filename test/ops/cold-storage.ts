import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
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
export const coldStorage: OpsSuite = { name: 'cold-storage', minutes: 1, run }

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
  /** Calls that moved or were rewritten last are also in the cache, from which they can be read without S3. */
  const evictCalls = async (): Promise<void> => {
    const cached = await clickhouse<{ key: string }>(
      `SELECT DISTINCT key FROM system.filesystem_cache WHERE cache_path IN (SELECT arrayJoin(cache_paths) FROM system.remote_data_paths WHERE local_path LIKE '%/data.bin')`,
    )
    for (const { key } of cached)
      await clickhouse(`SYSTEM DROP FILESYSTEM CACHE 'heddle_cold_cached' KEY \`${key}\``)
    await clickhouse('SYSTEM DROP MARK CACHE')
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
      await waitUntil(async () => (await rowsByDisk())['heddle_cold_cached'] === CALLS, MOVE_MS)
      assert.deepEqual(await rowsByDisk(), { default: CALLS, heddle_cold_cached: CALLS })
      assert.ok((await objectsWith(KEPT_TEXT)) > 0, 'no object contains the text of the calls')
      assert.equal(await readAll(installation.server), expected)
    })
    await context.check('a restart finds them', async () => {
      await installation.stop()
      await installation.start()
      assert.equal(await readAll(installation.server), expected)
    })
    await context.check('erasure removes the text from the bucket and its cache', async () => {
      assert.ok((await objectsWith(ERASED_TEXT)) > 0)
      const { code, stderr } = await installation.run('erase', '--user', ERASED_USER, '--by', 'privacy team')
      assert.equal(code, 0, stderr)
      await waitUntil(async () => (await objectsWith(ERASED_TEXT)) === 0, MOVE_MS)
      assert.deepEqual(await filesWith(join(installation.data, 'clickhouse', 'cache'), ERASED_TEXT), [])
      assert.ok((await objectsWith(KEPT_TEXT)) > 0)
    })
    const kept = await readAll(installation.server)
    await context.check(
      'without S3 a server starts, writes calls, also old ones, and reads recent ones',
      async () => {
        await installation.stop()
        proxy.disconnect()
        try {
          await installation.start()
          await evictCalls()
          await checkWithoutS3(installation.server, 'down')
        } finally {
          proxy.restore()
        }
        await checkAllCalls(installation.server, kept, 'down')
      },
    )
    await context.check('S3 that becomes unreachable costs only reads of moved calls', async () => {
      proxy.disconnect()
      try {
        await evictCalls()
        await checkWithoutS3(installation.server, 'lost')
      } finally {
        proxy.restore()
      }
      await checkAllCalls(installation.server, kept, 'down', 'lost')
    })
    await context.check(
      'S3 that accepts connections and never responds does too, also at a start',
      async () => {
        s3.hang()
        try {
          await evictCalls()
          await checkWithoutS3(installation.server, 'hung')
          await installation.stop()
          await installation.start()
          await evictCalls()
          await checkWithoutS3(installation.server, 'hung-at-start')
        } finally {
          s3.resume()
        }
        await checkAllCalls(installation.server, kept, 'down', 'lost', 'hung', 'hung-at-start')
      },
    )
    await context.check(
      'without S3 and the cache a start fails in one sentence, and loses nothing',
      async () => {
        await installation.stop()
        await rm(join(installation.data, 'clickhouse', 'cache'), { recursive: true })
        proxy.disconnect()
        const { code, stderr } = await installation.run('users', 'list')
        proxy.restore()
        assert.equal(code, 1)
        assert.match(
          stderr,
          /^heddle: calls are in cold storage, and S3 at http\S+ cannot be used: .+ HEDDLE_COLD_STORAGE_S3_ENDPOINT.*\n$/m,
        )
        await installation.start()
        await checkAllCalls(installation.server, kept, 'down', 'lost', 'hung', 'hung-at-start')
      },
    )
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

/**
 * Writes recent and old calls while S3 does not respond. Reads of moved calls fail within ten seconds, and say why; no
 * response lacks calls.
 */
async function checkWithoutS3(server: Server, name: string): Promise<void> {
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
  await write(server, name, 1)
  await write(server, `${name}-old`, 100)
  const recent = await list(server, since(2))
  assert.equal(recent.filter((line) => line.includes(`"id":"${name}-`)).length, CALLS)
  const unavailable = async (read: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now()
    await assert.rejects(read(), /returned 503: .*cold storage is not reachable/)
    const ms = Math.round(performance.now() - startedAt)
    console.log(`      ${name}: 503 after ${ms} ms`)
    assert.ok(ms < 10_000, `503 only after ${ms} ms`)
  }
  await Promise.all([
    unavailable(() => list(server, {})),
    unavailable(() => list(server, { filter: { call_ids: ['old-1'] } })),
    unavailable(() => post(server, '/call/read', { id: 'old-1' })),
    unavailable(() =>
      send(
        server,
        `/api/v1/projects/${PROJECT}/sql`,
        JSON.stringify({ query: 'SELECT any(inputs) FROM calls' }),
      ),
    ),
    post(server, '/call/read', { id: 'recent-1' }),
  ])
}

/** The calls from the beginning, as they were, and all that were written by these names while S3 did not respond. */
async function checkAllCalls(server: Server, first: string, ...names: readonly string[]): Promise<void> {
  const calls = await listWhenReachable(server)
  assert.equal(calls.filter((line) => /"id":"(?:old|recent)-\d/.test(line)).join('\n'), first)
  for (const name of names.flatMap((each) => [each, `${each}-old`]))
    assert.equal(calls.filter((line) => new RegExp(`"id":"${name}-\\d`).test(line)).length, CALLS, name)
  assert.equal(calls.length, first.split('\n').length + 2 * CALLS * names.length)
}

/** S3 that responds again works off what has queued there first, and until then every read may get 503. */
async function listWhenReachable(server: Server): Promise<string[]> {
  let calls: string[] = []
  await waitUntil(async () => {
    const listed = await list(server, {}).catch((error: Error) => error)
    if (Array.isArray(listed)) calls = listed
    else assert.match(listed.message, /returned 503: .*cold storage is not reachable/)
    return Array.isArray(listed)
  }, MOVE_MS)
  return calls
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

/** The files below a directory that contain a text. */
async function filesWith(directory: string, text: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const contents = await Promise.all(files.map((file) => readFile(file)))
  return files.filter((_file, index) => contents[index]?.includes(text))
}

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
