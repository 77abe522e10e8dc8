import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServerProcess } from '../server-process.ts'
import { waitUntil } from '../wait-until.ts'
import { type ClickHouseAccess, embeddedAccess, query } from './backup/checksums.ts'
import type { OpsContext, OpsSuite } from './suite.ts'
import { storeUncompressed } from './uncompressed.ts'

/**
 * What retention and erasure delete is in no file of the data directory afterwards. All columns are stored without
 * compression for that (`CODEC(NONE)`), so that a search for bytes finds every text in every file.
 */
export const retention: OpsSuite = { name: 'retention', minutes: 0.7, run }

const API_KEY = 'hd_the-key-of-the-admin-of-the-retention-suite-0'
const AUTHORIZATION = `Basic ${Buffer.from(`api:${API_KEY}`).toString('base64')}`
const PROJECT = 'admin/bot'
const DOOMED = 'admin/doomed'
const DAY_MS = 86_400_000
const REMOVAL_MS = 120_000

/** Each text is written to several tables. The name says what happens to it. */
const TEXTS = {
  erasedUser: `user-${randomUUID()}`,
  erasedText: `erased-${randomBytes(30).toString('hex')}`,
  expired: `expired-${randomBytes(30).toString('hex')}`,
  tooOld: `old-${randomBytes(30).toString('hex')}`,
  doomed: `doomed-${randomBytes(30).toString('hex')}`,
  kept: `kept-${randomBytes(30).toString('hex')}`,
}

async function run(context: OpsContext): Promise<void> {
  const { directory } = context
  const check: OpsContext['check'] = (name, test) => context.check(name, test)
  const data = join(directory, 'data')
  const environment = { HEDDLE_RETENTION_INTERVAL_SECONDS: '0', HEDDLE_PROJECT_DELETION_DELAY_MS: '300' }
  const server = await startServerProcess({
    data,
    adminPassword: API_KEY,
    apiKey: API_KEY,
    command: [process.execPath, 'dist/main.js'],
    environment,
  })
  const clickhouse = await embeddedAccess(data)
  const post = (path: string, body: unknown): Promise<Record<string, unknown>> => send(server.url, path, body)
  const cli = async (...args: readonly string[]): Promise<string> => {
    const words = ['dist/main.js', ...args, '--data', data]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, {
      env: { ...process.env, ...environment },
    })
    return stdout + stderr
  }
  for (const table of await tables(clickhouse)) await storeUncompressed(clickhouse, table)
  await writeEverything(post)

  await check('before, a search of the files finds every text', async () => {
    const found = await textsInFiles(data)
    assert.deepEqual(found, Object.keys(TEXTS).sort())
  })

  await check('erasing a user returns a receipt, and the user is gone', async () => {
    const receipt = JSON.parse(await cli('erase', '--user', TEXTS.erasedUser, '--by', 'privacy team')) as {
      requested: { end_user_sha256: string }
      requested_by: string
      total_calls: number
      projects: { rows: Record<string, number> }[]
    }
    assert.equal(receipt.requested.end_user_sha256, sha256(TEXTS.erasedUser))
    assert.equal(receipt.requested_by, 'privacy team')
    assert.equal(receipt.total_calls, 2)
    const [project] = receipt.projects
    for (const table of ['calls', 'call_parts', 'call_ids', 'feedback', 'queue_items'])
      assert.ok((project?.rows[table] ?? 0) > 0, `no rows of ${table} were erased`)
  })
  await check('erasing a project returns a receipt', async () => {
    const receipt = JSON.parse(await cli('erase', '--project', DOOMED, '--yes')) as { total_calls: number }
    assert.equal(receipt.total_calls, 1)
    const list = await cli('erasures', 'list')
    assert.equal(list.trim().split('\n').length, 3)
  })
  await check('retention deletes what its preview counts', async () => {
    await cli('retention', 'set', PROJECT, '--payloads-age', '30d', '--calls-age', '90d')
    const preview = JSON.parse(await cli('retention', 'preview', PROJECT, '--json')) as { count: string }[]
    assert.deepEqual(
      preview.map(({ count }) => count),
      ['1', '1', '0'],
    )
    assert.match(await cli('retention', 'run'), /deleted 1 calls, and the payloads of 1 more/)
  })
  await check('after merges, only the kept text is in a file of the data directory', async () => {
    for (const table of await tables(clickhouse))
      await query(clickhouse, `OPTIMIZE TABLE heddle.${table} FINAL`)
    // ClickHouse removes replaced parts a little later.
    await waitUntil(async () => (await textsInFiles(data)).join() === 'kept', REMOVAL_MS)
  })
  await check('what stays can be read', async () => {
    const { calls } = (await post('/calls/query', { project_id: PROJECT })) as { calls: { id: string }[] }
    assert.deepEqual(calls.map(({ id }) => id).sort(), ['expired', 'kept'])
  })
  await server.stop()
  await check('a stopped server leaves no other text either', async () => {
    assert.deepEqual(await textsInFiles(data), ['kept'])
  })
}

type Post = (path: string, body: unknown) => Promise<Record<string, unknown>>

async function tables(access: ClickHouseAccess): Promise<string[]> {
  const list = `SELECT name FROM system.tables WHERE database = 'heddle' AND engine LIKE '%MergeTree'`
  return (await query<{ name: string }>(access, list)).map(({ name }) => name)
}

async function writeEverything(post: Post): Promise<void> {
  const start = (id: string, days: number, text: string, project_id = PROJECT, rest: object = {}) => ({
    project_id,
    id,
    trace_id: id,
    op_name: 'answer',
    started_at: new Date(Date.now() - days * DAY_MS).toISOString(),
    attributes: { note: text },
    inputs: { question: text },
    ...rest,
  })
  const end = (id: string, days: number, text: string, project_id = PROJECT) => ({
    project_id,
    id,
    ended_at: new Date(Date.now() - days * DAY_MS + 1_000).toISOString(),
    output: { answer: text },
    exception: `ValueError: ${text}`,
    summary: { usage: { 'gpt-4o': { prompt_tokens: 3 } }, text },
  })
  const write = async (id: string, days: number, text: string, project_id = PROJECT, rest: object = {}) => {
    // The end comes first, and a rename last: both go to the table of facts too.
    await post('/call/end', { end: end(id, days, text, project_id) })
    await post('/call/start', { start: start(id, days, text, project_id, rest) })
    await post('/call/update', { project_id, call_id: id, display_name: id })
  }
  const attributes = { user_id: TEXTS.erasedUser, note: TEXTS.erasedText }
  await write('erased', 1, TEXTS.erasedText, PROJECT, { attributes })
  await write('erased-child', 1, TEXTS.erasedText, PROJECT, { trace_id: 'erased', parent_id: 'erased' })
  const weave_ref = `weave:///${PROJECT}/call/erased-child`
  const payload = { text: TEXTS.erasedText }
  await post('/feedback/create', { project_id: PROJECT, weave_ref, feedback_type: 'custom', payload })
  const { id } = await post(`/api/v1/projects/${PROJECT}/queues`, { name: 'Review' })
  await post(`/api/v1/projects/${PROJECT}/queues/${String(id)}/items`, { call_ids: ['erased'] })
  await write('expired', 40, TEXTS.expired)
  await write('old', 100, TEXTS.tooOld)
  await write('kept', 1, TEXTS.kept)
  await write('doomed', 1, TEXTS.doomed, DOOMED)
  await post('/table/create', { table: { project_id: DOOMED, rows: [{ text: TEXTS.doomed }] } })
}

async function send(url: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: AUTHORIZATION },
  })
  const text = await response.text()
  assert.equal(response.status, 200, `${path}: ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}

/** The names of the texts that occur in any file below the directory. */
async function textsInFiles(directory: string): Promise<string[]> {
  const found = new Set<string>()
  for await (const path of filesBelow(directory)) {
    const bytes = (await unlessRemoved(readFile(path))) ?? Buffer.alloc(0)
    for (const [name, text] of Object.entries(TEXTS)) if (bytes.includes(text)) found.add(name)
  }
  return [...found].sort()
}

async function* filesBelow(directory: string): AsyncGenerator<string> {
  for (const entry of (await unlessRemoved(readdir(directory, { withFileTypes: true }))) ?? []) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

/** Undefined if ClickHouse has removed the file or directory. */
async function unlessRemoved<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
