import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from '../run-cli.ts'

/** Starts and commands that must fail: with the cause and what to do, and before they change anything. */
let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-starts-'))
})

afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HEDDLE_')))
const isRoot = process.geteuid?.() === 0

const heddle = (...args: string[]) => runCli([...args, '--data', directory], { env })

test.skipIf(!isRoot)('commands and servers refuse a data directory of another user', async () => {
  await chown(directory, 65_534, 65_534)
  const { mtimeMs } = await stat(directory)
  for (const args of [
    ['users', 'create', 'ada', '--no-password'],
    ['migrate', '--plan'],
    ['restore', '--target', tmpdir(), '--drop', 'heddle_before_1'],
    ['serve', '--port', '0'],
  ]) {
    const { code, stderr } = await heddle(...args)
    expect([args, code, stderr]).toEqual([
      args,
      1,
      expect.stringMatching(
        /^heddle: permission denied: .* belongs to .*65534.* root .*`sudo -u .*`chown -R/m,
      ),
    ])
  }
  const doctor = await heddle('doctor')
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(/^PROBLEM .*permission denied/m)])
  expect(await readdir(directory)).toEqual([])
  expect((await stat(directory)).mtimeMs).toBe(mtimeMs)
})

/** Of `nobody` on most systems. */
const OTHER = { uid: 65_534, gid: 65_534 }
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Runs a command as another user, with this checkout. */
function asOther(...args: string[]) {
  const words = ['--import', import.meta.resolve('tsx'), MAIN, ...args]
  return spawnSync(process.execPath, words, { ...OTHER, cwd: '/', env, encoding: 'utf8' })
}

const canBeOther = isRoot && asOther('version').status === 0

test.skipIf(!canBeOther)('files of another user are named, in one sentence with a remedy', async () => {
  const expected = (path: string) =>
    new RegExp(
      `^heddle: permission denied: ${join(directory, path)} belongs to the user root .*65534.*\\\`sudo chown -R \\S+ ${directory}\\\`\\n$`,
    )
  await mkdir(join(directory, 'clickhouse'), { mode: 0o755 })
  for (const path of ['', 'clickhouse']) await chown(join(directory, path), OTHER.uid, OTHER.gid)
  // ClickHouse itself says nothing about a directory that it may not read.
  await mkdir(join(directory, 'clickhouse', 'metadata'), { mode: 0o700 })
  const start = asOther('users', 'list', '--data', directory)
  expect([start.status, start.stderr]).toEqual([1, expect.stringMatching(expected('clickhouse/metadata'))])
  await rm(join(directory, 'clickhouse', 'metadata'), { recursive: true })
  await chown(join(directory, 'clickhouse.xml'), 0, 0)
  expect(asOther('users', 'list', '--data', directory).stderr).toMatch(expected('clickhouse.xml'))
})

test('a bucket that ClickHouse rejects is named with its settings', async () => {
  const s3 = {
    HEDDLE_BACKUP_TARGET: 's3://hb/x',
    HEDDLE_BACKUP_S3_ENDPOINT: 'http://127.0.0.1:9',
    HEDDLE_BACKUP_S3_ACCESS_KEY_ID: 'a',
    HEDDLE_BACKUP_S3_SECRET_ACCESS_KEY: 'b',
  }
  const { code, stderr } = await runCli(['users', 'list', '--data', directory], { env: { ...env, ...s3 } })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^heddle: ClickHouse rejects the bucket .*'hb'.*HEDDLE_BACKUP_TARGET.*\n$/),
  ])
})

test('a wrong port or number of processes is refused before anything is created', async () => {
  const data = join(directory, 'data')
  const serve = (...args: string[]) => runCli(['serve', '--data', data, ...args], { env })
  const usage: [string[], RegExp][] = [
    [['--port', '99999'], /--port must be at most 65535, not 99999; usage/],
    [['--workers', '0'], /--workers must be at least 1, not 0; usage/],
  ]
  for (const [args, message] of usage) {
    const { code, stderr } = await serve(...args)
    expect([args, code, stderr]).toEqual([args, 2, expect.stringMatching(message)])
  }
  const variable = await runCli(['serve', '--data', data], { env: { ...env, HEDDLE_WORKERS: '0' } })
  expect([variable.code, variable.stderr]).toEqual([1, 'heddle: HEDDLE_WORKERS must be at least 1, not 0\n'])
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await serve('--port', String(port))
  other.close()
  expect([code, stderr]).toEqual([1, `heddle: port ${port} is in use; choose another with --port\n`])
  expect(await readdir(directory)).toEqual([])
})

test('a signal ends a start that waits for ClickHouse', async () => {
  // Accepts connections and never responds.
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const connected = once(silent, 'connection')
  const words = [
    '--import',
    'tsx',
    MAIN,
    'serve',
    '--port',
    '0',
    '--clickhouse-url',
    `http://127.0.0.1:${port}`,
  ]
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const exited = once(child, 'close') as Promise<[number]>
  await Promise.race([connected, exited])
  const sentMs = performance.now()
  child.kill('SIGTERM')
  const [code] = await exited
  silent.close()
  expect([code, stderr]).toEqual([0, expect.stringContaining('stopped before the start was complete')])
  // A request would be retried for 25 s.
  expect(performance.now() - sentMs).toBeLessThan(15_000)
})

test('a start without ClickHouse says what to check, not that a request should be repeated', async () => {
  const { code, stderr } = await runCli(['serve', '--port', '0', '--clickhouse-url', 'http://127.0.0.1:9'], {
    env: { ...env, HEDDLE_RETRY_WINDOW_MS: '100', HEDDLE_LOG_LEVEL: 'silent' },
  })
  expect([code, stderr]).toEqual([
    1,
    'heddle: ClickHouse does not respond at 127.0.0.1:9; check HEDDLE_CLICKHOUSE_URL, the network, and that it is running\n',
  ])
})
