import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { backupShards, parseManifest, serializeManifest } from '../../src/core/backup/manifest.ts'
import { post, PROJECT } from '../import/api.ts'
import { readContents } from '../import/contents.ts'
import { seed, type SeededDigests } from '../import/seed.ts'
import { waitUntil } from '../wait-until.ts'
import { embeddedAccess, query, tableChecksums } from './backup/checksums.ts'
import { testExternal } from './backup/external.ts'
import { type BackupSummary, describe, Installation, type ListedBackup } from './backup/installation.ts'
import { CallLoad } from './backup/load.ts'
import { assertReadable } from './backup/readable.ts'
import { testS3 } from './backup/s3.ts'
import type { OpsContext, OpsSuite } from './suite.ts'

/**
 * Backups under load, incremental, interrupted, damaged and pruned, restored after the data is gone, and compared row by
 * row: to a directory, to S3-compatible storage, and with an external ClickHouse.
 */
export const backup: OpsSuite = { name: 'backup', minutes: 1.5, run }

async function run(context: OpsContext): Promise<void> {
  const calls = context.isLong ? 200_000 : 8_000
  const embedded = new Installation(join(context.directory, 'data'), {
    HEDDLE_BACKUP_TARGET: join(context.directory, 'backups'),
  })
  try {
    await embedded.start()
    const seeded = await seed(embedded.server, calls, calls / 20)
    await testDirectory(context, embedded, seeded)
    await testS3(context, embedded)
  } finally {
    await embedded.kill()
  }
  await testExternal(context)
}

async function testDirectory(
  context: OpsContext,
  installation: Installation,
  seeded: SeededDigests,
): Promise<void> {
  const { directory } = context
  const target = join(directory, 'backups')
  const list = (): Promise<ListedBackup[]> => installation.json('backups', 'list')
  let full: BackupSummary | undefined
  let acknowledgedBefore: readonly string[] = []
  await context.check('a backup under load', async () => {
    const load = new CallLoad(installation.server)
    load.start()
    await waitUntil(() => load.acknowledged.size >= 200)
    acknowledgedBefore = [...load.acknowledged]
    full = await installation.json<BackupSummary>('backup')
    await load.stop()
    assert.equal(full.base_id, null)
    assert.ok(load.acknowledged.size > acknowledgedBefore.length, 'nothing was written during the backup')
    console.log(`      full: ${describe(full)}; ${load.acknowledged.size} calls written around it`)
  })

  await post(installation.server, '/obj/create', {
    obj: { project_id: PROJECT, object_id: 'after-the-full-backup', val: { answer: 42 } },
  })
  assert.equal((await installation.run('users', 'create', 'somebody', '--no-password')).code, 0)
  // Pages of the API by offset take quadratic time. The checksums of tables cover every column of every row as well.
  const readAll = async (): Promise<Map<string, string>> =>
    context.isLong ? new Map() : readContents(installation.server, seeded)
  const contents = await readAll()
  let incremental: BackupSummary | undefined
  await context.check('an incremental backup stores only what is new', async () => {
    incremental = await installation.json<BackupSummary>('backup')
    assert.equal(incremental.base_id, full?.id)
    assert.ok(incremental.bytes < (full?.bytes ?? 0), `${incremental.bytes} bytes`)
    console.log(`      incremental: ${describe(incremental)}`)
  })
  const checksums = await tableChecksums(await embeddedAccess(installation.data))

  await context.check(
    'a backup whose command is killed is incomplete, and earlier ones are intact',
    async () => {
      const known = (await list()).length
      const command = installation.spawn('backup', '--full')
      await waitUntil(
        async () => (await readdir(target)).filter((name) => name.endsWith('.started')).length > 0,
      )
      command.kill('SIGKILL')
      await once(command, 'exit')
      const listed = await list()
      assert.equal(listed.length, known + 1)
      assert.equal(listed.at(-1)?.status, 'incomplete')
      assert.equal((await installation.run('backups', 'verify')).code, 0)
    },
  )
  await context.check(
    'a backup whose ClickHouse is killed is incomplete, and earlier ones are intact',
    async () => {
      const known = new Set((await list()).map(({ id }) => id))
      const command = installation.spawn('backup', '--full')
      const exited = once(command, 'exit') as Promise<[number | null]>
      await waitUntil(async () =>
        (await readdir(target)).some((name) => !name.includes('.') && !known.has(name)),
      )
      await installation.kill()
      assert.equal((await exited)[0], 1)
      const listed = await list()
      assert.equal(listed.at(-1)?.status, 'incomplete')
      assert.equal((await installation.run('backups', 'verify', incremental?.id ?? '')).code, 0)
    },
  )

  await context.check('after the data directory is gone, a restore brings back every record', async () => {
    await rm(installation.data, { recursive: true, force: true })
    const restored = await installation.json<{ rows: number; seconds: number }>('restore')
    console.log(`      restored ${restored.rows} rows in ${restored.seconds} s`)
    assert.equal(restored.rows, incremental?.rows)
    await installation.start()
    assert.deepEqual(await tableChecksums(await embeddedAccess(installation.data)), checksums)
    const again = await readAll()
    assert.deepEqual(
      [...again].filter(([name, hash]) => contents.get(name) !== hash),
      [],
    )
    assert.equal(again.size, contents.size)
    const records = context.isLong ? '' : `${again.size} records and `
    console.log(`      ${records}${Object.keys(checksums).length} tables compared`)
  })
  await context.check('a restored server writes and reads calls by id', async () => {
    const load = new CallLoad(installation.server)
    load.start()
    await waitUntil(() => load.acknowledged.size >= 100)
    await load.stop()
    await assertReadable(installation.server, [...load.acknowledged])
  })

  await context.check('what was acknowledged before a backup under load began is in it', async () => {
    const { code, stderr } = await installation.run('restore', full?.id ?? '', '--into', 'under_load')
    assert.equal(code, 0, stderr)
    await installation.stop()
    installation.environment = { ...installation.environment, HEDDLE_CLICKHOUSE_DATABASE: 'under_load' }
    await installation.start()
    await assertReadable(installation.server, acknowledgedBefore)
    const access = await embeddedAccess(installation.data)
    const differences = await query<{ missing: string }>(
      access,
      `SELECT toString(count()) AS missing FROM (
        SELECT project_id, id, is_part FROM (SELECT project_id, id, 0 AS is_part FROM under_load.calls
          UNION DISTINCT SELECT project_id, id, 1 AS is_part FROM under_load.call_parts)
        EXCEPT SELECT project_id, id, is_part FROM under_load.call_ids)`,
    )
    assert.equal(differences[0]?.missing, '0')
    await installation.stop()
    const { HEDDLE_CLICKHOUSE_DATABASE: _, ...environment } = installation.environment
    installation.environment = environment
    await installation.start()
  })

  await context.check('a restore replaces data only when asked to, and keeps the previous data', async () => {
    const running = await installation.run('restore')
    assert.equal(running.code, 1)
    assert.match(running.stderr, /stop the server/)
    await installation.stop()
    const refused = await installation.run('restore')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /--yes/)
    const { previous } = await installation.json<{ previous: string }>('restore', '--yes')
    assert.equal((await installation.run('restore', '--drop', 'heddle')).code, 1)
    assert.equal((await installation.run('restore', '--drop', previous)).code, 0)
    await installation.start()
    assert.deepEqual(await tableChecksums(await embeddedAccess(installation.data)), checksums)
  })

  await context.check('prune keeps what the latest backup builds on', async () => {
    const deleted = await installation.json<ListedBackup[]>(
      'backups',
      'prune',
      '--keep',
      '1',
      '--incomplete-hours',
      '0',
    )
    assert.equal(deleted.length, 2)
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [full?.id, incremental?.id],
    )
    assert.equal((await installation.run('backups', 'verify', '--restore')).code, 0)
  })

  await context.check(
    'verify finds a flipped byte and a missing file, and restore refuses them',
    async () => {
      const manifest = parseManifest(await readFile(join(target, `${full?.id}.json`), 'utf8'))
      const files = backupShards(manifest).flatMap((shard) => shard.files)
      const [damaged] = files.filter(({ path }) => /\/calls\/.*data\.bin|\/calls\/.*inputs\.bin/.test(path))
      const file = join(target, manifest.id, damaged?.path ?? '')
      const bytes = await readFile(file)
      const flipped = Buffer.from(bytes)
      flipped[bytes.length >> 1]! ^= 1
      await writeFile(file, flipped)
      const verified = await installation.run('backups', 'verify')
      assert.equal(verified.code, 1)
      assert.ok(verified.stderr.includes(`${manifest.id}/${damaged?.path} has changed`), verified.stderr)
      assert.equal((await installation.run('restore', '--into', 'damaged')).code, 1)
      await rm(file)
      const missing = await installation.run('backups', 'verify')
      assert.equal(missing.code, 1)
      assert.ok(missing.stderr.includes(`${manifest.id}/${damaged?.path} is missing`), missing.stderr)
      await writeFile(file, bytes)
      assert.equal((await installation.run('backups', 'verify')).code, 0)
    },
  )

  await context.check('a backup of a newer schema is refused', async () => {
    const file = join(target, `${incremental?.id}.json`)
    const text = await readFile(file, 'utf8')
    const manifest = parseManifest(text)
    const schema = [...manifest.schema, { version: 9_999, checksum: 'unknown' }]
    await writeFile(file, serializeManifest({ ...manifest, schema }))
    const { code, stderr } = await installation.run('restore', '--into', 'newer')
    assert.equal(code, 1)
    assert.match(stderr, /schema version 9999/)
    await writeFile(file, text)
  })

  await context.check('a backup of a build before 0.1.0 is refused', async () => {
    const file = join(target, `${incremental?.id}.json`)
    const text = await readFile(file, 'utf8')
    const schema = [{ version: 1, checksum: 'another' }]
    await writeFile(file, serializeManifest({ ...parseManifest(text), schema }))
    const { code, stderr } = await installation.run('restore', '--into', 'older')
    assert.equal(code, 1)
    assert.match(stderr, /was written by a build of Heddle before 0\.1\.0/)
    await writeFile(file, text)
  })

  await context.check('a new chain makes the old one superfluous', async () => {
    const { id } = await installation.json<BackupSummary>('backup', '--full')
    await installation.json('backups', 'prune', '--keep', '1')
    assert.deepEqual(
      (await list()).map((listed) => listed.id),
      [id],
    )
    assert.deepEqual((await readdir(target)).toSorted(), [id, `${id}.json`])
  })
}
