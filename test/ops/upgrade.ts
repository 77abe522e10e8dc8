import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startServerProcess } from '../server-process.ts'
import { API_KEY } from '../upgrade/api.ts'
import { findDifferences } from '../upgrade/compare.ts'
import { writeAndRead } from '../upgrade/continue.ts'
import { type Fixture, fixtures } from '../upgrade/fixture.ts'
import { executeIn } from './embedded.ts'
import type { OpsContext, OpsSuite } from './suite.ts'

/** Data directories that releases wrote, opened by the built server. test/db/upgrade.test.ts covers every schema. */
export const upgrade: OpsSuite = { name: 'upgrade', minutes: 0.7, run }

const MAIN = 'dist/main.js'

async function run(context: OpsContext): Promise<void> {
  const check: OpsContext['check'] = (name, test) => context.check(name, test)
  await check('`heddle migrate --plan` creates no data directory', () => {
    const data = join(context.directory, 'absent')
    const { status, stdout } = heddle('migrate', '--plan', '--data', data)
    assert.equal(status, 0)
    assert.match(stdout, /0001_initial/)
    assert.ok(!existsSync(data))
  })
  let newest = ''
  for (const fixture of fixtures()) {
    if (fixture.dataDirectory === undefined) continue
    newest = join(context.directory, fixture.name)
    await upgradeDirectory(fixture, newest, check)
  }
  await check('a database that a newer Heddle migrated is refused, with both versions and a remedy', () => {
    for (const command of [['serve', '--port', '0'], ['migrate'], ['migrate', '--plan']]) {
      const { status, stderr } = heddle(...command, '--data', newest)
      assert.equal(status, 1, command.join(' '))
      assert.match(
        stderr,
        /version 9999 \(9999_of_the_future\).*up to \d+ \(\w+\); run a newer Heddle, or restore a backup/,
      )
    }
  })
}

async function upgradeDirectory(fixture: Fixture, data: string, check: OpsContext['check']): Promise<void> {
  await mkdir(data)
  execFileSync('tar', ['-xzf', fixture.dataDirectory ?? '', '-C', data])
  await check(`the plan for ${fixture.name} lists the migrations since then, and applies none`, () => {
    const applied = new Set(fixture.manifest.migrations.map(({ name }) => name))
    const pending = planOf(data)
    assert.ok(pending.every(({ migration }) => !applied.has(migration)))
    // A merge between the two plans may change rows and bytes.
    const names = (plan: typeof pending): string[] => plan.map(({ migration }) => migration)
    assert.deepEqual(names(planOf(data)), names(pending))
  })
  const server = await startServerProcess({
    data,
    adminPassword: API_KEY,
    apiKey: API_KEY,
    command: [process.execPath, MAIN],
  })
  await check(`every read of ${fixture.name} returns what it did`, async () => {
    assert.deepEqual(await findDifferences(server.url, fixture), [])
  })
  await check(`writes to ${fixture.name} continue, no part was lost, and nothing is pending`, async () => {
    await writeAndRead(server.url)
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    assert.deepEqual(planOf(data), [])
  })
  // As if a newer Heddle had migrated it.
  await executeIn(
    data,
    "INSERT INTO heddle.schema_migrations (version, name, checksum) VALUES (9999, '9999_of_the_future', 'x')",
  )
  await server.stop()
}

interface Planned {
  readonly migration: string
}

function planOf(data: string): Planned[] {
  const { status, stdout, stderr } = heddle('migrate', '--plan', '--json', '--data', data)
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout) as Planned[]
}

interface CommandResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function heddle(...args: readonly string[]): CommandResult {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
}
