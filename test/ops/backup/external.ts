import assert from 'node:assert/strict'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startExternalClickHouse } from '../../../scripts/external-clickhouse.ts'
import { seed } from '../../import/seed.ts'
import { waitUntil } from '../../wait-until.ts'
import type { OpsContext } from '../suite.ts'
import { tableChecksums } from './checksums.ts'
import { Installation, type ListedBackup } from './installation.ts'

/** The same commands with an external ClickHouse, and scheduled backups of two servers. */
export async function testExternal(context: OpsContext): Promise<void> {
  const { directory } = context
  const target = join(directory, 'external-backups')
  const clickhouse = await startExternalClickHouse(join(directory, 'external'), { backupDirectory: target })
  const access = { url: clickhouse.url, username: 'default', password: '' }
  const installation = new Installation(join(directory, 'unused'), {
    HEDDLE_CLICKHOUSE_URL: clickhouse.url,
    HEDDLE_BACKUP_TARGET: target,
    HEDDLE_BACKUP_DISK: 'backups',
  })
  try {
    await context.check('an external ClickHouse is backed up and restored by the same commands', async () => {
      await installation.start()
      await seed(installation.server, 500, 50)
      for (let i = 0; i < 3; i++) await installation.json('backup')
      const checksums = await tableChecksums(access)
      await installation.stop()
      const dropped = await fetch(clickhouse.url, { method: 'POST', body: 'DROP DATABASE heddle SYNC' })
      assert.equal(dropped.status, 200)
      await installation.json('restore')
      assert.deepEqual(await tableChecksums(access), checksums)
      assert.equal((await installation.run('backups', 'verify', '--restore')).code, 0)
    })
    await context.check(
      'a copy on another disk of an external ClickHouse is restored without the original',
      async () => {
        const copy = `${target}-copy`
        await cp(target, copy, { recursive: true })
        const [full = '', second = ''] = (await readdir(target))
          .filter((name) => !name.includes('.'))
          .toSorted()
        for (const id of [full, second]) await rm(join(target, id), { recursive: true })
        const { environment } = installation
        installation.environment = {
          ...environment,
          HEDDLE_BACKUP_TARGET: copy,
          HEDDLE_BACKUP_DISK: 'copies',
        }
        await installation.json('restore', '--into', 'from_copy')
        assert.deepEqual(await tableChecksums(access, 'from_copy'), await tableChecksums(access))
        assert.ok(!(await readdir(copy)).some((name) => name.startsWith('.')), 'links are left in the target')
        installation.environment = environment
      },
    )
    await context.check(
      'of two servers one makes the scheduled backup, and both report its age',
      async () => {
        await rm(target, { recursive: true })
        const scheduled = { ...installation.environment, HEDDLE_BACKUP_EVERY_MINUTES: '60' }
        const nodes = [
          new Installation(installation.data, scheduled),
          new Installation(installation.data, scheduled),
        ]
        try {
          await Promise.all(nodes.map((node) => node.start()))
          const complete = async (): Promise<ListedBackup[]> =>
            (await installation.json<ListedBackup[]>('backups', 'list')).filter(
              ({ status }) => status === 'complete',
            )
          await waitUntil(async () => (await complete()).length > 0, 60_000)
          for (const node of nodes) {
            const metrics = await (await fetch(`${node.server.url}/metrics`)).text()
            const age = Number(/^heddle_backup_age_seconds (\S+)$/m.exec(metrics)?.[1])
            assert.ok(age >= 0 && age < 600, `age ${age}`)
          }
        } finally {
          await Promise.all(nodes.map((node) => node.stop()))
        }
        assert.equal((await installation.json<ListedBackup[]>('backups', 'list')).length, 1)
      },
    )
  } finally {
    await installation.stop()
    await clickhouse.stop()
  }
}
