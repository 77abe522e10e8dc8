import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiKeyIn, useServer } from '../harness.ts'
import { runCli } from '../run-cli.ts'

/** `heddle import weave` of a small project. Large projects, and imports with `kill -9`, are in test/import. */
const server = useServer()
const project_id = 'acme/demo'
const moved = 'acme/moved'
const directory = mkdtempSync(join(tmpdir(), 'heddle-import-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

interface Outcome {
  readonly code: number
  readonly lines: string[]
  readonly stderr: string
}

async function runImport(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const key = apiKeyIn(server.authorization)
  const { code, stdout, stderr } = await runCli(['import', 'weave', ...args], {
    env: { HEDDLE_IMPORT_FROM_KEY: key, HEDDLE_IMPORT_TO_KEY: key, ...env },
  })
  return { code, lines: stdout.trim().split('\n'), stderr }
}

const state = () => join(directory, 'state')
const serverArgs = () => ['--from', server.url, '--to', `${server.url}/traces/`, '--state', state()]
const runMove = () => runImport([...serverArgs(), '--project', project_id, '--to-project', moved, '--json'])

const publish = async (object_id: string, val: unknown): Promise<string> => {
  const { digest } = await server.post<{ digest: string }>('/obj/create', {
    obj: { project_id, object_id, val },
  })
  return `weave:///${project_id}/object/${object_id}:${digest}`
}

let dataset = ''

beforeAll(async () => {
  const scorer = await publish('scorer', { threshold: 0.5 })
  const rows = [{ q: 1, by: scorer }, { q: 2 }, { q: 1, by: scorer }]
  const table = await server.post<{ digest: string }>('/table/create', { table: { project_id, rows } })
  dataset = await publish('dataset', { rows: `weave:///${project_id}/table/${table.digest}` })
  await publish('evaluation', { dataset, scorers: [scorer] })
  for (let i = 0; i < 3; i++) await publish('prompt', { i })
  await server.post('/obj/delete', { project_id, object_id: 'prompt', digests: ['v1'] })
  await publish('prompt', { i: 0 })
  const start = (id: string) => ({
    project_id,
    id,
    trace_id: 't',
    op_name: 'ask',
    started_at: '2026-01-01T00:00:00.000001Z',
    attributes: {},
    inputs: { dataset, one: 1 },
  })
  await server.post('/call/upsert_batch', {
    batch: ['ended', 'running'].map((id) => ({ mode: 'start', req: { start: start(id) } })),
  })
  await server.post('/call/end', {
    end: { project_id, id: 'ended', ended_at: '2026-01-01T00:00:01Z', output: dataset, summary: { mine: 1 } },
  })
  await server.post('/feedback/create', {
    project_id,
    weave_ref: `weave:///${project_id}/call/ended`,
    feedback_type: 'wandb.note.1',
    payload: { note: 'good' },
  })
})

test('under another project name, refs point to the copies: in objects, tables and rows', async () => {
  const outcome = await runMove()
  expect(outcome.stderr.replaceAll(/^\{"phase":.*\}\n/gm, '')).toBe('')
  expect(outcome.code).toBe(0)
  const report = JSON.parse(outcome.lines.join('\n')) as Record<string, unknown>
  expect(report).toMatchObject({
    is_complete: true,
    counts: { calls: { from: 2, to: 2 }, objects: { from: 5, to: 5 }, feedback: { from: 1, to: 1 } },
    // The dataset, its table and the evaluation contain refs; the other three versions do not.
    digests: { equal: 3, renamed: 3 },
    problems: [],
  })
  const { call } = await server.post<{ call: { inputs: { dataset: string }; output: string } }>(
    '/call/read',
    {
      project_id: moved,
      id: 'ended',
    },
  )
  expect(call.inputs.dataset).toMatch(/^weave:\/\/\/acme\/moved\/object\/dataset:/)
  expect(call.output).toBe(call.inputs.dataset)
  const { objs } = await server.post<{ objs: { val: { dataset: string; scorers: string[] } }[] }>(
    '/objs/query',
    {
      project_id: moved,
      filter: { object_ids: ['evaluation'] },
    },
  )
  expect(objs[0]?.val.dataset).toBe(call.inputs.dataset)
  const { vals } = await server.post<{ vals: [{ rows: string }] }>('/refs/read_batch', {
    refs: [objs[0]?.val.dataset],
  })
  const { rows } = await server.post<{ rows: { digest: string; val: object }[] }>('/table/query', {
    project_id: moved,
    digest: vals[0].rows.split('/').at(-1),
  })
  const scorer = objs[0]?.val.scorers[0]
  expect(rows.map((row) => row.val)).toEqual([{ q: 1, by: scorer }, { q: 2 }, { q: 1, by: scorer }])
  const row = await server.post('/refs/read_batch', {
    refs: [`${objs[0]?.val.dataset}/attr/rows/id/${rows[0]?.digest}/key/by/attr/threshold`],
  })
  expect(row).toEqual({ vals: [0.5] })
  const feedback = await server.post('/feedback/query', {
    project_id: moved,
    fields: ['weave_ref', 'payload'],
  })
  expect(feedback).toMatchObject({
    result: [{ weave_ref: 'weave:///acme/moved/call/ended', payload: { note: 'good' } }],
  })
})

test('versions keep their index despite deleted ones, and the latest version stays the latest', async () => {
  const { objs } = await server.post<{ objs: { version_index: number; is_latest: number; val: object }[] }>(
    '/objs/query',
    { project_id: moved, filter: { object_ids: ['prompt'] } },
  )
  expect(objs.map(({ version_index, is_latest, val }) => ({ version_index, is_latest, val }))).toEqual([
    { version_index: 2, is_latest: 0, val: { i: 2 } },
    { version_index: 0, is_latest: 1, val: { i: 0 } },
  ])
})

test('a second import copies new records and the ends of running calls', async () => {
  await server.post('/call/end', {
    end: { project_id, id: 'running', ended_at: '2026-01-01T00:00:02Z', output: 'late', summary: {} },
  })
  await server.post('/call/start', { start: { project_id, id: 'new', op_name: 'ask' } })
  await publish('prompt', { i: 3 })
  const outcome = await runMove()
  expect(outcome.code).toBe(0)
  expect(JSON.parse(outcome.lines.join('\n'))).toMatchObject({
    is_complete: true,
    copied: { calls: 2, objects: 1 },
    counts: { calls: { from: 3, to: 3 }, objects: { from: 6, to: 6 } },
  })
  const latest = await server.post('/obj/read', { project_id: moved, object_id: 'prompt', digest: 'latest' })
  expect(latest).toMatchObject({ obj: { version_index: 3 } })
  const { call } = await server.post<{ call: object }>('/call/read', { project_id: moved, id: 'running' })
  expect(call).toMatchObject({ ended_at: '2026-01-01T00:00:02.000000Z', output: 'late' })
})

test('the report shows the counts of both servers', async () => {
  const outcome = await runImport([...serverArgs(), '--project', project_id, '--to-project', moved])
  expect(outcome.code).toBe(0)
  expect(outcome.lines).toContain('  calls     source 3, target 3')
  expect(outcome.lines).toContain('  feedback  source 1, target 1')
})

test('missing arguments are reported, and WANDB_API_KEY is not sent to another server', async () => {
  const here = ['--from', server.url, '--to', server.url, '--state', join(directory, 'none')]
  const cases: [string[], Record<string, string>, number, RegExp][] = [
    [[], {}, 2, /missing option --project ENTITY\/PROJECT/],
    [['--project', 'acme'], {}, 2, /--project must have the form entity\/project/],
    [['--project', 'a/b'], {}, 2, /missing option --from URL/],
    [['--project', 'a/b', '--from', 'wandb.ai'], {}, 2, /"wandb.ai" is not a URL/],
    [
      ['--project', 'a/b', ...here],
      { HEDDLE_IMPORT_FROM_KEY: '', WANDB_API_KEY: 'hd_ours' },
      2,
      /set HEDDLE_IMPORT_FROM_KEY/,
    ],
    [['--project', 'a/b', ...here, '--from', 'http://127.0.0.1:9'], {}, 1, /is not a Weave trace server/],
    [['--project', 'a/b', ...here], { HEDDLE_IMPORT_FROM_KEY: 'wrong' }, 1, /credentials are not valid/],
    [[...serverArgs(), '--project', 'a/b'], {}, 1, /journal of another import/],
  ]
  for (const [args, env, code, message] of cases) {
    const outcome = await runImport(args, env)
    expect([outcome.code, outcome.stderr]).toEqual([code, expect.stringMatching(message)])
  }
})
