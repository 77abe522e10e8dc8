import assert from 'node:assert/strict'
import type { Client } from '../../../src/client/client.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'
import { ASSISTANT } from '../program/assistant.ts'
import { assistantRuns } from '../assistant-runs.ts'

interface Trial {
  readonly language: string
  readonly correct: boolean | undefined
  readonly helpful: number | undefined
}

/** The trials of a run of the assistant, as its calls record them. */
async function trialsOf(api: Client, name: string): Promise<readonly Trial[]> {
  const [entity = '', project = ''] = ASSISTANT.split('/')
  const read = (op: string) =>
    api.call('project_calls', {
      entity,
      project,
      filter: { op_names: [`weave:///${ASSISTANT}/op/Evaluation.${op}:*`] },
    })
  const run = (await read('evaluate')).calls.find(({ display_name }) => display_name === name)
  const { calls } = await read('predict_and_score')
  const results = await api.call('eval_results_query', {
    entity,
    project,
    evaluation_call_ids: [run?.id ?? ''],
    include_raw_data_rows: true,
    resolve_row_refs: true,
  })
  return results.rows.flatMap(({ raw_data_row, evaluations }) =>
    evaluations.flatMap(({ trials }) =>
      trials.map(({ predict_and_score_call_id }) => {
        const call = calls.find(({ id }) => id === predict_and_score_call_id)
        const { language } = JSON.parse(raw_data_row?.text ?? '{}') as { language: string }
        const { scores } = JSON.parse(call?.output?.text ?? '{}') as {
          scores?: { mentions?: { correct?: boolean }; Judge?: { helpful?: number } }
        }
        return { language, correct: scores?.mentions?.correct, helpful: scores?.Judge?.helpful }
      }),
    ),
  )
}

/** `80 %`, as the page writes it. */
function percent(trials: readonly Trial[]): string {
  const share = trials.filter(({ correct }) => correct === true).length / trials.length
  return `${Math.round(share * 1000) / 10} %`
}

/** Journeys through the slices of evaluation runs. */

test('slices by a dataset column have the numbers of the trials', async ({ page, url, api, assistant }) => {
  await assistant()
  const [older, newer] = await assistantRuns(api)
  const trials = await trialsOf(api, newer)
  const english = trials.filter(({ language }) => language === 'en')
  // All slices together are what the SDK summarized.
  assert.deepEqual([trials.length, english.length, percent(trials)], [5, 3, '60 %'])
  const helpful = english.flatMap((trial) => trial.helpful ?? [])
  const mean = helpful.reduce((sum, value) => sum + value, 0) / helpful.length

  await page.goto(`${url}/${ASSISTANT}/weave/evaluations`)
  await page.getByRole('link', { name: newer }).click()
  await page.getByLabel('Slice by').selectOption('language (3)')
  await page.waitForURL(/slice=language/)
  const slices = page.getByRole('grid', { name: 'Slices' })
  // The largest slice first: value, examples, failed, scores.
  const first = await slices.getByRole('row').nth(1).innerText()
  assert.deepEqual(first.split(/\s*\n\s*/).slice(0, 5), [
    'en',
    '3',
    String(english.filter(({ correct }) => correct !== true).length),
    percent(english),
    String(Math.round(mean * 1000) / 1000),
  ])
  assert.equal(await slices.getByRole('row').count(), 4)
  await slices.getByRole('row', { name: /^en/ }).getByText('≥ $').waitFor()

  const examples = page.getByRole('grid', { name: 'Examples' })
  await slices.getByRole('button', { name: 'en', exact: true }).click()
  await page.waitForURL(/value=/)
  await waitUntil('three examples are left', async () => (await examples.getByRole('row').count()) === 4)
  await page.getByText('All 3', { exact: true }).waitFor()
  await page.reload()
  await waitUntil('three examples are left', async () => (await examples.getByRole('row').count()) === 4)
  await page.getByRole('button', { name: 'Remove filter: language = en' }).click()
  await page.getByText('All 5', { exact: true }).waitFor()
  await slices.getByRole('button', { name: /^mentions\.correct/ }).click()
  await page.waitForURL(/slicesort=-score/)

  // The slices of two runs have the difference to the baseline.
  await page.goto(`${url}/${ASSISTANT}/weave/evaluations`)
  await page.getByRole('link', { name: older }).waitFor()
  for (const key of ['j', 'x', 'j', 'x', 'c']) await page.keyboard.press(key)
  await page.getByLabel('Slice by').selectOption('language (3)')
  const baseline = (await trialsOf(api, older)).filter(({ language }) => language === 'en')
  const compared = slices.getByRole('row', { name: /^en/ })
  await compared.getByText(`A ${percent(baseline)}`).waitFor()
  await compared.getByText(`B ${percent(english)}`).waitFor()
  await slices.getByRole('button', { name: 'de', exact: true }).press('Enter')
  await waitUntil('one example is left', async () => (await examples.getByRole('row').count()) === 2)
})
