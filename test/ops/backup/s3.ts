import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { sendS3 } from '../../../src/app/backup/s3-request.ts'
import { findBackupDisk } from '../../../src/app/s3-disks.ts'
import { readSettings } from '../../../src/app/settings.ts'
import { post, PROJECT } from '../../import/api.ts'
import type { OpsContext } from '../suite.ts'
import { embeddedAccess, tableChecksums } from './checksums.ts'
import { type BackupSummary, describe, type Installation, type ListedBackup } from './installation.ts'
import { startMoto } from './moto.ts'

/** The same commands with S3-compatible storage, which embedded ClickHouse knows from its start. */
export async function testS3(context: OpsContext, installation: Installation): Promise<void> {
  const bucket = 'heddle-backups'
  const s3 = await startMoto(bucket)
  try {
    installation.environment = {
      HEDDLE_BACKUP_TARGET: `s3://${bucket}/some/prefix`,
      HEDDLE_BACKUP_S3_ENDPOINT: s3.url,
      HEDDLE_BACKUP_S3_ACCESS_KEY_ID: 'access',
      HEDDLE_BACKUP_S3_SECRET_ACCESS_KEY: 'secret<&>',
    }
    await context.check('a server that was not started with the S3 target says so', async () => {
      const { code, stderr } = await installation.run('backup')
      assert.equal(code, 1, stderr)
      assert.match(stderr, /restart the server/)
      await installation.json('backups', 'prune', '--keep', '1', '--incomplete-hours', '0')
    })
    await installation.stop()
    await installation.start()
    await context.check('full and incremental backups to S3', async () => {
      const full = await installation.json<BackupSummary>('backup')
      await post(installation.server, '/obj/create', {
        obj: { project_id: PROJECT, object_id: 'after-the-full-backup-to-s3', val: {} },
      })
      const incremental = await installation.json<BackupSummary>('backup')
      assert.equal(incremental.base_id, full.id)
      assert.ok(incremental.bytes < full.bytes)
      const third = await installation.json<BackupSummary>('backup')
      assert.equal(third.base_id, incremental.id)
      console.log(`      full: ${describe(full)}; incremental: ${describe(incremental)}`)
    })
    const checksums = await tableChecksums(await embeddedAccess(installation.data))
    await installation.kill()
    await context.check('a restore from S3 brings back every record', async () => {
      await rm(installation.data, { recursive: true, force: true })
      const { seconds } = await installation.json<{ seconds: number }>('restore')
      console.log(`      restored in ${seconds} s`)
      await installation.start()
      assert.deepEqual(await tableChecksums(await embeddedAccess(installation.data)), checksums)
    })
    await context.check('verify finds a changed and a missing object in S3', async () => {
      assert.equal((await installation.run('backups', 'verify')).code, 0)
      const [first] = await installation.json<ListedBackup[]>('backups', 'list')
      const prefix = `some/prefix/${first?.id}/data/heddle/calls/`
      const listing = await (await fetch(`${s3.url}/${bucket}?list-type=2&prefix=${prefix}`)).text()
      const [, key] = /<Key>([^<]*\.bin)<\/Key>/.exec(listing) ?? []
      assert.ok(key !== undefined, listing)
      const url = new URL(`${s3.url}/${bucket}/${key}`)
      const disk = findBackupDisk(readSettings(installation.environment))
      assert.ok(disk !== undefined)
      const size = (await (await sendS3(disk, { method: 'GET', url })).arrayBuffer()).byteLength
      await sendS3(disk, { method: 'PUT', url, body: 'x'.repeat(size) })
      assert.match((await installation.run('backups', 'verify')).stderr, /has changed/)
      await sendS3(disk, { method: 'DELETE', url })
      assert.match((await installation.run('backups', 'verify')).stderr, /is missing/)
    })
    await context.check('prune deletes from S3', async () => {
      await installation.json('backup', '--full')
      const deleted = await installation.json<ListedBackup[]>('backups', 'prune', '--keep', '1')
      assert.equal(deleted.length, 3)
      const listing = await (await fetch(`${s3.url}/${bucket}?list-type=2`)).text()
      for (const { id } of deleted) assert.ok(!listing.includes(id), id)
      assert.equal((await installation.run('backups', 'verify')).code, 0)
    })
  } finally {
    await installation.stop()
    await s3.stop()
  }
}
