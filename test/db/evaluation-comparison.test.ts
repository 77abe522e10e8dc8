import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunComparison } from '../../src/contract/evaluations/comparison.ts'
import type { GateResult } from '../../src/contract/evaluations/gates.ts'
import { projectNames, useServer } from '../harness.ts'
import { runCli } from '../run-cli.ts'

/** Comparison of evaluation runs, baselines, gates, and the report card of scorers. */

const server = useServer()
const newProject = projectNames('acme/stats')

interface Trial {
  readonly example: number
  readonly scores: unknown
  readonly output?: unknown
}

let ids = 0
const time = '2026-11-19T12:00:00Z'

/** Writes a run with trials as the Python SDK does. Returns its id. */
async function writeRun(
  project_id: string,
  trials: readonly Trial[],
  display_name = 'run',
  evaluation = 'nightly',
): Promise<string> {
  const object = (name: string): string => `weave:///${project_id}/object/${name}:abc`
  const id = `run-${++ids}`
  const call = { project_id, trace_id: id, started_at: time, ended_at: time, attributes: {}, summary: {} }
  const run = {
    ...call,
    id,
    display_name,
    op_name: `weave:///${project_id}/op/Evaluation.evaluate:abc`,
    inputs: { self: object(evaluation), model: object('model') },
    output: {},
  }
  const calls = trials.map(({ example, scores, output = 'answer' }, i) => ({
    ...call,
    id: `${id}-${i}`,
    parent_id: id,
    op_name: `weave:///${project_id}/op/Evaluation.predict_and_score:abc`,
    inputs: { example: `${object('rows')}/attr/rows/id/row${example}`, model: object('model') },
    output: { output, scores, model_latency: 1 },
  }))
  await server.post(`/v2/${project_id}/calls/complete`, { batch: [run, ...calls] })
  return id
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const exact = (count: number, isRight: (i: number) => boolean): Trial[] =>
  range(count).map((i) => ({ example: i, scores: { exact: { correct: isRight(i) } } }))

function compare(
  project_id: string,
  baseline: string,
  run: string,
  more: object = {},
): Promise<RunComparison> {
  return server.post(`/api/v1/projects/${project_id}/evaluations/compare`, { baseline, run, ...more })
}

describe('the comparison of two runs', () => {
  test('pairs examples, and shows a clear improvement of a yes/no score', async () => {
    const project_id = newProject()
    const baseline = await writeRun(
      project_id,
      exact(100, (i) => i % 2 === 0),
    )
    const run = await writeRun(
      project_id,
      exact(100, (i) => i % 2 === 0 || i % 5 === 1),
    )
    const { metrics, examples } = await compare(project_id, baseline, run)
    expect(examples).toEqual({ baseline: 100, run: 100, both: 100 })
    expect(metrics).toHaveLength(1)
    const [metric] = metrics
    expect(metric).toMatchObject({
      name: 'exact.correct',
      is_share: true,
      verdict: 'better',
      baseline: 0.5,
      run: 0.6,
      improved: 10,
      regressed: 0,
      unchanged: 90,
      method: 'mcnemar',
      trials: null,
    })
    expect(metric?.p_exact).toBeCloseTo(2 / 2 ** 10, 12)
    expect(metric?.interval.low).toBeGreaterThan(0)
    const reversed = await compare(project_id, run, baseline)
    expect(reversed.metrics[0]?.verdict).toBe('worse')
    expect(reversed.metrics[0]?.interval.high).toBeCloseTo(-(metric?.interval.low ?? 0), 12)
  })

  test('is the same for each request, and turns around where lower is better', async () => {
    const project_id = newProject()
    const numbers = (shift: number): Trial[] =>
      range(60).map((i) => ({ example: i, scores: { length: Math.sin(i) + (shift * (i % 7)) / 7 } }))
    const baseline = await writeRun(project_id, numbers(0))
    const run = await writeRun(project_id, numbers(1))
    const first = await compare(project_id, baseline, run)
    expect(first.metrics[0]).toMatchObject({ name: 'length', is_share: false, verdict: 'better' })
    expect(await compare(project_id, baseline, run)).toEqual(first)
    const lower = await compare(project_id, baseline, run, { lower_is_better: ['length'] })
    expect(lower.metrics[0]).toMatchObject({ verdict: 'worse', regressed: first.metrics[0]?.improved })
  })

  test('counts examples without a score of both, texts are no scores, and few examples decide nothing', async () => {
    const project_id = newProject()
    const baseline = await writeRun(project_id, [
      ...exact(10, () => false),
      { example: 50, scores: { exact: { correct: true, reason: 'because' } } },
    ])
    const run = await writeRun(project_id, [
      ...exact(10, () => true),
      { example: 51, scores: { exact: null } },
    ])
    const { metrics } = await compare(project_id, baseline, run)
    expect(metrics).toHaveLength(1)
    expect(metrics[0]).toMatchObject({ examples: 10, missing: 1, verdict: 'too_few', difference: 1 })
  })

  test('averages trials, names flaky examples, and splits the variance', async () => {
    const project_id = newProject()
    const trials = (rights: readonly number[]): Trial[] =>
      rights.flatMap((right, example) =>
        range(3).map((i) => ({ example, output: `answer ${i}`, scores: { exact: i < right } })),
      )
    const baseline = await writeRun(project_id, trials(range(30).map(() => 3)))
    const run = await writeRun(project_id, trials(range(30).map((i) => (i < 10 ? 1 : 3))))
    const { metrics } = await compare(project_id, baseline, run, { include_variance: true })
    const [metric] = metrics
    expect(metric?.difference).toBeCloseTo(-2 / 9, 12)
    expect(metric).toMatchObject({ verdict: 'worse', method: 'permutation' })
    expect(metric?.trials?.run).toMatchObject({ count: 3, flaky: 10, pass_at_least_once: 1 })
    expect(metric?.trials?.run.pass_always).toBeCloseTo(2 / 3, 12)
    expect(metric?.flaky_examples).toHaveLength(10)
    expect(metric?.flaky_examples[0]).toMatchObject({ key: 'row0', trials: 3 })
    // A third of the examples have the variance 1/3 between answers, and no answer was scored twice.
    expect(metric?.variance?.answers).toBeCloseTo(1 / 9, 12)
    expect(metric?.variance).toMatchObject({ judge: null, repeated_answers: 0 })
  })

  test('attributes different scores of one answer to the judge', async () => {
    const project_id = newProject()
    const same = (shift: number): Trial[] =>
      range(25).flatMap((example) =>
        [0.2, 0.7].map((score) => ({ example, scores: { judge: score + shift } })),
      )
    const baseline = await writeRun(project_id, same(0))
    const run = await writeRun(project_id, same(0.1))
    const { metrics } = await compare(project_id, baseline, run, { include_variance: true })
    expect(metrics[0]?.variance?.judge).toBeCloseTo(0.125, 12)
    expect(metrics[0]?.variance).toMatchObject({ answers: 0, repeated_answers: 25 })
  })

  test('of unknown runs is not found, of a run with itself is refused', async () => {
    const project_id = newProject()
    const run = await writeRun(
      project_id,
      exact(1, () => true),
    )
    const path = `/api/v1/projects/${project_id}/evaluations/compare`
    expect((await server.send(path, { baseline: run, run: 'unknown' })).status).toBe(404)
    expect((await server.send(path, { baseline: run, run })).status).toBe(400)
  })
})

describe('gates', () => {
  const gate = async (project_id: string, body: object): Promise<GateResult> =>
    (await server.post<{ result: GateResult }>(`/api/v1/projects/${project_id}/evaluations/gate`, body))
      .result

  test('compare with the baseline that is pinned last, and are recorded', async () => {
    const project_id = newProject()
    const path = `/api/v1/projects/${project_id}/evaluations`
    const bad = await writeRun(
      project_id,
      exact(300, (i) => i % 2 === 0),
      'bad',
    )
    const good = await writeRun(
      project_id,
      exact(300, (i) => i % 20 !== 0),
      'good',
    )
    expect((await server.send(`${path}/gate`, { run: bad })).status).toBe(404)
    await server.post(`${path}/baselines`, { run: bad })
    expect(await gate(project_id, { run: 'good' })).toMatchObject({ verdict: 'pass', baseline: bad })
    const pinned = await server.post(`${path}/baselines`, { run: good })
    expect(pinned).toMatchObject({ evaluation: 'nightly', run: good })
    const failed = await gate(project_id, { run: bad })
    expect(failed).toMatchObject({ verdict: 'fail', baseline: good, run_name: 'bad', evaluation: 'nightly' })
    expect(failed.checks[0]?.text).toMatch(/^worse by [\d.]+ points to [\d.]+ points, allowed are 5 points$/)
    const history = await server.send(`${path}/gates`, undefined, { method: 'GET' })
    const gates = history.json['gates'] as { result: GateResult }[]
    expect(gates.map(({ result }) => result.verdict)).toEqual(['fail', 'pass'])
    const baselines = await server.send(`${path}/baselines`, undefined, { method: 'GET' })
    expect((baselines.json['baselines'] as { run: string }[]).map(({ run }) => run)).toEqual([good, bad])
  })

  test('end `heddle gate` with a code for each verdict, and write reports', async () => {
    const project_id = newProject()
    const directory = mkdtempSync(join(tmpdir(), 'heddle-gate-'))
    const file = (name: string): string => join(directory, name)
    const baseline = await writeRun(
      project_id,
      exact(300, (i) => i % 20 !== 0),
      'main',
    )
    const bad = await writeRun(
      project_id,
      exact(300, (i) => i % 2 === 0),
      'bad',
    )
    const few = await writeRun(
      project_id,
      exact(5, () => true),
      'few',
    )
    writeFileSync(file('rules.json'), '{"scores":{"exact.correct":{"min":0.8,"max_regression":0.03}}}')
    writeFileSync(file('wrong.json'), '{"score":{}}')
    const key = Buffer.from(server.authorization.slice('Basic '.length), 'base64').toString().split(':')[1]
    const env = {
      HEDDLE_GATE_KEY: key,
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: file('summary.md'),
    }
    const gate = (...args: string[]) => runCli(['gate', project_id, '--url', server.url, ...args], { env })
    const reports = [
      '--junit',
      file('junit.xml'),
      '--gitlab',
      file('gitlab.json'),
      '--rules',
      file('rules.json'),
    ]
    const failed = await gate('--run', 'bad', '--baseline', 'main', ...reports)
    expect(failed).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('::error title=heddle gate%3A exact'),
    })
    expect(failed.stdout).toContain('fail  exact.correct  worse by')
    expect(readFileSync(file('junit.xml'), 'utf8')).toContain('tests="2" failures="2" errors="0"')
    expect(readFileSync(file('summary.md'), 'utf8')).toContain('| fail | exact.correct |')
    expect(JSON.parse(readFileSync(file('gitlab.json'), 'utf8'))).toHaveLength(2)
    expect((await gate('--run', few, '--baseline', baseline)).code).toBe(4)
    expect((await gate('--run', few, '--baseline', baseline, '--allow-undecided')).code).toBe(0)
    expect((await gate('--run', bad, '--rules', file('wrong.json'))).code).toBe(2)
    expect((await gate('--run', bad)).code).toBe(1)
    // A run that passes becomes the baseline, with which the next one is compared.
    expect((await gate('--run', baseline, '--baseline', bad, '--pin')).code).toBe(0)
    expect((await gate('--run', bad)).code).toBe(3)
  })

  test('ignore quarantined examples until their day is over', async () => {
    const project_id = newProject()
    const baseline = await writeRun(
      project_id,
      exact(40, () => true),
    )
    const run = await writeRun(
      project_id,
      exact(40, (i) => i >= 15),
    )
    const until = (day: string) => range(15).map((i) => ({ example: `row${i}`, until: day }))
    const rules = { max_regression: 0.2 }
    const open = await gate(project_id, {
      run,
      baseline,
      rules: { ...rules, quarantine: until('2999-12-31') },
    })
    expect(open).toMatchObject({ verdict: 'pass', quarantined: 15, expired: [] })
    const over = await gate(project_id, {
      run,
      baseline,
      rules: { ...rules, quarantine: until('2026-01-31') },
    })
    expect(over).toMatchObject({ verdict: 'fail', quarantined: 0 })
    expect(over.expired).toHaveLength(15)
  })
})

describe('the report card of a scorer', () => {
  const feedback = (project_id: string, call: string, name: string, payload: object, more: object = {}) => ({
    project_id,
    weave_ref: `weave:///${project_id}/call/${call}`,
    feedback_type: name,
    payload,
    ...more,
  })

  test('compares its versions with labels of people on the same calls', async () => {
    const project_id = newProject()
    const scorer = (digest: string) => `weave:///${project_id}/object/relevance:${digest}`
    const annotation_ref = `weave:///${project_id}/object/good:v1`
    const batch = range(100).flatMap((i) => {
      const isGood = i % 2 === 0
      const version = scorer(i < 60 ? 'v1' : 'v2')
      // Version 1 accepts everything, version 2 agrees with people.
      const output = { score: i < 60 || isGood ? 0.9 : 0.1 }
      return [
        feedback(project_id, `call-${i}`, 'wandb.runnable.relevance', { output }, { runnable_ref: version }),
        ...(i >= 20
          ? [
              feedback(
                project_id,
                `call-${i}`,
                'wandb.annotation.good',
                { value: isGood },
                { annotation_ref },
              ),
            ]
          : []),
      ]
    })
    await server.post('/feedback/batch/create', { batch })
    const path = `/api/v1/projects/${project_id}/scorers`
    const { json } = await server.send(path, undefined, { method: 'GET' })
    expect(json['scorers']).toEqual([
      { scorer: 'relevance', versions: 2, judged: 100, labeled: 80, labels: ['good'] },
    ])
    const report = await server.post(`${path}/report`, { scorer: 'relevance', path: 'score', label: 'good' })
    expect(report['overall']).toMatchObject({
      labeled: 80,
      matrix: { true_positive: 40, false_positive: 20, false_negative: 0, true_negative: 20 },
      agreement: { yes: 60, count: 80, value: 0.75 },
      judged: { yes: 80, count: 100, value: 0.8 },
    })
    interface Quality {
      readonly version: string
      readonly kappa: { readonly value: number } | null
      readonly corrected: { readonly value: number } | null
    }
    const versions = report['versions'] as Quality[]
    expect(versions).toHaveLength(2)
    const ofVersion = (digest: string) => versions.find(({ version }) => version === scorer(digest))
    expect(ofVersion('v2')?.kappa?.value).toBe(1)
    expect(ofVersion('v2')?.corrected?.value).toBe(0.5)
    // Version 1 always says yes: neither agreement beyond chance nor a correction is defined.
    expect(ofVersion('v1')).toMatchObject({ kappa: null, corrected: null })
    expect(report['disagreements']).toHaveLength(20)
    expect((report['calibration'] as { bins: unknown[] }).bins).toHaveLength(2)
  })

  test('of a scorer without labels has no values', async () => {
    const project_id = newProject()
    const runnable_ref = `weave:///${project_id}/object/exact:v1`
    const output = feedback(project_id, 'call', 'wandb.runnable.exact', { output: true }, { runnable_ref })
    await server.post('/feedback/batch/create', { batch: [output] })
    const report = await server.post(`/api/v1/projects/${project_id}/scorers/report`, {
      scorer: 'exact',
      label: 'good',
    })
    expect(report['overall']).toMatchObject({
      labeled: 0,
      agreement: { value: null },
      kappa: null,
      corrected: null,
    })
    expect(report['calibration']).toBeNull()
  })
})
