import { RawJson } from '../../../src/contract/raw-json.ts'
import type { Client } from '../../../src/client/client.ts'
import { test } from '../fixtures.ts'

/** Journeys through what the differences between runs mean, report cards of judges, and gates. */

const ENTITY = 'statistics'
const time = '2026-11-19T12:00:00Z'

async function writeRun(api: Client, project: string, name: string, isRight: (i: number) => boolean) {
  const project_id = `${ENTITY}/${project}`
  const object = (part: string): string => `weave:///${project_id}/object/${part}:abc`
  const raw = (value: unknown): RawJson => RawJson.fromValue(value)
  const call = {
    project_id,
    trace_id: name,
    started_at: time,
    ended_at: time,
    attributes: raw({}),
    summary: raw({}),
  }
  const run = {
    ...call,
    id: name,
    display_name: name,
    op_name: `weave:///${project_id}/op/Evaluation.evaluate:abc`,
    inputs: raw({ self: object('nightly'), model: object('model') }),
    output: raw({}),
  }
  const trials = Array.from({ length: 100 }, (_, i) => ({
    ...call,
    id: `${name}-${i}`,
    parent_id: name,
    op_name: `weave:///${project_id}/op/Evaluation.predict_and_score:abc`,
    inputs: raw({ example: { question: i }, model: object('model') }),
    output: raw({ output: 'answer', scores: { exact: { correct: isRight(i) } } }),
  }))
  await api.call('calls_complete', { entity: ENTITY, project, batch: [run, ...trials] })
}

test('a comparison says what is unlikely to be chance, and ? explains it', async ({ page, url, api }) => {
  await writeRun(api, 'compared', 'before', (i) => i % 2 === 0)
  await writeRun(api, 'compared', 'after', (i) => i % 2 === 0 || i % 5 === 1)
  await page.goto(`${url}/${ENTITY}/compared/weave/compare-evaluations?runs=before,after&baseline=before`)
  const verdicts = page.getByRole('region', { name: 'What the differences mean' })
  await verdicts.getByText(/Better: [\d.]+ to [\d.]+ points, unlikely to be chance/).waitFor()
  await verdicts.getByRole('button', { name: 'How the differences are computed' }).press('Enter')
  await page
    .getByRole('dialog')
    .getByText(/95 of 100 comparisons/)
    .waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${url}/${ENTITY}/compared/weave/evaluations/before`)
  await page.getByRole('button', { name: 'Make baseline' }).click()
  await page.getByRole('button', { name: 'Baseline', exact: true }).waitFor()
  await api.call('evaluation_gate', { entity: ENTITY, project: 'compared', run: 'after' })
  await page.goto(`${url}/${ENTITY}/compared/weave/evaluations`)
  await page.getByRole('tab', { name: 'Gates' }).click()
  const decisions = page.getByRole('table', { name: 'Decisions of gates' })
  await decisions.getByText('Pass').waitFor()
  await decisions.getByText(/exact.correct: better by/).waitFor()
  await page.getByRole('table', { name: 'Baselines' }).getByRole('link', { name: 'before' }).waitFor()
})

test('the disagreements of a judge with people become a review queue', async ({ page, url, api }) => {
  const project = 'judged'
  const project_id = `${ENTITY}/${project}`
  await writeRun(api, project, 'calls', () => true)
  const object = (name: string): string => `weave:///${project_id}/object/${name}:v1`
  const batch = Array.from({ length: 40 }, (_, i) => {
    const weave_ref = `weave:///${project_id}/call/calls-${i}`
    const payload = (key: string, isYes: boolean) => RawJson.fromValue({ [key]: isYes })
    const isGood = i % 2 === 0
    return [
      {
        project_id,
        weave_ref,
        feedback_type: 'wandb.runnable.relevance',
        payload: payload('output', isGood || i < 5),
        runnable_ref: object('relevance'),
      },
      {
        project_id,
        weave_ref,
        feedback_type: 'wandb.annotation.good',
        payload: payload('value', isGood),
        annotation_ref: object('good'),
      },
    ]
  }).flat()
  await api.call('feedback_create_batch', { batch })
  const unchecked = {
    project_id,
    weave_ref: `weave:///${project_id}/call/calls-90`,
    feedback_type: 'wandb.runnable.style',
    payload: RawJson.fromValue({ output: true }),
    runnable_ref: object('style'),
  }
  await api.call('feedback_create_batch', { batch: [unchecked] })
  await page.goto(`${url}/${ENTITY}/${project}/weave/evaluations?view=judges`)
  const scorers = page.getByRole('table', { name: 'Scorers' })
  await scorers.getByRole('row', { name: /style/ }).getByText('unchecked').waitFor()
  await scorers.getByRole('button', { name: 'relevance' }).click()
  await page.waitForURL(/judge=relevance/)
  const report = page.getByRole('region', { name: 'Report card of relevance' })
  await report.getByText(/Agrees with people on \d+ to \d+ % of the labeled calls/).waitFor()
  await report.getByRole('heading', { name: 'Disagreements: 2' }).waitFor()
  await report.getByRole('button', { name: 'Review them' }).click()
  await page.waitForURL(/weave\/queues\//)
})
