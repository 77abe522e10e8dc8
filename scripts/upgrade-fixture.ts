import { execSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findRunningClickHouse } from '../src/clickhouse/running.ts'
import { startServerProcess } from '../test/server-process.ts'
import { ADA_PASSWORD, API_KEY, send } from '../test/upgrade/api.ts'
import { type AppliedMigration, type Read, saveFixture, type TableRows } from '../test/upgrade/fixture.ts'
import { readsOf } from '../test/upgrade/reads.ts'
import { writeRecords } from '../test/upgrade/records.ts'

/**
 * `npx tsx scripts/upgrade-fixture.ts --name 0.2.0`: saves the database of the current release as a fixture of the upgrade
 * tests (docs/releasing.md). `--data-directory` also saves the files of embedded ClickHouse. `--checkout DIR` runs the code
 * in another checkout, which must have its node_modules; operations that it does not serve are left out.
 */
const { values } = parseArgs({
  options: { name: { type: 'string' }, checkout: { type: 'string' }, 'data-directory': { type: 'boolean' } },
})
if (values.name === undefined) throw new Error('--name is missing: the version of the release')
const checkout = resolve(values.checkout ?? '.')
const target = join('test/upgrade/fixtures', values.name)
const main = [process.execPath, '--import', import.meta.resolve('tsx'), join(checkout, 'src/main.ts')]
const directory = await mkdtemp(join(tmpdir(), 'heddle-fixture-'))
const data = join(directory, 'data')

try {
  const server = await startServerProcess({ data, adminPassword: API_KEY, apiKey: API_KEY, command: main })
  createUsers()
  const reads = await readAll(server.url, readsOf(await writeRecords(server.url)))
  const tables = await readTables()
  const migrations = JSON.parse(
    `[${(await query('SELECT version, name, checksum FROM schema_migrations FINAL ORDER BY version FORMAT JSONEachRow')).toString('utf8').trim().replaceAll('\n', ',')}]`,
  ) as AppliedMigration[]
  // Parts that were merged into others are removed after minutes; the directory is smaller without them.
  await query('SYSTEM STOP MERGES')
  const merged = (await query('SELECT path FROM system.parts WHERE NOT active'))
    .toString('utf8')
    .trim()
    .split('\n')
  const clickhouse_version = (await query('SELECT version()')).toString('utf8').trim()
  await server.stop()
  for (const path of merged) if (path.startsWith(data)) await rm(path, { recursive: true, force: true })
  await saveFixture(target, {
    manifest: { version: values.name, clickhouse_version, migrations },
    reads,
    tables,
  })
  if (values['data-directory'] === true)
    execSync(`tar -cf - -C "${data}" clickhouse | gzip -9 > "${resolve(target, 'data-directory.tar.gz')}"`)
  console.log(`saved ${target}: ${reads.length} reads, ${tables.length} tables`)
} finally {
  await rm(directory, { recursive: true, force: true })
}

/** Not every release can create users through the API. */
function createUsers(): void {
  cli(['users', 'create', 'ada', '--password-stdin'], `${ADA_PASSWORD}\n`)
  cli(['users', 'create', 'robot', '--no-password'])
  cli(['keys', 'create', '--user', 'robot', '--name', 'nightly'])
  cli(['projects', 'grant', 'acme', 'ada', 'write'])
  cli(['projects', 'grant', 'acme/shop', 'robot', 'read'])
  cli(['quotas', 'set', 'acme/shop', '--calls-per-second', '100000'])
}

function cli(args: readonly string[], input = ''): void {
  const [command = '', ...rest] = main
  const { status, stderr } = spawnSync(command, [...rest, ...args, '--data', data], {
    input,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`heddle ${args.join(' ')} failed: ${stderr}`)
}

async function readAll(url: string, requests: ReturnType<typeof readsOf>): Promise<Read[]> {
  // Writes of the last second may still be on their way to caches.
  await sleep(2_000)
  const reads: Read[] = []
  for (const request of requests) {
    const { status, text } = await send(url, request)
    const isMissing = status === 404 && !text.includes('unknown path')
    if (status >= 400 && !isMissing)
      console.log(`left out: ${request.method} ${request.path} returned ${status}: ${text.slice(0, 200)}`)
    else reads.push({ ...request, status, response: text })
  }
  return reads
}

async function readTables(): Promise<TableRows[]> {
  const names = await query(
    "SELECT name FROM system.tables WHERE database = 'heddle' AND engine LIKE '%MergeTree' AND name != 'schema_migrations' ORDER BY name",
  )
  const tables = names.toString('utf8').trim().split('\n')
  const rows = []
  for (const table of tables) rows.push({ table, rows: await query(`SELECT * FROM ${table} FORMAT Native`) })
  return rows.filter((table) => table.rows.length > 0)
}

async function query(statement: string): Promise<Buffer> {
  const clickhouse = await findRunningClickHouse(data)
  if (clickhouse === undefined) throw new Error('no ClickHouse is running')
  const response = await fetch(`${clickhouse.url}/?database=heddle`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': clickhouse.username, 'x-clickhouse-key': clickhouse.password },
    body: statement,
  })
  const body = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(`${statement}: ${body.toString('utf8')}`)
  return body
}
