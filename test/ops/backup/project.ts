import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { PROJECT as LOADED_PROJECT, type Server } from '../../import/api.ts'
import { waitUntil } from '../../wait-until.ts'
import { API_KEY, PROJECT, send, write } from '../../upgrade/api.ts'
import { CALL_IDS } from '../../upgrade/calls.ts'
import { findDifferences } from '../../upgrade/compare.ts'
import type { Read } from '../../upgrade/fixture.ts'
import { readsOf } from '../../upgrade/reads.ts'
import { writeRecords } from '../../upgrade/records.ts'
import type { OpsContext, OpsSuite } from '../suite.ts'
import { type ClickHouseAccess, embeddedAccess, query } from './checksums.ts'
import { type BackupSummary, Installation } from './installation.ts'
import { CallLoad } from './load.ts'
import { assertReadable } from './readable.ts'

/**
 * One project restored beside a running server, while another project is written: every read returns what it did at the time
 * of the backup. Interrupted, repeated, into a project that has changed, and after an erasure.
 */
export const backupProject: OpsSuite = { name: 'backup-project', minutes: 1.2, run }

async function run(context: OpsContext): Promise<void> {
  const installation = new Installation(join(context.directory, 'data'), {
    HEDDLE_BACKUP_TARGET: join(context.directory, 'backups'),
    HEDDLE_INIT_API_KEY: API_KEY,
    HEDDLE_PROJECT_DELETION_DELAY_MS: '500',
  })
  try {
    await installation.start()
    await testProject(context, installation)
  } finally {
    await installation.kill()
  }
}

/** Reads of the server, not of the project, and the roles in it, which are not restored. */
const UNCOMPARED = /^\/api\/v1\/(?:projects|users)$|\/members$/

async function readAll(url: string, requests: ReturnType<typeof readsOf>): Promise<Read[]> {
  const reads: Read[] = []
  for (const request of requests.filter(({ path }) => !UNCOMPARED.test(path))) {
    const { status, text } = await send(url, request)
    reads.push({ ...request, status, response: text })
  }
  return reads
}

const read = async (url: string, id: string): Promise<Record<string, unknown> | null> => {
  const body = { project_id: PROJECT, id }
  return (await write<{ call: Record<string, unknown> | null }>(url, 'POST', '/call/read', body)).call
}

async function testProject(context: OpsContext, installation: Installation): Promise<void> {
  const { url } = installation.server
  const access = await embeddedAccess(installation.data)
  const names = await writeRecords(url)
  await installation.run('users', 'create', 'robot', '--no-password')
  assert.equal((await installation.run('projects', 'grant', PROJECT, 'robot', 'write')).code, 0)
  const earlier = await loadWhile({ url, key: API_KEY }, async () => {})
  const reads = await readAll(url, readsOf(names))
  assert.ok(reads.filter(({ status }) => status === 200).length > 70, 'too few reads')
  const fixture = { name: 'backup', reads, tables: [], dataDirectory: undefined } as const
  const manifest = { version: '', clickhouse_version: '', migrations: [] }
  const assertRestored = async (): Promise<void> => {
    assert.deepEqual(await findDifferences(url, { ...fixture, manifest }), [])
    assert.deepEqual(await scratchDatabases(access), [])
  }
  const restore = (...args: readonly string[]) => installation.run('restore', '--project', PROJECT, ...args)
  const { id } = await installation.json<BackupSummary>('backup')

  await context.check('an intact project is restored over itself, and nothing changes', async () => {
    const { code, stderr } = await restore()
    assert.equal(code, 0, stderr)
    await assertRestored()
  })
  await context.check('every read of a deleted project returns what it did, others are written', async () => {
    await deleteProject(url)
    let stderr = ''
    const written = await loadWhile({ url, key: API_KEY }, async () => {
      const result = await restore(id)
      stderr = result.stderr
      assert.equal(result.code, 0, stderr)
    })
    await assertReadable({ url, key: API_KEY }, written)
    assert.match(stderr, new RegExp(`restored the project ${PROJECT} from backup ${id}: \\d+ calls`))
    assert.match(stderr, /projects grant acme\/shop robot write/)
    await assertRestored()
  })
  await context.check('a killed restore is repeated, and its scratch database removed', async () => {
    for (const hasBegun of [hasScratch, hasCopied]) {
      await deleteProject(url)
      const command = installation.spawn('restore', '--project', PROJECT)
      const exited = once(command, 'exit')
      await waitUntil(() => hasBegun(access), 60_000)
      command.kill('SIGKILL')
      await exited
      if (hasBegun === hasScratch) assert.equal((await scratchDatabases(access)).length, 1)
      const { code, stderr } = await restore()
      assert.equal(code, 0, stderr)
      await assertRestored()
    }
  })
  await context.check('a restore that is stopped or fails leaves no scratch database', async () => {
    const command = installation.spawn('restore', '--project', PROJECT)
    const exited = once(command, 'exit')
    await waitUntil(() => hasScratch(access), 60_000)
    command.kill('SIGTERM')
    assert.deepEqual(await exited, [1, null])
    const { code, stderr } = await installation.run('restore', '--project', 'acme/shoq')
    assert.equal(code, 1)
    assert.match(stderr, /there is no project acme\/shoq; did you mean acme\/shop\?/)
    await assertRestored()
  })
  await context.check(
    'a project that has changed is restored only with --merge, and keeps changes',
    async () => {
      await deleteProject(url)
      const ended_at = '2026-01-15T11:00:00.000001Z'
      const end = {
        project_id: PROJECT,
        id: CALL_IDS.apart,
        ended_at,
        output: { answer: 'later' },
        summary: {},
      }
      await write(url, 'POST', '/call/end', { end })
      const rename = { project_id: PROJECT, call_id: CALL_IDS.root, display_name: 'Renamed later' }
      await write(url, 'POST', '/call/update', rename)
      await write(url, 'POST', '/calls/delete', { project_id: PROJECT, call_ids: [CALL_IDS.failed] })
      const refused = await restore()
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /has rows that backup .* does not have \(.*call_parts: \d.*--merge/)
      assert.equal((await restore('--merge')).code, 0)
      assert.equal((await read(url, CALL_IDS.root))?.['display_name'], 'Renamed later')
      assert.deepEqual((await read(url, CALL_IDS.root))?.['inputs'], { question: 'Where is order 1?' })
      assert.deepEqual((await read(url, CALL_IDS.apart))?.['output'], { answer: 'later' })
      assert.deepEqual((await read(url, CALL_IDS.apart))?.['inputs'], { question: 'Where is order 11?' })
      assert.equal(await read(url, CALL_IDS.failed), null)
      assert.equal((await read(url, CALL_IDS.model))?.['op_name'], 'openai.chat.completions.create')
    },
  )
  await context.check('calls that are written to a project while it is restored stay', async () => {
    await deleteProject(url, LOADED_PROJECT)
    const written = await loadWhile({ url, key: API_KEY }, async () => {
      const { code, stderr } = await installation.run('restore', '--project', LOADED_PROJECT, '--merge')
      assert.equal(code, 0, stderr)
    })
    await assertReadable({ url, key: API_KEY }, [...earlier, ...written])
  })
  await context.check('an erasure is undone only when asked to', async () => {
    assert.equal((await installation.run('erase', '--project', PROJECT, '--yes')).code, 0)
    const refused = await restore()
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /erasures list --json/)
    const { code, stderr } = await restore('--yes')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /repeat the erasures/)
    await assertRestored()
  })
}

/** Writes calls to another project, before, during and after the work; returns their ids. */
async function loadWhile(server: Server, work: () => Promise<void>): Promise<string[]> {
  const load = new CallLoad(server)
  load.start()
  try {
    await waitUntil(() => load.acknowledged.size >= 100)
    await work()
    const count = load.acknowledged.size
    await waitUntil(() => load.acknowledged.size > count)
  } finally {
    await load.stop()
  }
  return [...load.acknowledged]
}

async function deleteProject(url: string, project_id = PROJECT): Promise<void> {
  await write(url, 'DELETE', `/api/v1/projects/${project_id}`)
  await waitUntil(async () => {
    const { status, text } = await send(url, { method: 'GET', path: '/api/v1/projects' })
    return status === 200 && !text.includes(`"${project_id}"`)
  }, 60_000)
}

async function scratchDatabases(access: ClickHouseAccess): Promise<string[]> {
  const rows = await query<{ name: string }>(
    access,
    "SELECT name FROM system.databases WHERE name LIKE 'heddle\\_restore\\_%'",
  )
  return rows.map(({ name }) => name)
}

async function hasScratch(access: ClickHouseAccess): Promise<boolean> {
  return (await scratchDatabases(access)).length > 0
}

/** Whether rows of the project were copied. */
async function hasCopied(access: ClickHouseAccess): Promise<boolean> {
  const found = `SELECT 1 AS found FROM heddle.files WHERE project_id = '${PROJECT}' LIMIT 1`
  return (await query(access, found)).length > 0
}
