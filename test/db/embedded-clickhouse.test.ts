import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryMemoryBytes } from '../../src/clickhouse/config.ts'
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from '../../src/clickhouse/embedded-clickhouse.ts'
import { machineLimits } from '../../src/clickhouse/machine-limits.ts'
import { findRunningClickHouse } from '../../src/clickhouse/running.ts'
import { assertsDuration } from '../duration.ts'

/** The embedded ClickHouse, in a temporary data directory. */
let directory = ''
let clickhouse: EmbeddedClickHouse

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-clickhouse-'))
  clickhouse = await startEmbeddedClickHouse({ directory })
})

afterAll(async () => {
  await clickhouse.stop()
  await rm(directory, { recursive: true, force: true })
})

interface StatementResult {
  readonly status: number
  readonly text: string
}

function execute(
  username: string,
  password: string,
  statement: string,
  agent: Agent | false = false,
): Promise<StatementResult> {
  const headers = { 'x-clickhouse-user': username, 'x-clickhouse-key': password }
  return new Promise((resolve, reject) => {
    request(clickhouse.url, { method: 'POST', headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
      .once('error', reject)
      .end(statement)
  })
}

const executeAsOwner = (statement: string, agent?: Agent) =>
  execute(clickhouse.username, clickhouse.password, statement, agent)

test('ClickHouse applies the memory, cache and thread limits of the machine or container', async () => {
  const { memoryBytes, cores } = machineLimits()
  const { text } = await executeAsOwner(
    "SELECT name, value FROM system.server_settings WHERE changed AND match(name, 'memory|cache_size|pool_size') FORMAT TSV",
  )
  const settings = new Map(text.split('\n').map((line) => line.split('\t') as [string, string]))
  expect(Number(settings.get('max_server_memory_usage'))).toBe(Math.floor(memoryBytes * 0.6))
  expect(Number(settings.get('index_mark_cache_size'))).toBeLessThan(memoryBytes / 10)
  expect(Number(settings.get('text_index_postings_cache_size'))).toBeLessThan(memoryBytes / 10)
  expect(Number(settings.get('background_pool_size'))).toBeGreaterThanOrEqual(2)
  const limits = await executeAsOwner("SELECT getSetting('max_threads'), getSetting('max_memory_usage')")
  expect(limits.text).toBe(`${cores}\t${queryMemoryBytes()}\n`)
})

/** The user without a password, in every way in which HTTP names a user. */
const PASSWORDLESS: readonly { readonly headers: Record<string, string>; readonly query: string }[] = [
  { headers: {}, query: '' },
  { headers: {}, query: '?user=default' },
  { headers: {}, query: '?user=default&password=' },
  { headers: { 'x-clickhouse-user': 'default' }, query: '' },
  { headers: { 'x-clickhouse-user': 'default', 'x-clickhouse-key': '' }, query: '' },
  { headers: { authorization: `Basic ${Buffer.from('default:').toString('base64')}` }, query: '' },
]

test('nobody can run a query without a password; only /ping responds', async () => {
  await executeAsOwner('CREATE TABLE default.secret (a String) ENGINE = MergeTree ORDER BY a')
  await executeAsOwner("INSERT INTO default.secret VALUES ('canary')")
  for (const statement of [
    'SELECT 1',
    'SELECT * FROM default.secret',
    'SYSTEM STOP LISTEN HTTP',
    'SHOW USERS',
  ]) {
    for (const { headers, query } of PASSWORDLESS) {
      const response = await fetch(`${clickhouse.url}/${query}`, { method: 'POST', headers, body: statement })
      expect([statement, query, headers, response.status]).toEqual([statement, query, headers, 404])
      expect(await response.text()).not.toContain('canary')
    }
  }
  for (const path of ['/?query=SELECT+1', '/play', '/dashboard', '/replicas_status', '/metrics', '/']) {
    const response = await fetch(clickhouse.url + path)
    expect([path, response.status, await response.text()]).toEqual([
      path,
      404,
      expect.stringContaining('no handle'),
    ])
  }
  const ping = await fetch(`${clickhouse.url}/ping`)
  expect([ping.status, await ping.text()]).toEqual([200, 'Ok.\n'])
  for (const username of [clickhouse.username, 'heddle_sql', 'heddle_sql_views'])
    expect([username, (await execute(username, '', 'SELECT 1')).status]).toEqual([username, 404])
  expect((await executeAsOwner('SELECT a FROM default.secret')).text).toBe('canary\n')
})

test('the user without a password can neither read files or tables nor stop ClickHouse', async () => {
  // Only a request that also has the password of Heddle's user can become this user.
  const credentials = Buffer.from(`${clickhouse.username}:${clickhouse.password}`).toString('base64')
  const attempts = [
    'SELECT * FROM default.secret',
    `SELECT * FROM file('${join(directory, 'clickhouse-users.xml')}', 'LineAsString', 'line String')`,
    "SELECT * FROM file('-', 'LineAsString', 'line String')",
    `SELECT * FROM url('${clickhouse.url}', 'LineAsString', 'line String')`,
    "INSERT INTO FUNCTION file('/tmp/heddle-canary', 'LineAsString', 'line String') VALUES ('x')",
    'SHOW DATABASES',
    'SELECT count() FROM system.tables',
    'SELECT query FROM system.processes',
    'SELECT name FROM system.users',
    'CREATE TABLE default.mine (a String) ENGINE = MergeTree ORDER BY a',
    'CREATE TEMPORARY TABLE mine (a String)',
    'SYSTEM STOP LISTEN HTTP',
    'SYSTEM SHUTDOWN',
    'KILL QUERY WHERE 1',
  ]
  for (const body of attempts) {
    const headers = { authorization: `Basic ${credentials}` }
    const response = await fetch(`${clickhouse.url}/?user=default`, { method: 'POST', headers, body })
    const text = await response.text()
    expect([body, response.status >= 400], text).toEqual([body, true])
    expect(text).not.toContain('canary')
  }
})

/** Every path in the directory, except those of ClickHouse itself, with its permissions and content. */
async function contents(path: string): Promise<Record<string, string>> {
  const entries = await Promise.all(
    (await readdir(path)).map(async (name) => {
      const { mode, mtimeMs } = await stat(join(path, name))
      const text = await readFile(join(path, name), 'utf8').catch(() => '')
      return [name, `${mode.toString(8)} ${mtimeMs} ${text}`] as const
    }),
  )
  return Object.fromEntries(entries)
}

test('its directory and the files in it are readable by their owner only', async () => {
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  for (const name of await readdir(directory))
    expect([name, (await stat(join(directory, name))).mode & 0o077]).toEqual([name, 0])
  expect(await readdir(directory)).toEqual(
    expect.arrayContaining([
      'clickhouse',
      'clickhouse.json',
      'clickhouse.xml',
      'clickhouse-users.xml',
      'lock',
    ]),
  )
  expect(await findRunningClickHouse(directory)).toMatchObject({ url: clickhouse.url, pid: clickhouse.pid })
})

test('a second ClickHouse on the same directory fails and changes nothing: another Heddle uses it', async () => {
  const before = await contents(directory)
  await expect(startEmbeddedClickHouse({ directory })).rejects.toThrow(
    /another Heddle server uses this data directory/,
  )
  expect(await contents(directory)).toEqual(before)
  expect((await executeAsOwner('SELECT 1')).text).toBe('1\n')
  expect(await findRunningClickHouse(directory)).toMatchObject({ pid: clickhouse.pid })
})

test('an existing directory loses the permissions of others, unless it contains files of others', async () => {
  for (const [foreign, mode] of [
    [undefined, 0o700],
    ['notes.txt', 0o755],
  ] as const) {
    const other = await mkdtemp(join(tmpdir(), 'heddle-clickhouse-'))
    await mkdir(join(other, 'clickhouse'))
    for (const name of [
      'clickhouse.xml',
      'credentials',
      'server.json',
      ...(foreign === undefined ? [] : [foreign]),
    ])
      await writeFile(join(other, name), '{}')
    for (const path of ['', 'clickhouse']) await chmod(join(other, path), 0o755)
    const warnings: string[] = []
    const started = await startEmbeddedClickHouse({ directory: other, warn: (text) => warnings.push(text) })
    await started.stop()
    expect((await stat(other)).mode & 0o777).toBe(mode)
    expect(warnings).toEqual(foreign === undefined ? [] : [expect.stringContaining('notes.txt')])
    for (const name of ['clickhouse', 'clickhouse.xml', 'credentials', 'clickhouse-users.xml'])
      expect([name, (await stat(join(other, name))).mode & 0o077]).toEqual([name, 0])
    await rm(other, { recursive: true, force: true })
  }
})

test(
  'it stops within 2 s after its last connection, and restarts with its data',
  assertsDuration,
  async () => {
    const agent = new Agent({ keepAlive: true })
    await Promise.all([executeAsOwner('SELECT 1', agent), executeAsOwner('SELECT 1', agent)])
    agent.destroy()
    const startedAt = performance.now()
    await clickhouse.stop()
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    await expect(readFile(join(directory, 'clickhouse.json'))).rejects.toThrow(/ENOENT/)
    expect(await findRunningClickHouse(directory)).toBeUndefined()
    clickhouse = await startEmbeddedClickHouse({ directory })
    expect((await executeAsOwner('SELECT a FROM default.secret')).text).toBe('canary\n')
  },
)

test('it exits when its parent is killed, and its directory can be used again', async () => {
  const other = await mkdtemp(join(tmpdir(), 'heddle-clickhouse-'))
  const module = new URL('../../src/clickhouse/embedded-clickhouse.ts', import.meta.url).href
  const script = `const { startEmbeddedClickHouse } = await import(${JSON.stringify(module)})
    const clickhouse = await startEmbeddedClickHouse({ directory: ${JSON.stringify(other)} })
    console.log(clickhouse.pid)`
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = Number(
    await new Promise((resolve) => parent.stdout.once('data', (data: Buffer) => resolve(data.toString()))),
  )
  parent.kill('SIGKILL')
  const deadline = Date.now() + 15_000
  while (isAlive(pid) && Date.now() < deadline) await new Promise((wait) => setTimeout(wait, 50))
  expect(isAlive(pid)).toBe(false)
  // Its state file is stale, and is ignored.
  expect(await findRunningClickHouse(other)).toBeUndefined()
  const again = await startEmbeddedClickHouse({ directory: other })
  await again.stop()
  await rm(other, { recursive: true, force: true })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
