import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ExternalClickHouse, startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import { runCli } from '../run-cli.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { startShiftedClock } from './shifted-clock.ts'
import { mountSmallDisk } from './small-disk.ts'
import type { OpsContext, OpsSuite } from './suite.ts'

/** `heddle doctor` finds nothing on a healthy installation, and each fault that is planted. */
export const doctor: OpsSuite = { name: 'doctor', minutes: 1, run }

const KEY = 'hd_the-key-of-the-doctor-suite-0123456789-0123456789'
const BUILT = [process.execPath, 'dist/main.js'] as const
/** Below it, ClickHouse itself fails. */
const DISK_MIB = 1_024

interface Finding {
  readonly check: string
  readonly level: string
  readonly message: string
  readonly remedy?: string
}

interface Report {
  readonly code: number
  readonly found: readonly Finding[]
  readonly text: string
}

type Environment = Readonly<Record<string, string>>

/** Runs the command in this process, with nothing in its environment but what is given. */
async function examine(env: Environment, ...args: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await runCli(['doctor', '--json', ...args], { env })
  assert.match(stdout, /^\{/, stderr)
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] }
  return { code, found: findings, text: stdout }
}

/** The fault is found by this check, the command fails, and the finding has a remedy in one line. */
function assertFound({ code, found, text }: Report, check: string, message: RegExp): void {
  const finding = found.find((other) => other.check === check && message.test(other.message))
  assert.ok(finding, `no finding of "${check}" matches ${message}:\n${text}`)
  assert.equal(finding.level, 'problem')
  assert.match(finding.remedy ?? '', /^[^\n]{10,}$/)
  assert.equal(code, 1)
}

/** A busy machine is slow, and the doctor says so. */
const DURATION = / in \d+ ms/

function assertHealthy({ code, found, text }: Report): void {
  assert.deepEqual(
    found.filter(
      ({ level, message }) => level === 'problem' || (level === 'warning' && !DURATION.test(message)),
    ),
    [],
    text,
  )
  assert.equal(code, 0)
}

interface Installation {
  readonly clickhouse: ExternalClickHouse
  readonly server: ServerProcess
  /** The environment of the server. */
  readonly env: Environment
  readonly sql: (statement: string) => Promise<string>
}

async function run(context: OpsContext): Promise<void> {
  const disk = mountSmallDisk(join(context.directory, 'disk'), DISK_MIB)
  const data = disk?.directory ?? join(context.directory, 'clickhouse')
  const clickhouse = await startExternalClickHouse(join(data, 'clickhouse'), { log: 2 })
  const env = {
    HEDDLE_CLICKHOUSE_URL: clickhouse.url,
    HEDDLE_DOCTOR_KEY: KEY,
    HEDDLE_DATA: join(context.directory, 'none'),
  }
  const server = await startServerProcess({
    data: env.HEDDLE_DATA,
    adminPassword: '',
    apiKey: KEY,
    clickhouseUrl: clickhouse.url,
    command: BUILT,
  })
  const sql = async (statement: string): Promise<string> => {
    const response = await fetch(`${clickhouse.url}/?database=heddle`, { method: 'POST', body: statement })
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return text.trim()
  }
  const installation = { clickhouse, server, env, sql }
  try {
    await checkHealthy(context, installation)
    await checkEnvironment(context, installation)
    await checkClickHouse(context, installation)
    if (disk === undefined)
      console.log('SKIP  doctor: a full disk, because a tmpfs cannot be mounted; run as root')
    else await checkDisk(context, installation, disk.directory)
    await checkOutage(context, installation)
  } finally {
    await server.stop()
    await clickhouse.stop()
    disk?.unmount()
  }
  await checkWithoutServer(context)
}

async function checkHealthy(context: OpsContext, { env, server, sql }: Installation): Promise<void> {
  await context.check('nothing is wrong with a healthy installation', async () => {
    const report = await examine(env, '--url', server.url)
    assertHealthy(report)
    const skipped = report.found.filter(({ level }) => level === 'skipped').map((finding) => finding.check)
    assert.deepEqual(skipped, ['memory', 'sdk environment'])
  })
  await context.check('the project of the check is deleted', async () => {
    const left = await sql(
      "SELECT countIf(deletion_started_at IS NULL) FROM projects FINAL WHERE project_id LIKE 'admin/doctor-%' FORMAT TSV",
    )
    assert.equal(left, '0')
  })
  await context.check('the exit code of the command is 0, and 1 with a problem', async () => {
    const [command, script] = BUILT
    const path = process.env['PATH'] ?? ''
    const args = [script, 'doctor', '--url', server.url]
    const healthy = await promisify(execFile)(command, args, { env: { PATH: path, ...env } })
    assert.match(healthy.stdout, /^ok +clickhouse connection: /m)
    await assert.rejects(
      promisify(execFile)(command, args, { env: { PATH: path, ...env, HEDDLE_DOCTOR_KEY: 'hd_wrong' } }),
      { code: 1, stderr: 'heddle: 1 problem found\n' },
    )
  })
}

async function checkEnvironment(context: OpsContext, { env, server }: Installation): Promise<void> {
  const url = ['--url', server.url] as const
  await context.check('an invalid API key is found', async () => {
    assertFound(
      await examine({ ...env, HEDDLE_DOCTOR_KEY: 'hd_wrong' }, ...url),
      'api key',
      /refuses the API key/,
    )
  })
  await context.check('a key of Heddle that an SDK would send elsewhere is found', async () => {
    assertFound(await examine({ ...env, WANDB_API_KEY: KEY }, ...url), 'sdk environment', /to api\.wandb\.ai/)
  })
  await context.check('wrong URLs and keys of an SDK are found', async () => {
    const traces = { ...env, WANDB_BASE_URL: `${server.url}/traces`, WANDB_API_KEY: KEY }
    assertFound(await examine(traces, ...url), 'sdk environment', /ends in \/traces/)
    const elsewhere = { ...env, WANDB_BASE_URL: 'http://127.0.0.1:9', WANDB_API_KEY: KEY }
    assertFound(await examine(elsewhere, ...url), 'sdk environment', /no trace server that responds/)
    const key = { ...env, WANDB_BASE_URL: server.url, WANDB_API_KEY: `${KEY}x`, HEDDLE_DOCTOR_KEY: KEY }
    assertFound(await examine(key, ...url), 'sdk environment', /would get 401/)
    assertHealthy(await examine({ ...env, WANDB_BASE_URL: server.url, WANDB_API_KEY: KEY }, ...url))
  })
  await context.check('a proxy for local addresses is found', async () => {
    const proxied = { ...env, HTTP_PROXY: 'http://proxy.example:3128', NO_PROXY: 'example.com' }
    assertFound(
      await examine(proxied, ...url),
      'proxy variables',
      /HTTP_PROXY sends requests for 127\.0\.0\.1/,
    )
    assertHealthy(await examine({ ...proxied, NO_PROXY: 'example.com,127.0.0.1' }, ...url))
  })
  await context.check('a misspelled setting is a warning', async () => {
    const { code, found } = await examine({ ...env, HEDDLE_DURABLITY: 'power' }, ...url)
    assert.equal(code, 0)
    assert.match(
      found.find(({ level }) => level === 'warning')?.message ?? '',
      /did you mean HEDDLE_DURABILITY/,
    )
  })
}

async function checkClickHouse(context: OpsContext, installation: Installation): Promise<void> {
  const { clickhouse, env, server, sql } = installation
  const url = ['--url', server.url] as const
  await context.check('a wrong password is found', async () => {
    const wrong = { ...env, HEDDLE_CLICKHOUSE_PASSWORD: 'wrong' }
    assertFound(await examine(wrong, ...url), 'clickhouse connection', /wrong user or password/)
  })
  await context.check('a slow connection to ClickHouse is found', async () => {
    const proxy = await startFaultProxy(clickhouse.url)
    proxy.delay(600)
    const slow = await examine({ ...env, HEDDLE_CLICKHOUSE_URL: proxy.url }, ...url)
    await proxy.stop()
    assertFound(slow, 'clickhouse connection', /responds in [6-9]\d\d ms/)
  })
  await context.check('a clock that differs is found', async () => {
    const front = await startShiftedClock(clickhouse.url, 3_600)
    const shifted = await examine({ ...env, HEDDLE_CLICKHOUSE_URL: front.url }, ...url)
    await front.stop()
    assertFound(shifted, 'clock', /differs by (?:3599|3600|3601)/)
  })
  await context.check('pending and newer migrations are found', async () => {
    const last = await sql('SELECT max(version) FROM schema_migrations FORMAT TSV')
    const row = await sql(`SELECT * FROM schema_migrations WHERE version = ${last} FORMAT JSONEachRow`)
    await sql(`ALTER TABLE schema_migrations DELETE WHERE version = ${last} SETTINGS mutations_sync = 1`)
    assertFound(await examine(env, ...url), 'migrations', /migrations are pending: \d{4}_/)
    await sql(`INSERT INTO schema_migrations FORMAT JSONEachRow ${row}`)
    assertHealthy(await examine(env, ...url))
    await sql("INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, 'future', 'x')")
    assertFound(await examine(env, ...url), 'migrations', /schema version 9999/)
    await sql('ALTER TABLE schema_migrations DELETE WHERE version = 9999 SETTINGS mutations_sync = 1')
  })
  await context.check('a part that ClickHouse could not load is found', async () => {
    const path = await sql(
      "SELECT data_paths[1] FROM system.tables WHERE database = 'heddle' AND name = 'calls' FORMAT TSV",
    )
    const detached = join(path, 'detached', 'broken-on-start_202611_1_1_0')
    mkdirSync(detached, { recursive: true })
    assertFound(
      await examine(env, ...url),
      'detached parts',
      /could not load the part calls\/broken-on-start/,
    )
    rmSync(detached, { recursive: true })
  })
  await context.check('too many parts are found', async () => {
    await sql('SYSTEM STOP MERGES heddle.key_uses')
    await sql(
      `INSERT INTO key_uses SELECT toString(number), now64(6) FROM numbers(310)
SETTINGS max_insert_block_size = 1, min_insert_block_size_rows = 1, min_insert_block_size_bytes = 0, max_block_size = 1, max_insert_threads = 1`,
    )
    assertFound(await examine(env, ...url), 'parts', /the table key_uses has 3\d\d parts/)
    await sql('TRUNCATE TABLE key_uses')
    await sql('SYSTEM START MERGES heddle.key_uses')
    assertHealthy(await examine(env, ...url))
  })
}

async function checkDisk(context: OpsContext, { env, server }: Installation, disk: string): Promise<void> {
  await context.check('a disk that is almost full is found', async () => {
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(2 ** 20))
    const chunk = Buffer.alloc(2 ** 20, 1)
    for (let mib = 1; mib < DISK_MIB * 0.92; mib++) writeFileSync(ballast, chunk, { flag: 'a' })
    const full = await examine(env, '--url', server.url)
    truncateSync(ballast)
    assertFound(full, 'disk', /free \([0-9] %\)/)
  })
}

async function checkOutage(context: OpsContext, installation: Installation): Promise<void> {
  const { clickhouse, env, server } = installation
  await context.check('a stopped ClickHouse is found, and that the server is not ready', async () => {
    await clickhouse.kill()
    const report = await examine(env, '--url', server.url)
    assertFound(report, 'clickhouse connection', /does not respond at 127\.0\.0\.1:\d+: .*ECONNREFUSED/)
    assertFound(report, 'server', /is not ready: ClickHouse does not respond/)
  })
  await context.check('a stopped server is found', async () => {
    await server.kill()
    const report = await examine(env, '--url', server.url)
    assertFound(report, 'server', /no server responds/)
    // ClickHouse is stopped too.
    const problems = report.found.filter(({ level }) => level === 'problem').map((finding) => finding.check)
    assert.deepEqual(problems, ['clickhouse connection', 'server'])
  })
}

async function checkWithoutServer(context: OpsContext): Promise<void> {
  const data = join(context.directory, 'embedded')
  const env = { HEDDLE_DATA: data, HEDDLE_PORT: '9' }
  await context.check('a data directory that does not exist is a problem, and is not created', async () => {
    assertFound(await examine(env), 'clickhouse connection', /the data directory .* does not exist/)
    const { HEDDLE_PORT } = env
    assertFound(await examine({ HEDDLE_PORT }, '--data', data), 'clickhouse connection', /does not exist/)
    assert.equal(existsSync(data), false)
  })
  const server = await startServerProcess({ data, adminPassword: '', apiKey: KEY, command: BUILT })
  await context.check('the server of a data directory is found, with embedded ClickHouse', async () => {
    const report = await examine({ HEDDLE_DATA: data, HEDDLE_INIT_API_KEY: KEY })
    assertHealthy(report)
    assert.match(report.text, /embedded ClickHouse responds/)
    assert.match(report.text, /a call is written in \d+ ms and read in \d+ ms/)
  })
  await server.stop()
  await context.check('without a running server the data directory is examined', async () => {
    const report = await examine(env)
    assertHealthy(report)
    assert.match(report.text, /the schema has version \d+; nothing is pending/)
  })
}
