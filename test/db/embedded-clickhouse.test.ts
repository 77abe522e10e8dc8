import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Engine, startEmbeddedClickHouse } from '../../src/clickhouse/embedded-clickhouse.ts'
import { findRunning } from '../../src/clickhouse/running.ts'

/** The built-in engine itself, in a directory of its own. */
let directory = ''
let engine: Engine

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-engine-'))
  engine = await startEmbeddedClickHouse({ directory })
})

afterAll(async () => {
  await engine.stop()
  await rm(directory, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly text: string
}

function ask(
  username: string,
  password: string,
  statement: string,
  agent: Agent | false = false,
): Promise<Answer> {
  const headers = { 'x-clickhouse-user': username, 'x-clickhouse-key': password }
  return new Promise((settle, reject) => {
    request(engine.url, { method: 'POST', headers, agent }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.once('end', () => settle({ status: answer.statusCode ?? 0, text }))
    })
      .once('error', reject)
      .end(statement)
  })
}

const own = (statement: string, agent?: Agent) => ask(engine.username, engine.password, statement, agent)

test('whoever else is on this machine reads neither files nor tables, and cannot stop the engine', async () => {
  await own('CREATE TABLE default.secret (a String) ENGINE = MergeTree ORDER BY a')
  await own("INSERT INTO default.secret VALUES ('canary')")
  const attempts = [
    'SELECT * FROM default.secret',
    `SELECT * FROM file('${join(directory, 'engine-users.xml')}', 'LineAsString', 'line String')`,
    "SELECT * FROM file('-', 'LineAsString', 'line String')",
    `SELECT * FROM url('${engine.url}', 'LineAsString', 'line String')`,
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
    const answer = await ask('default', '', statement)
    expect([statement, answer.status >= 400], answer.text).toEqual([statement, true])
    expect(answer.text).not.toContain('canary')
  }
  expect((await ask(engine.username, '', 'SELECT 1')).status).not.toBe(200)
  expect((await own('SELECT a FROM default.secret')).text).toBe('canary\n')
})

test('its directory and the file that tells where it runs are for their owner alone', async () => {
  expect((await stat(join(directory, 'clickhouse'))).mode & 0o077).toBe(0)
  for (const file of ['engine.json', 'engine.xml', 'engine-users.xml']) {
    expect([file, (await stat(join(directory, file))).mode & 0o077]).toEqual([file, 0])
  }
  expect(await findRunning(directory)).toMatchObject({ url: engine.url, pid: engine.pid })
})

test('a second engine on the same directory says that another Heddle uses it', async () => {
  await expect(startEmbeddedClickHouse({ directory })).rejects.toThrow(
    /another Heddle uses this data directory/,
  )
  expect((await own('SELECT 1')).text).toBe('1\n')
  expect(await findRunning(directory)).toMatchObject({ pid: engine.pid })
})

test('it stops within 2 s of its last connection, and starts again with its data', async () => {
  const agent = new Agent({ keepAlive: true })
  await Promise.all([own('SELECT 1', agent), own('SELECT 1', agent)])
  agent.destroy()
  const startedAt = performance.now()
  await engine.stop()
  expect(performance.now() - startedAt).toBeLessThan(2_000)
  await expect(readFile(join(directory, 'engine.json'))).rejects.toThrow(/ENOENT/)
  expect(await findRunning(directory)).toBeUndefined()
  engine = await startEmbeddedClickHouse({ directory })
  expect((await own('SELECT a FROM default.secret')).text).toBe('canary\n')
})

test('it ends when its parent is killed, and its directory can be used again', async () => {
  const other = await mkdtemp(join(tmpdir(), 'heddle-engine-'))
  const module = new URL('../../src/clickhouse/embedded-clickhouse.ts', import.meta.url).href
  const script = `const { startEngine } = await import(${JSON.stringify(module)})
    const engine = await startEngine({ directory: ${JSON.stringify(other)} })
    console.log(engine.pid)`
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = Number(
    await new Promise((settle) => parent.stdout.once('data', (data: Buffer) => settle(data.toString()))),
  )
  parent.kill('SIGKILL')
  const deadline = Date.now() + 15_000
  while (isAlive(pid) && Date.now() < deadline) await new Promise((wait) => setTimeout(wait, 50))
  expect(isAlive(pid)).toBe(false)
  // Its note is stale, and ignored.
  expect(await findRunning(other)).toBeUndefined()
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
