import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiKeyIn, startTestServer, type TestServer, useServer } from '../harness.ts'
import { type CliResult, runCli } from '../run-cli.ts'

/** `heddle export` into files, and `heddle import heddle` into another server. */
const server = useServer()
const project_id = 'acme/demo'
const directory = mkdtempSync(join(tmpdir(), 'heddle-export-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function heddle(args: readonly string[], isTTY = false): Promise<CliResult> {
  const key = apiKeyIn(server.authorization)
  return runCli(args, { env: { HEDDLE_EXPORT_KEY: key, HEDDLE_IMPORT_TO_KEY: key }, isTTY })
}

const runExport = (out: string, ...args: string[]): Promise<CliResult> =>
  heddle(['export', project_id, '--from', server.url, '--out', join(directory, out), ...args])

beforeAll(async () => {
  const publish = async (object_id: string, val: unknown): Promise<string> => {
    const obj = { project_id, object_id, val }
    const { digest } = await server.post<{ digest: string }>('/obj/create', { obj })
    return `weave:///${project_id}/object/${object_id}:${digest}`
  }
  const form = new FormData()
  form.append('project_id', project_id)
  form.append('file', new Blob([new Uint8Array(600_000).fill(255)]), 'big')
  await server.send('/files/create', undefined, { method: 'POST', body: form })
  const scorer = await publish('scorer', { threshold: 0.5 })
  const rows = [{ q: 1, by: scorer }, { q: 2 }, { q: 1, by: scorer }]
  const table = await server.post<{ digest: string }>('/table/create', { table: { project_id, rows } })
  await server.post('/table/create', { table: { project_id, rows: [] } })
  const dataset = await publish('dataset', { rows: `weave:///${project_id}/table/${table.digest}` })
  for (let i = 0; i < 3; i++) await publish('prompt', { i })
  await server.post('/obj/delete', { project_id, object_id: 'prompt', digests: ['v1'] })
  // Publishing the oldest content again makes it the latest version.
  await publish('prompt', { i: 0 })
  const start = (n: number): object => ({
    project_id,
    id: `c${String(n).padStart(3, '0')}`,
    trace_id: 't',
    ...(n === 0 ? {} : { parent_id: 'c000' }),
    op_name: 'ask',
    started_at: new Date(Date.UTC(2026, 0, 31, 23, 59, 30 + n)).toISOString(),
    attributes: { env: 'test' },
    inputs: { dataset, n },
  })
  await server.post('/call/upsert_batch', {
    batch: Array.from({ length: 60 }, (_, n) => ({ mode: 'start', req: { start: start(n) } })),
  })
  for (let n = 1; n < 50; n++)
    await server.send(
      '/call/end',
      `{"end":{"project_id":"${project_id}","id":"c${String(n).padStart(3, '0')}","ended_at":"2026-02-02T00:00:00.123456Z","output":{"n":1.0,"big":12345678901234567890},"summary":{"usage":{},"weave":{"mine":1}},"exception":${n === 7 ? '"=bad"' : 'null'}}}`,
    )
  await server.post('/call/update', { project_id, call_id: 'c003', display_name: 'Third' })
  await server.post('/calls/delete', { project_id, call_ids: ['c009'] })
  for (let n = 0; n < 5; n++)
    await server.post('/feedback/create', {
      project_id,
      weave_ref: `weave:///${project_id}/call/c00${n}`,
      feedback_type: 'custom',
      payload: { n },
    })
})

/** Everything that a server exports, without the fields that must differ: user and creation time. */
async function contents(testServer: TestServer): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const what of ['files', 'tables', 'objects', 'calls', 'feedback']) {
    const { text } = await testServer.send(`/api/v1/projects/${project_id}/export?what=${what}`)
    found[what] = text
      .split('\n')
      .map((line) => line.replace(/"created_at":"[^"]*"/, '').replace(/"wb_user_id":(?:"[^"]*"|null)/, ''))
      .toSorted()
  }
  return found
}

describe.each(['jsonl', 'parquet'])('as %s', (format) => {
  let other: TestServer
  beforeAll(async () => {
    other = await startTestServer()
  })
  afterAll(async () => {
    await other.stop()
  })

  test('an export imported into another server has the same content', { timeout: 180_000 }, async () => {
    const exported = await runExport(format, '--format', format, '--rows', '25')
    expect([exported.code, exported.stderr.replaceAll(/\w+: \d+ of \d+\n/g, '')]).toEqual([0, ''])
    expect(exported.stdout).toContain('  calls     59 rows')
    expect(readdirSync(join(directory, format)).filter((name) => name.startsWith('calls'))).toEqual(
      [1, 2, 3].map((n) => `calls-00000${n}.${format}`),
    )
    const args = ['--to', other.url, '--state', join(directory, `${format}.state`), '--json']
    const imported = await heddle(['import', 'heddle', join(directory, format), ...args])
    expect([imported.code, imported.stderr.replaceAll(/^\{"phase":.*\}\n/gm, '')]).toEqual([0, ''])
    const report = JSON.parse(imported.stdout) as Record<string, unknown>
    expect(report).toMatchObject({
      is_complete: true,
      counts: {
        files: { from: 2, to: 2 },
        tables: { from: 4, to: 4 },
        objects: { from: 4, to: 4 },
        calls: { from: 59, to: 59 },
        feedback: { from: 5, to: 5 },
      },
      // One file, two tables, four versions.
      digests: { equal: 7, renamed: 0 },
      problems: [],
    })
    expect(await contents(other)).toEqual(await contents(server))
    const again = await heddle(['import', 'heddle', join(directory, format), ...args])
    expect(again.code).toBe(0)
    expect(await contents(other)).toEqual(await contents(server))
  })
})

test(
  'an interrupted export resumes after its last file, with the same result as an uninterrupted one',
  { timeout: 60_000 },
  async () => {
    const whole = await runExport('whole', '--what', 'calls', '--rows', '10')
    expect(whole.code).toBe(0)
    await runExport('cut', '--what', 'calls', '--rows', '10')
    const manifest = join(directory, 'cut', 'export.jsonl')
    const known = readFileSync(manifest, 'utf8').split('\n')
    // State after a kill: three complete files, a partial manifest line and a partial file.
    writeFileSync(manifest, `${known.slice(0, 4).join('\n')}\n${known[4]?.slice(0, 20)}`)
    for (const name of readdirSync(join(directory, 'cut')).filter((each) => /00000[56]/.test(each)))
      rmSync(join(directory, 'cut', name))
    writeFileSync(join(directory, 'cut', 'calls-000004.jsonl.part'), 'half')
    rmSync(join(directory, 'cut', 'calls-000004.jsonl'))
    const rejected = await runExport('cut', '--what', 'calls', '--rows', '10')
    expect([rejected.code, rejected.stderr]).toEqual([
      1,
      expect.stringContaining('continue it with --resume'),
    ])
    const unfinished = await heddle(['import', 'heddle', join(directory, 'cut'), '--to', server.url])
    expect([unfinished.code, unfinished.stderr]).toEqual([1, expect.stringContaining('is incomplete')])
    const resumed = await runExport('cut', '--what', 'calls', '--rows', '10', '--resume')
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('59 rows')])
    for (const name of readdirSync(join(directory, 'whole')))
      expect([name, readFileSync(join(directory, 'cut', name), 'utf8')]).toEqual([
        name,
        readFileSync(join(directory, 'whole', name), 'utf8'),
      ])
    expect(existsSync(join(directory, 'cut', 'calls-000004.jsonl.part'))).toBe(false)
  },
)

test('a terminal shows a progress bar; a filter limits the export', async () => {
  const args = ['export', project_id, '--from', server.url, '--out', join(directory, 'bar')]
  const filterArgs = ['--what', 'calls', '--filter', '{"call_ids":["c001","c002"]}']
  const { code, stdout, stderr } = await heddle([...args, ...filterArgs], true)
  expect([code, stdout]).toEqual([0, expect.stringContaining('calls     2 rows')])
  expect(stderr).toMatch(/calls {4}█+ 100 % {2}2 of 2/)
})

test('a file that changed after the export is not imported', async () => {
  await runExport('changed', '--what', 'feedback')
  writeFileSync(join(directory, 'changed', 'feedback-000001.jsonl'), '{}\n')
  const { code, stderr } = await heddle(['import', 'heddle', join(directory, 'changed'), '--to', server.url])
  expect([code, stderr]).toEqual([1, expect.stringContaining('its SHA-256 differs')])
})

test('a project that does not exist is not exported', async () => {
  const out = join(directory, 'misspelled')
  const { code, stderr } = await heddle(['export', 'acme/dmeo', '--from', server.url, '--out', out])
  expect([code, stderr]).toEqual([1, 'heddle: there is no project acme/dmeo; did you mean acme/demo?\n'])
  expect(existsSync(out)).toBe(false)
})

test('invalid arguments are reported', async () => {
  const cases: [string[], number, RegExp][] = [
    [['export'], 2, /missing argument <ENTITY\/PROJECT>/],
    [['export', 'acme'], 2, /must have the form entity\/project/],
    [['export', 'a/b'], 2, /missing option --out DIR/],
    [['export', 'a/b', '--what', 'x'], 2, /--what must be one of calls/],
    [['export', 'a/b', '--filter', '{}'], 2, /--filter needs --what/],
    [['export', 'a/b', '--format', 'xlsx'], 2, /--format must be/],
    [['export', 'a/b', '--rows', '0'], 2, /--rows must be above 0/],
    [['import', 'heddle', directory], 1, /contains no export/],
  ]
  for (const [args, code, message] of cases) {
    const outcome = await heddle(args)
    expect([args, outcome.code, outcome.stderr]).toEqual([args, code, expect.stringMatching(message)])
  }
})
