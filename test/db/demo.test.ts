import { expect, test } from 'vitest'
import { useServer } from '../harness.ts'

const server = useServer()

interface DemoResult {
  readonly is_new: boolean
  readonly calls: number
  readonly objects: number
  readonly feedback: number
  readonly call_id: string
}

type Json = Record<string, unknown>

const createDemo = (project_id: string) => server.post<DemoResult>(`/api/v1/projects/${project_id}/demo`, {})

async function readAll(project_id: string): Promise<unknown[]> {
  return [
    await server.post('/calls/query', { project_id, include_feedback: true }),
    await server.post('/objs/query', { project_id }),
    await server.post('/feedback/query', { project_id }),
  ]
}

test('the demo is written once, and requesting it again changes nothing', async () => {
  const project_id = 'acme/once'
  const created = await createDemo(project_id)
  expect(created).toMatchObject({ is_new: true, call_id: expect.any(String) })
  const before = await readAll(project_id)
  const [{ calls }, { objs }, { result }] = before as [
    { calls: Json[] },
    { objs: Json[] },
    { result: Json[] },
  ]
  expect([calls.length, objs.length, result.length]).toEqual([
    created.calls,
    created.objects,
    created.feedback,
  ])
  expect(await createDemo(project_id)).toEqual({ ...created, is_new: false })
  await Promise.all([createDemo(project_id), createDemo(project_id)])
  expect(await readAll(project_id)).toEqual(before)
})

test('a user version of a demo object stays the latest', async () => {
  const project_id = 'acme/own'
  await createDemo(project_id)
  const val = { messages: [] }
  await server.post('/obj/create', { obj: { project_id, object_id: 'support-prompt', val } })
  await createDemo(project_id)
  const { obj } = await server.post<{ obj: Json }>('/obj/read', {
    project_id,
    object_id: 'support-prompt',
    digest: 'latest',
  })
  expect([obj['val'], obj['version_index']]).toEqual([val, 2])
})

test('the demo has data for every page of the UI', async () => {
  const project_id = 'acme/shown'
  const { call_id } = await createDemo(project_id)
  const { call } = await server.post<{ call: Json }>('/call/read', { project_id, id: call_id })
  expect(call).toMatchObject({ summary: { weave: { status: 'descendant_error' } } })
  const threads = await server.send('/threads/stream_query', { project_id })
  expect(threads.text.trim().split('\n')).toHaveLength(5)
  const { calls } = await server.post<{ calls: Json[] }>('/calls/query', { project_id })
  const statuses = calls.map((each) => (each['summary'] as { weave: { status: string } }).weave.status)
  expect(statuses.filter((status) => status === 'running')).toHaveLength(1)
  expect(statuses.filter((status) => status === 'error')).toHaveLength(5)
  const { objs } = await server.post<{ objs: Json[] }>('/objs/query', {
    project_id,
    filter: { is_op: false },
  })
  expect(new Set(objs.map((obj) => obj['base_object_class']))).toEqual(
    new Set(['Dataset', 'Prompt', 'Model', 'Scorer', 'Evaluation']),
  )
  const runs = await server.send(`/v2/${project_id}/evaluation_runs`, undefined, { method: 'GET' })
  expect(runs.text.trim().split('\n')).toHaveLength(2)
})

test('every model of the demo has a price', async () => {
  const project_id = 'acme/priced'
  await createDemo(project_id)
  await server.heddle.deps.defaultPrices.ready()
  const { calls } = await server.post<{ calls: Json[] }>('/calls/query', { project_id, include_costs: true })
  const weave = calls.map((call) => (call['summary'] as { weave: Json }).weave)
  expect(weave.filter((each) => 'unpriced' in each)).toEqual([])
  expect(weave.filter((each) => 'costs' in each).length).toBeGreaterThan(90)
})

test('the evaluation results of the demo read like those of an SDK', async () => {
  const project_id = 'acme/evaluated'
  await createDemo(project_id)
  const runs = await server.send(`/v2/${project_id}/evaluation_runs`, undefined, { method: 'GET' })
  const ids = runs.text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { evaluation_run_id: string }).evaluation_run_id)
  const response = await server.post<Json>(`/v2/${project_id}/eval_results/query`, {
    evaluation_call_ids: ids,
    include_raw_data_rows: true,
    resolve_row_refs: true,
  })
  const rows = response['rows'] as Json[]
  expect(rows).toHaveLength(12)
  expect(rows[0]).toMatchObject({
    raw_data_row: { question: expect.any(String), expected: expect.any(String) },
  })
  expect(JSON.stringify(rows)).toContain('mentions_expected')
})
