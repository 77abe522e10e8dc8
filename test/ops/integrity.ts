import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { executeIn } from './embedded.ts'
import type { OpsContext, OpsSuite } from './suite.ts'

/** Lost data is noticed: parts that embedded ClickHouse cannot load, as files of its data directory are damaged. */
export const integrity: OpsSuite = { name: 'integrity', minutes: 0.6, run }

const COMMAND = [process.execPath, 'dist/main.js'] as const
const API_KEY = 'hd_the-key-of-the-admin-of-the-integrity-suite-0'
const AUTHORIZATION = `Basic ${Buffer.from(`api:${API_KEY}`).toString('base64')}`
/** One partition of `calls` each, so that each has a part of its own. */
const MONTHS = ['2026-07', '2026-08', '2026-09'] as const
const CALLS_PER_MONTH = 100

async function run(context: OpsContext): Promise<void> {
  const { directory } = context
  const check: OpsContext['check'] = (name, test) => context.check(name, test)
  const data = join(directory, 'data')
  const logFile = join(directory, 'log')
  const start = (environment: Record<string, string> = {}): Promise<ServerProcess> =>
    startServerProcess({
      data,
      adminPassword: API_KEY,
      apiKey: API_KEY,
      logFile,
      command: COMMAND,
      environment: { HEDDLE_LOG_LEVEL: 'warn', ...environment },
    })
  const logged = (): Promise<string> => readFile(logFile, 'utf8')
  const cli = (...args: readonly string[]): { code: number | null; stdout: string; stderr: string } => {
    const result = spawnSync(process.execPath, ['dist/main.js', ...args, '--data', data], {
      encoding: 'utf8',
    })
    return { code: result.status, stdout: result.stdout, stderr: result.stderr }
  }

  let server = await start()
  for (const month of MONTHS) await writeCalls(server.url, month)
  await check('a server with all parts is ready and has no detached parts', async () => {
    assert.equal((await readiness(server.url)).status, 200)
    assert.deepEqual(await detachedParts(server.url), [])
    assert.equal(await countCalls(server.url), MONTHS.length * CALLS_PER_MONTH)
  })
  const calls = await tableDirectory(data, 'calls')
  await server.stop()

  const july = await partOf(calls, '202607')
  await truncate(join(calls, july, 'data.bin'), 100)
  server = await start()
  await check('a part with a truncated file makes the server unready, with a remedy', async () => {
    const { status, text } = await readiness(server.url)
    assert.equal(status, 503)
    assert.match(text, new RegExp(`data is missing.*calls/broken-on-start_${july}`))
    assert.match(text, /heddle parts drop/)
    assert.match(text, /HEDDLE_ALLOW_DETACHED_PARTS/)
  })
  await check('the rest of the data is served, and the metric counts the part', async () => {
    assert.equal(await countCalls(server.url), (MONTHS.length - 1) * CALLS_PER_MONTH)
    assert.deepEqual(await detachedParts(server.url), ['{table="calls",reason="broken-on-start"} 1'])
  })
  await check('the log has the errors of ClickHouse and the message of Heddle', async () => {
    const lines = (await logged()).split('\n').filter((line) => line.includes(july))
    const messages = lines.map((line) => (JSON.parse(line) as { level: number; msg: string }).msg)
    assert.ok(
      messages.some((text) => /^ClickHouse: .*data\.bin has unexpected size: 100/.test(text)),
      lines.join('\n'),
    )
    assert.ok(messages.some((text) => text.startsWith('data is missing: ClickHouse could not load a part')))
  })
  await check('`heddle parts` lists the part; deleting it makes the running server ready', async () => {
    const listed = JSON.parse(cli('parts', 'list', '--json').stdout) as Record<string, unknown>[]
    assert.equal(listed.length, 1)
    assert.deepEqual([listed[0]?.['part'], listed[0]?.['data_lost']], [`calls/broken-on-start_${july}`, true])
    assert.equal(cli('parts', 'drop', 'calls/no_such_part').code, 2)
    assert.equal(cli('parts', 'drop', `calls/broken-on-start_${july}`).code, 0)
    await new Promise((resolve) => setTimeout(resolve, 600))
    assert.equal((await readiness(server.url)).status, 200)
    assert.deepEqual(await readdir(join(calls, 'detached')), [])
  })
  await server.stop()

  const [august, september] = [await partOf(calls, '202608'), await partOf(calls, '202609')]
  await rm(join(calls, august, 'columns.txt'))
  await rm(
    join(
      calls,
      september,
      (await readdir(join(calls, september))).find((file) => file.startsWith('data.c'))!,
    ),
  )
  server = await start({ HEDDLE_ALLOW_DETACHED_PARTS: `calls/broken-on-start_${august}` })
  await check('parts with missing files are noticed; an accepted one does not hide another', async () => {
    const { status, text } = await readiness(server.url)
    assert.equal(status, 503)
    assert.match(text, new RegExp(`a part.*calls/broken-on-start_${september}`))
    assert.doesNotMatch(text, new RegExp(august))
  })
  await server.stop()
  server = await start({
    HEDDLE_ALLOW_DETACHED_PARTS: `calls/broken-on-start_${august}, calls/broken-on-start_${september}`,
  })
  await check('a server with accepted parts only is ready, and the log still names them', async () => {
    assert.equal((await readiness(server.url)).status, 200)
    assert.match(await logged(), /HEDDLE_ALLOW_DETACHED_PARTS accepts the loss/)
    assert.deepEqual(await detachedParts(server.url), ['{table="calls",reason="broken-on-start"} 2'])
    assert.equal(await countCalls(server.url), 0)
  })
  assert.equal(cli('parts', 'drop', '--all').code, 0)

  await writeCalls(server.url, '2026-10')
  const october = await partOf(calls, '202610')
  await executeIn(data, `ALTER TABLE heddle.calls DETACH PARTITION ID '202610'`)
  await mkdir(join(calls, 'detached', 'a-copy-made-by-hand'))
  await rename(join(calls, 'detached', october), join(calls, 'detached', `ignored_${october}`))
  await server.stop()
  server = await start()
  await check('detached parts that mean no loss are counted and do not matter', async () => {
    assert.equal((await readiness(server.url)).status, 200)
    assert.deepEqual(await detachedParts(server.url), [
      '{table="calls",reason="ignored"} 1',
      '{table="calls",reason="other"} 1',
    ])
  })
  await writeCalls(server.url, '2026-11')
  await executeIn(data, 'ALTER TABLE heddle.calls MODIFY SETTING max_suspicious_broken_parts = 0')
  await server.stop()
  await truncate(join(calls, await partOf(calls, '202611'), 'data.bin'), 100)
  await check('with more broken parts than ClickHouse accepts, a start fails with a remedy', () => {
    const { code, stderr } = cli('serve', '--port', '0')
    assert.equal(code, 1)
    assert.match(stderr, /ClickHouse refuses to start.*restore a backup/)
  })
}

async function writeCalls(url: string, month: string): Promise<void> {
  const batch = Array.from({ length: CALLS_PER_MONTH }, (_, n) => ({
    project_id: 'acme/demo',
    id: `${month}-${n}`,
    trace_id: `${month}-${n}`,
    op_name: 'answer',
    started_at: `${month}-10T00:00:00Z`,
    ended_at: `${month}-10T00:00:01Z`,
    attributes: {},
    inputs: { question: `question ${n} of ${month}` },
    output: 'yes',
    summary: {},
  }))
  const body = JSON.stringify({ batch })
  const response = await fetch(`${url}/v2/acme/demo/calls/complete`, {
    method: 'POST',
    headers: { authorization: AUTHORIZATION },
    body,
  })
  assert.equal(response.status, 200, await response.text())
}

async function countCalls(url: string): Promise<number> {
  const response = await fetch(`${url}/calls/query_stats`, {
    method: 'POST',
    headers: { authorization: AUTHORIZATION },
    body: JSON.stringify({ project_id: 'acme/demo' }),
  })
  return ((await response.json()) as { count: number }).count
}

async function readiness(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/readyz`)
  return { status: response.status, text: await response.text() }
}

/** Labels and values of the metric. */
async function detachedParts(url: string): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const name = 'heddle_clickhouse_detached_parts'
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return lines.map((line) => line.slice(name.length)).sort()
}

async function tableDirectory(data: string, table: string): Promise<string> {
  const [path = ''] = (
    await executeIn(
      data,
      `SELECT data_paths[1] FROM system.tables WHERE database = 'heddle' AND name = '${table}'`,
    )
  ).split('\n')
  return path
}

/** The name of the only part of a partition. */
async function partOf(directory: string, partition: string): Promise<string> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(`${partition}_`))
  assert.equal(names.length, 1, `${partition} has the parts ${names.join(', ')}`)
  return names[0]!
}
