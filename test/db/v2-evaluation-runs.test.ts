import { describe, expect, test } from 'vitest'
import { parseJsonLines, projectNames, useServer } from '../harness.ts'

/** Runs, predictions and scores are calls: the /v2 routes and the other operations read each other's records. */

const server = useServer()

type Json = Record<string, unknown>

const newProject = projectNames('acme/runs')

const object = (project_id: string, name: string): string => `weave:///${project_id}/object/${name}:abc`

async function requestJson(method: string, path: string): Promise<Json> {
  const response = await server.send(path, undefined, { method })
  expect([path, response.status, response.text]).toEqual([path, 200, expect.anything()])
  return response.json
}

async function list(path: string): Promise<Json[]> {
  const response = await server.send(path, undefined, { method: 'GET' })
  expect([path, response.status, response.text]).toEqual([path, 200, expect.anything()])
  return parseJsonLines<Json>(response.text)
}

async function requestStatus(method: string, path: string): Promise<number> {
  return (await server.send(path, undefined, { method })).status
}

async function readCall(project_id: string, id: unknown): Promise<Json> {
  return (await server.post<{ call: Json }>('/call/read', { project_id, id })).call
}

async function newRun(project_id: string, model = 'model'): Promise<string> {
  const request = { evaluation: object(project_id, 'evaluation'), model: object(project_id, model) }
  const { evaluation_run_id } = await server.post(`/v2/${project_id}/evaluation_runs`, request)
  return String(evaluation_run_id)
}

async function predict(
  project_id: string,
  evaluation_run_id: string | undefined,
  q: number,
): Promise<string> {
  const { prediction_id } = await server.post(`/v2/${project_id}/predictions`, {
    model: object(project_id, 'model'),
    inputs: { q },
    output: q * 2,
    evaluation_run_id,
  })
  return String(prediction_id)
}

async function score(project_id: string, run: string | undefined, prediction_id: string, value: unknown) {
  const { score_id } = await server.post(`/v2/${project_id}/scores`, {
    prediction_id,
    scorer: object(project_id, 'exact'),
    value,
    evaluation_run_id: run,
  })
  return String(score_id)
}

/** An evaluation as the Python SDK records it: two trials of a model with one scorer. */
async function sdkEvaluation(project_id: string): Promise<void> {
  const op = (name: string): string => `weave:///${project_id}/op/${name}:abc`
  const common = { project_id, trace_id: 'sdk', started_at: '2026-08-01T00:00:00Z' }
  const ended_at = '2026-08-01T00:00:01.5Z'
  const model = object(project_id, 'sdk-model')
  const batch: Json[] = [
    {
      ...common,
      id: 'sdk-run',
      ended_at,
      op_name: op('Evaluation.evaluate'),
      inputs: { self: object(project_id, 'sdk-eval'), model },
      output: {},
    },
  ]
  for (const n of [1, 2]) {
    batch.push(
      {
        ...common,
        id: `sdk-trial-${n}`,
        parent_id: 'sdk-run',
        ended_at,
        op_name: op('Evaluation.predict_and_score'),
        inputs: { self: object(project_id, 'sdk-eval'), model, example: { q: n } },
        output: { output: `a${n}`, scores: { exact: { passed: n === 1 } }, model_latency: 1.5 },
      },
      {
        ...common,
        id: `sdk-predict-${n}`,
        parent_id: `sdk-trial-${n}`,
        ended_at,
        op_name: op('MyModel.predict'),
        inputs: { self: model, q: n },
        output: `a${n}`,
        summary: { usage: { 'gpt-4o': { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } } },
      },
      {
        ...common,
        id: `sdk-score-${n}`,
        parent_id: `sdk-trial-${n}`,
        ended_at,
        op_name: op('exact'),
        inputs: { output: `a${n}` },
        output: { passed: n === 1 },
      },
    )
  }
  await server.post(`/v2/${project_id}/calls/complete`, { batch })
}

describe('runs', () => {
  test('a run is created, read, listed, finished and deleted', async () => {
    const project_id = newProject()
    const path = `/v2/${project_id}/evaluation_runs`
    const id = await newRun(project_id)
    const other = await newRun(project_id, 'other')
    const running = {
      evaluation_run_id: id,
      evaluation: object(project_id, 'evaluation'),
      model: object(project_id, 'model'),
      status: 'running',
      started_at: expect.any(String),
      finished_at: null,
      summary: { weave: { status: 'running', trace_name: 'Evaluation.evaluate' } },
      source_evaluation_run_id: null,
    }
    expect(await requestJson('GET', `${path}/${id}`)).toEqual(running)
    expect((await list(path)).map((run) => run['evaluation_run_id'])).toEqual([id, other])
    expect(await list(`${path}?models=${encodeURIComponent(object(project_id, 'model'))}`)).toEqual([running])
    expect(
      await list(`${path}?model_refs=${object(project_id, 'x')},${object(project_id, 'model')}`),
    ).toEqual([running])
    expect(await list(`${path}?evaluation_run_ids=${other}&evaluation_run_ids=${id}`)).toHaveLength(2)
    expect(await list(`${path}?limit=1&offset=1`)).toMatchObject([{ evaluation_run_id: other }])
    expect(await server.post(`${path}/${id}/finish`, { summary: { mine: 1.5 } })).toEqual({ success: true })
    expect(await requestJson('GET', `${path}/${id}`)).toMatchObject({
      status: 'completed',
      finished_at: expect.any(String),
      summary: { mine: 1.5 },
    })
    // The run and its summary call.
    expect(await requestJson('DELETE', `${path}?evaluation_run_ids=${id}`)).toEqual({ num_deleted: 2 })
    expect(await requestStatus('GET', `${path}/${id}`)).toBe(404)
    expect(await list(path)).toHaveLength(1)
  })

  test('a run is a call whose op can be read', async () => {
    const project_id = newProject()
    const call = await readCall(project_id, await newRun(project_id))
    const op_name = String(call['op_name'])
    expect(op_name).toMatch(/\/op\/Evaluation\.evaluate:/)
    const { vals } = await server.post<{ vals: Json[] }>('/refs/read_batch', { refs: [op_name] })
    expect(vals).toMatchObject([{ weave_type: { type: 'Op' } }])
  })

  test('finishing a run summarizes the scores and outputs of its trials, again after more trials', async () => {
    const project_id = newProject()
    const run = await newRun(project_id)
    const rate = async (q: number, value: unknown): Promise<void> => {
      const prediction = await predict(project_id, run, q)
      await score(project_id, run, prediction, value)
      await server.post(`/v2/${project_id}/predictions/${prediction}/finish`, {})
    }
    await rate(1, 0.5)
    await rate(2, 1)
    await server.post(`/v2/${project_id}/evaluation_runs/${run}/finish`, {})
    const output = async (): Promise<unknown> => (await readCall(project_id, run))['output']
    expect(await output()).toEqual({ exact: { mean: 0.75 }, output: { mean: 3 } })
    await rate(3, true)
    await server.post(`/v2/${project_id}/evaluation_runs/${run}/finish`, {})
    expect(await output()).toEqual({
      exact: { mean: 0.75, true_count: 1, true_fraction: 1 },
      output: { mean: 4 },
    })
    const { count } = await server.post('/calls/query_stats', {
      project_id,
      filter: { op_names: ['Evaluation.summarize'] },
    })
    expect(count).toBe(1)
  })

  test('an unknown run cannot be finished or get predictions', async () => {
    const project_id = newProject()
    await server.post('/call/start', { start: { project_id, id: 'plain', op_name: 'plain' } })
    for (const id of ['nothing', 'plain']) {
      expect(await requestStatus('GET', `/v2/${project_id}/evaluation_runs/${id}`)).toBe(404)
      const finished = await server.send(`/v2/${project_id}/evaluation_runs/${id}/finish`, {})
      expect(finished.status).toBe(404)
      const body = { model: 'm', inputs: {}, output: null, evaluation_run_id: id }
      expect((await server.send(`/v2/${project_id}/predictions`, body)).status).toBe(404)
    }
  })
})

describe('predictions', () => {
  test('a prediction of a run is created, read, listed, finished and deleted', async () => {
    const project_id = newProject()
    const path = `/v2/${project_id}/predictions`
    const run = await newRun(project_id)
    const id = await predict(project_id, run, 1)
    const withoutRun = await predict(project_id, undefined, 2)
    const view = {
      prediction_id: id,
      model: object(project_id, 'model'),
      inputs: { q: 1 },
      output: 2,
      evaluation_run_id: run,
      wb_user_id: expect.any(String),
    }
    expect(await requestJson('GET', `${path}/${id}`)).toEqual(view)
    expect(await list(`${path}?evaluation_run_id=${run}`)).toEqual([view])
    expect(await list(`${path}?evaluation_run_id=${run}&offset=1`)).toEqual([])
    expect((await list(path)).map((each) => each['prediction_id'])).toEqual([id, withoutRun])
    expect(await requestJson('GET', `${path}/${withoutRun}`)).toMatchObject({
      evaluation_run_id: null,
      inputs: { q: 2 },
    })
    // With and without a body.
    expect(await requestJson('POST', `${path}/${id}/finish`)).toEqual({ success: true })
    expect(await server.post(`${path}/${id}/finish`, { project_id })).toEqual({ success: true })
    const call = await readCall(project_id, id)
    expect(call['output']).toBe(2)
    const trial = await readCall(project_id, call['parent_id'])
    expect(trial).toMatchObject({
      parent_id: run,
      inputs: { self: object(project_id, 'evaluation'), model: view.model, example: { q: 1 } },
      output: { output: 2, scores: {}, model_latency: { mean: 0 } },
      ended_at: expect.any(String),
    })
    expect(await requestJson('DELETE', `${path}?prediction_ids=${id}&prediction_ids=${withoutRun}`)).toEqual({
      num_deleted: 2,
    })
    expect(await requestStatus('GET', `${path}/${id}`)).toBe(404)
    expect(await list(path)).toEqual([])
  })

  test('inputs and output keep the digits of their numbers', async () => {
    const project_id = newProject()
    const body = '{"model":"m","inputs":{"a":1.0},"output":12345678901234567890}'
    const { json } = await server.send(`/v2/${project_id}/predictions`, body)
    const id = String(json['prediction_id'])
    const read = await server.send(`/v2/${project_id}/predictions/${id}`, undefined, { method: 'GET' })
    expect(read.text).toContain('"inputs":{"a":1.0},"output":12345678901234567890')
  })
})

describe('scores', () => {
  test('a score is created, read, listed and deleted, and is feedback on its prediction', async () => {
    const project_id = newProject()
    const path = `/v2/${project_id}/scores`
    const run = await newRun(project_id)
    const prediction = await predict(project_id, run, 1)
    const id = await score(project_id, run, prediction, { passed: true, how: 0.5 })
    const view = {
      score_id: id,
      scorer: object(project_id, 'exact'),
      value: { passed: true, how: 0.5 },
      evaluation_run_id: run,
      wb_user_id: expect.any(String),
    }
    expect(await requestJson('GET', `${path}/${id}`)).toEqual(view)
    expect(await list(`${path}?evaluation_run_id=${run}`)).toEqual([view])
    const withoutRun = await score(project_id, undefined, prediction, 1)
    expect((await list(path)).map((each) => each['score_id'])).toEqual([id, withoutRun])
    const { result } = await server.post<{ result: Json[] }>('/feedback/query', { project_id })
    expect(result.find((each) => each['call_ref'] === `weave:///${project_id}/call/${id}`)).toMatchObject({
      weave_ref: `weave:///${project_id}/call/${prediction}`,
      feedback_type: 'wandb.runnable.exact',
      runnable_ref: object(project_id, 'exact'),
      payload: { output: { passed: true, how: 0.5 } },
    })
    await requestJson('POST', `/v2/${project_id}/predictions/${prediction}/finish`)
    const { parent_id } = await readCall(project_id, prediction)
    expect(await readCall(project_id, parent_id)).toMatchObject({
      output: { scores: { exact: { passed: true, how: 0.5 } } },
    })
    expect(await requestJson('DELETE', `${path}?score_ids=${id}`)).toEqual({ num_deleted: 1 })
    expect(await requestStatus('GET', `${path}/${id}`)).toBe(404)
    expect(await requestStatus('GET', `${path}/${prediction}`)).toBe(404)
  })

  test('a scorer that is not a ref is rejected with a reason', async () => {
    const project_id = newProject()
    const request = { prediction_id: 'p', scorer: 'exact', value: 1 }
    const response = await server.send(`/v2/${project_id}/scores`, request)
    expect([response.status, response.json['detail']]).toMatchObject([422, [{ loc: ['body', 'scorer'] }]])
  })
})

test('an evaluation recorded by an SDK has its run, predictions and scores here too', async () => {
  const project_id = newProject()
  await sdkEvaluation(project_id)
  const run = {
    evaluation_run_id: 'sdk-run',
    evaluation: object(project_id, 'sdk-eval'),
    model: object(project_id, 'sdk-model'),
    status: 'completed',
  }
  expect(await list(`/v2/${project_id}/evaluation_runs`)).toMatchObject([run])
  expect(await requestJson('GET', `/v2/${project_id}/evaluation_runs/sdk-run`)).toMatchObject(run)
  const prediction = {
    prediction_id: 'sdk-predict-1',
    model: object(project_id, 'sdk-model'),
    inputs: { q: 1 },
    output: 'a1',
    evaluation_run_id: 'sdk-run',
  }
  expect(await list(`/v2/${project_id}/predictions?evaluation_run_id=sdk-run`)).toMatchObject([
    prediction,
    { prediction_id: 'sdk-predict-2' },
  ])
  expect(await requestJson('GET', `/v2/${project_id}/predictions/sdk-predict-1`)).toMatchObject(prediction)
  const score1 = { score_id: 'sdk-score-1', value: { passed: true }, evaluation_run_id: 'sdk-run' }
  expect(await list(`/v2/${project_id}/scores?evaluation_run_id=sdk-run`)).toMatchObject([
    score1,
    { score_id: 'sdk-score-2' },
  ])
  expect(await requestJson('GET', `/v2/${project_id}/scores/sdk-score-1`)).toMatchObject(score1)
  const results = await server.post<{ rows: Json[]; summary: Json }>(`/v2/${project_id}/eval_results/query`, {
    evaluation_call_ids: ['sdk-run'],
    include_summary: true,
    include_costs: true,
  })
  expect(results.rows).toHaveLength(2)
  expect(results.summary).toMatchObject({
    row_count: 2,
    evaluations: [
      {
        evaluation_call_id: 'sdk-run',
        trial_count: 2,
        predict_total_tokens: 30,
        predict_total_cost: expect.any(Number),
        scorer_stats: [{ scorer_key: 'exact', path: 'passed', value_type: 'binary', pass_rate: 0.5 }],
      },
    ],
  })
})

describe('eval_results', () => {
  interface Results {
    rows: {
      row_digest: string
      raw_data_row: Json | string | null
      evaluations: { evaluation_call_id: string; trials: Json[] }[]
    }[]
    total_rows: number
    summary: Json | null
    warnings: string[]
  }

  /** Two runs over the rows of one dataset; the second has no output for the last row. */
  async function comparison() {
    const project_id = newProject()
    const rows = [
      { q: 1, level: 'easy' },
      { q: 2, level: 'hard' },
      { q: 10, level: 'hard' },
    ]
    const table = await server.post<{ digest: string; row_digests: string[] }>('/table/create', {
      table: { project_id, rows },
    })
    const val = {
      _class_name: 'Dataset',
      _bases: ['Object', 'BaseModel'],
      rows: `weave:///${project_id}/table/${table.digest}`,
    }
    const { digest } = await server.post('/obj/create', { obj: { project_id, object_id: 'd', val } })
    const scores = { one: [0.1, 0.9, 0.5], two: [0.2, 0.3] }
    const batch: Json[] = []
    for (const [run, values] of Object.entries(scores)) {
      const common = {
        project_id,
        trace_id: run,
        started_at: '2026-08-01T00:00:00Z',
        ended_at: '2026-08-01T00:00:01Z',
      }
      batch.push({ ...common, id: run, op_name: 'Evaluation.evaluate', inputs: { self: 'e', model: run } })
      for (const [i, exact] of values.entries()) {
        const example = `weave:///${project_id}/object/d:${String(digest)}/attr/rows/id/${table.row_digests[i]}`
        batch.push({
          ...common,
          id: `${run}-${i}`,
          parent_id: run,
          op_name: `weave:///${project_id}/op/Evaluation.predict_and_score:abc`,
          inputs: { model: run, example },
          output: { output: { text: `${run}${i}` }, scores: { exact, good: exact > 0.4 } },
        })
      }
    }
    await server.post(`/v2/${project_id}/calls/complete`, { batch })
    const query = async (request: Json): Promise<Results> =>
      server.post<Results>(`/v2/${project_id}/eval_results/query`, {
        evaluation_call_ids: ['one', 'two'],
        ...request,
      })
    return { query, digests: table.row_digests, rows }
  }

  test('the rows are those of the dataset, with the trials of each evaluation', async () => {
    const { query, digests } = await comparison()
    const { rows, total_rows, summary, warnings } = await query({})
    expect([total_rows, summary, warnings]).toEqual([3, null, []])
    expect(rows.map((row) => row.row_digest)).toEqual(digests.toSorted())
    const first = rows.find((row) => row.row_digest === digests[0])
    expect(first).toEqual({
      row_digest: digests[0],
      raw_data_row: null,
      evaluations: [
        {
          evaluation_call_id: 'one',
          trials: [
            {
              predict_and_score_call_id: 'one-0',
              predict_call_id: null,
              model_output: { text: 'one0' },
              scores: { exact: 0.1, good: false },
              model_latency_seconds: null,
              total_tokens: null,
              total_cost: null,
              scorer_call_ids: {},
              genai_span_ref: null,
            },
          ],
        },
        {
          evaluation_call_id: 'two',
          trials: [expect.objectContaining({ scores: { exact: 0.2, good: false } })],
        },
      ],
    })
  })

  test('rows are returned as refs or as values', async () => {
    const { query, rows } = await comparison()
    const refs = await query({ include_raw_data_rows: true })
    for (const row of refs.rows) expect(row.raw_data_row).toMatch(/^weave:\/\/\//)
    const resolved = await query({ include_raw_data_rows: true, resolve_row_refs: true })
    expect(resolved.rows.map((row) => row.raw_data_row)).toEqual(expect.arrayContaining(rows))
  })

  test('a row of another project stays a ref', async () => {
    const project_id = newProject()
    const other = newProject()
    const created = await server.post(`/v2/${other}/datasets`, { name: 'd', rows: [{ secret: 1 }] })
    const table = await requestJson('GET', `/v2/${other}/datasets/d/versions/latest`)
    const { rows } = await server.post<{ rows: Json[] }>('/table/query', {
      project_id: other,
      digest: String(table['rows']).split('/').at(-1),
    })
    const row = `weave:///${other}/object/d:${String(created['digest'])}/attr/rows/id/${String(rows[0]?.['digest'])}`
    const common = { project_id, trace_id: 't', started_at: '2026-08-01T00:00:00Z' }
    const trial = { op_name: 'Evaluation.predict_and_score', parent_id: 'run', inputs: { example: row } }
    await server.post(`/v2/${project_id}/calls/complete`, { batch: [{ ...common, id: 'trial', ...trial }] })
    const response = await server.send(`/v2/${project_id}/eval_results/query`, {
      evaluation_call_ids: ['run'],
      include_raw_data_rows: true,
      resolve_row_refs: true,
      filters: [
        { query: { $expr: { $not: [{ $eq: [{ $getField: 'inputs.secret' }, { $literal: '1' }] }] } } },
      ],
    })
    expect(response.json).toMatchObject({ rows: [{ raw_data_row: row }], warnings: [expect.any(String)] })
  })

  const order = async (request: Json): Promise<number[]> => {
    const { query, digests } = await comparison()
    return (await query(request)).rows.map((row) => digests.indexOf(row.row_digest))
  }

  test('rows are sorted by scores, by differences, by inputs and by outputs', async () => {
    const by = (field: string, direction: string, extra: Json = {}) => ({
      sort_by: [{ field, direction, ...extra }],
    })
    expect(await order(by('scores.exact', 'desc'))).toEqual([1, 2, 0])
    expect(await order(by('scores.exact', 'desc', { evaluation_call_id: 'two' }))).toEqual([1, 0, 2])
    expect(await order(by('scores.exact', 'desc', { mode: 'difference' }))).toEqual([1, 0, 2])
    expect(await order(by('inputs.q', 'desc'))).toEqual([2, 1, 0])
    expect(await order(by('output.output.text', 'asc'))).toEqual([0, 1, 2])
    expect(await order({ ...by('inputs.q', 'asc'), limit: 1, offset: 1 })).toEqual([1])
  })

  test('rows are filtered by the values of any or all evaluations', async () => {
    const by = { sort_by: [{ field: 'inputs.q', direction: 'asc' }] }
    const over = (than: number) => ({ $expr: { $gt: [{ $getField: 'scores.exact' }, { $literal: than }] } })
    const hard = { $expr: { $eq: [{ $getField: 'inputs.level' }, { $literal: 'hard' }] } }
    const good = { $expr: { $eq: [{ $getField: 'scores.good' }, { $literal: true }] } }
    expect(await order({ ...by, filters: [{ query: over(0.4) }] })).toEqual([1, 2])
    expect(await order({ ...by, filters: [{ query: good }] })).toEqual([1, 2])
    expect(await order({ ...by, filters: [{ query: hard }] })).toEqual([1, 2])
    const one = { evaluation_call_id: 'one', query: over(0.4) }
    const two = { evaluation_call_id: 'two', query: over(0.15) }
    expect(await order({ ...by, filters: [one, two] })).toEqual([0, 1, 2])
    expect(await order({ ...by, filters: [one, two], filter_logic_operator: 'and' })).toEqual([1])
    expect(await order({ ...by, require_intersection: true })).toEqual([0, 1])
  })

  test('the summary has statistics per scorer', async () => {
    const { query } = await comparison()
    const { summary, rows } = await query({
      include_rows: false,
      include_summary: true,
      summary_require_intersection: true,
    })
    expect(rows).toEqual([])
    expect(summary).toEqual({
      row_count: 2,
      evaluations: [
        expect.objectContaining({ evaluation_call_id: 'one', trial_count: 2, model_ref: 'one' }),
        {
          evaluation_call_id: 'two',
          trial_count: 2,
          scorer_stats: [
            {
              scorer_key: 'exact',
              path: null,
              value_type: 'continuous',
              trial_count: 2,
              numeric_count: 2,
              numeric_mean: expect.closeTo(0.25),
              pass_true_count: 0,
              pass_known_count: 0,
              pass_rate: null,
              pass_signal_coverage: 0,
            },
            {
              scorer_key: 'good',
              path: null,
              value_type: 'binary',
              trial_count: 2,
              numeric_count: 0,
              numeric_mean: null,
              pass_true_count: 0,
              pass_known_count: 2,
              pass_rate: 0,
              pass_signal_coverage: 1,
            },
          ],
          predict_total_tokens: null,
          predict_total_cost: null,
          evaluation_ref: 'e',
          model_ref: 'two',
          display_name: null,
          trace_id: 'two',
          started_at: '2026-08-01T00:00:00.000000Z',
        },
      ],
    })
  })

  test('an unknown field is rejected, and no evaluations have no rows', async () => {
    const { query } = await comparison()
    const path = `/v2/acme/runs-1/eval_results/query`
    for (const field of ['id', 'attributes.x', 'scores', 'row_digest']) {
      const response = await server.send(path, { sort_by: [{ field, direction: 'asc' }] })
      expect([field, response.status]).toEqual([field, 400])
    }
    expect(await query({ evaluation_call_ids: [], include_summary: true })).toEqual({
      rows: [],
      total_rows: 0,
      summary: { row_count: 0, evaluations: [] },
      warnings: [],
    })
  })
})
