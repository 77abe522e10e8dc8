import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from '../../src/clickhouse/embedded-clickhouse.ts'
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

test('other users of this machine can neither read files or tables nor stop ClickHouse', async () => {
  await executeAsOwner('CREATE TABLE default.secret (a String) ENGINE = MergeTree ORDER BY a')
  await executeAsOwner("INSERT INTO default.secret VALUES ('canary')")
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
  for (const statement of attempts) {
    const response = await execute('default', '', statement)
    expect([statement, response.status >= 400], response.text).toEqual([statement, true])
    expect(response.text).not.toContain('canary')
  }
  expect((await execute(clickhouse.username, '', 'SELECT 1')).status).not.toBe(200)
  expect((await executeAsOwner('SELECT a FROM default.secret')).text).toBe('canary\n')
})

test('its directory and its config and state files are readable by their owner only', async () => {
  expect((await stat(join(directory, 'clickhouse'))).mode & 0o077).toBe(0)
  for (const file of ['clickhouse.json', 'clickhouse.xml', 'clickhouse-users.xml']) {
    expect([file, (await stat(join(directory, file))).mode & 0o077]).toEqual([file, 0])
  }
  expect(await findRunningClickHouse(directory)).toMatchObject({ url: clickhouse.url, pid: clickhouse.pid })
})

test('a second ClickHouse on the same directory fails: another Heddle uses it', async () => {
  await expect(startEmbeddedClickHouse({ directory })).rejects.toThrow(
    /another Heddle server uses this data directory/,
  )
  expect((await executeAsOwner('SELECT 1')).text).toBe('1\n')
  expect(await findRunningClickHouse(directory)).toMatchObject({ pid: clickhouse.pid })
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
