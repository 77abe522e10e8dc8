import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { post, PROJECT } from '../../import/api.ts'
import { seed } from '../../import/seed.ts'
import type { CliResult } from '../../run-cli.ts'
import type { OpsContext, OpsSuite } from '../suite.ts'
import { embeddedAccess, tableChecksums } from './checksums.ts'
import { changeByte, DAMAGES, findFile } from './damage.ts'
import { type BackupSummary, Installation } from './installation.ts'

/**
 * A chain of three backups in a directory that is moved, copied and damaged. What is restored from a copy is what the copy
 * contains, and `backups verify` finds every damage.
 */
export const backupMoved: OpsSuite = { name: 'backup-moved', minutes: 0.7, run }

async function run(context: OpsContext): Promise<void> {
  const original = join(context.directory, 'original')
  const installation = new Installation(join(context.directory, 'data'), { HEDDLE_BACKUP_TARGET: original })
  try {
    await installation.start()
    await seed(installation.server, 100, 10)
    const chain = [await installation.json<BackupSummary>('backup')]
    for (const object_id of ['second', 'third']) {
      await writeObject(installation, object_id)
      chain.push(await installation.json<BackupSummary>('backup'))
    }
    await testMoved(context, installation, original, chain)
    await testDamage(context, installation, chain)
  } finally {
    await installation.kill()
  }
}

/** Ten times as fast as `cp` of Node. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-r', from, to])
}

async function writeObject(installation: Installation, object_id: string): Promise<void> {
  await post(installation.server, '/obj/create', { obj: { project_id: PROJECT, object_id, val: {} } })
}

async function testMoved(
  context: OpsContext,
  installation: Installation,
  original: string,
  chain: readonly BackupSummary[],
): Promise<void> {
  const moved = join(context.directory, 'moved & renamed')
  const [full, second, third] = chain.map(({ id }) => id) as [string, string, string]
  const access = await embeddedAccess(installation.data)
  const checksums = await tableChecksums(access)
  const restore = (target: string, into: string, id = ''): Promise<CliResult> =>
    installation.run('restore', ...(id === '' ? [] : [id]), '--into', into, '--target', target)
  const assertRestored = async (target: string, into: string): Promise<void> => {
    const { code, stderr } = await restore(target, into)
    assert.equal(code, 0, stderr)
    assert.deepEqual(await tableChecksums(access, into), checksums)
    await installation.run('restore', '--drop', into)
  }

  await rename(original, moved)
  await context.check('every backup of a chain that was moved is restored', async () => {
    const verified = await installation.run('backups', 'verify', '--target', moved)
    assert.equal(verified.code, 0, verified.stderr)
    await assertRestored(moved, 'moved_third')
    const { code, stderr } = await restore(moved, 'moved_second', second)
    assert.equal(code, 0, stderr)
  })
  await context.check('a new machine restores a chain that was moved', async () => {
    const machine = new Installation(join(context.directory, 'new machine'), { HEDDLE_BACKUP_TARGET: moved })
    const restored = await machine.json<{ rows: number }>('restore')
    assert.equal(restored.rows, chain[2]?.rows)
  })
  await context.check('a restore from a copy reads nothing of the original', async () => {
    copy(moved, original)
    for (const id of [full, second]) await changeByte(await findFile(join(original, id), 'data.bin'))
    await assertRestored(moved, 'from_intact_copy')
    const verified = await installation.run('backups', 'verify', '--target', original)
    assert.equal(verified.code, 1, verified.stderr)
    await rm(original, { recursive: true })
  })
  await context.check('a damaged copy is not restored from the original that its lists name', async () => {
    copy(moved, original)
    for (const id of [full, second]) await changeByte(await findFile(join(moved, id), 'data.bin'))
    const verified = await installation.run('backups', 'verify', '--target', moved)
    assert.equal(verified.code, 1, verified.stderr)
    for (const id of [second, third])
      assert.equal((await restore(moved, `damaged_${id.slice(-4)}`, id)).code, 1, `restored ${id}`)
    await rm(moved, { recursive: true })
    await rename(original, moved)
  })
  await context.check('a chain goes on where it was moved to', async () => {
    const refused = await installation.run('backup', '--target', moved)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /rename the directory/)
    const again = join(context.directory, "it's moved")
    await rename(moved, again)
    const fourth = await installation.json<BackupSummary>('backup', '--target', again)
    assert.equal(fourth.base_id, third)
    await assertRestored(again, 'moved_fourth')
    await rename(again, original)
    await assertRestored(original, 'moved_again')
  })
  await context.check('no backup builds on a chain that cannot be restored', async () => {
    const broken = join(context.directory, 'broken')
    copy(original, broken)
    await rm(await findFile(join(broken, second), 'data.bin'))
    const { code, stdout, stderr } = await installation.run('backup', '--target', broken)
    assert.equal(code, 0, stderr)
    assert.match(stderr, /is missing/)
    assert.match(stderr, /\(full\)/)
    const verified = await installation.run('backups', 'verify', '--target', broken)
    assert.equal(verified.code, 0, verified.stderr)
    assert.ok(verified.stderr.includes(stdout.trim()), 'another backup was verified')
    await rm(broken, { recursive: true })
  })
  await context.check('a restore leaves nothing in the target and in the data directory', async () => {
    const left = [...(await readdir(original)), ...(await readdir(join(installation.data, 'tmp')))]
    assert.deepEqual(
      left.filter((name) => name.includes('view')),
      [],
    )
  })
}

/** Verification needs no server: each kind of damage is done to a copy of its own. */
async function testDamage(
  context: OpsContext,
  installation: Installation,
  chain: readonly BackupSummary[],
): Promise<void> {
  const original = join(context.directory, 'original')
  const target = join(context.directory, 'copy')
  const [full = '', second = '', third = ''] = chain.map(({ id }) => id)
  await context.check(`verify finds ${Object.keys(DAMAGES).length} kinds of damage`, async () => {
    const intact = await installation.run('backups', 'verify', third, '--target', original)
    assert.equal(intact.code, 0, intact.stderr)
    const unnoticed: string[] = []
    for (const [name, damage] of Object.entries(DAMAGES)) {
      copy(original, target)
      await damage({ target, full, second, third })
      const { code, stderr } = await installation.run('backups', 'verify', third, '--target', target)
      if (code !== 1) unnoticed.push(`${name}: ${stderr}`)
      await rm(target, { recursive: true })
    }
    assert.deepEqual(unnoticed, [])
  })
}
