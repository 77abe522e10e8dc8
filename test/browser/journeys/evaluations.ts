import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import { RawJson } from '../../../src/contract/raw-json.ts'
import type { Client } from '../../../src/client/client.ts'
import { assistantRuns } from '../assistant-runs.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'
import { ASSISTANT } from '../program/assistant.ts'

const EVALUATED = { entity: 'admin', project: 'evaluated' }
const PAGE = '/admin/evaluated/weave'

/** Seeds two evaluation runs with one regression, as the Python SDK records them, and returns their ids. */
async function seedEvaluations(api: Client): Promise<readonly string[]> {
  await api.call('project_demo', EVALUATED)
  const runs: { readonly id: string; readonly started_at: string }[] = []
  for await (const run of await api.call('evaluation_run_list', EVALUATED))
    runs.push({ id: run.evaluation_run_id, started_at: run.started_at })
  runs.sort((a, b) => (a.started_at < b.started_at ? -1 : 1))
  return runs.map(({ id }) => id)
}

/** Elements with a vertical scrollbar. */
function scrollbars(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter(
        (element) =>
          element.scrollHeight > element.clientHeight + 1 &&
          /auto|scroll/.test(getComputedStyle(element).overflowY),
      )
      .map((element) => element.getAttribute('aria-label') ?? element.className),
  )
}

/** Journeys through evaluation runs. */

test('evaluation numbers equal those of the SDK on every page', async ({ page, url, api, assistant }) => {
  await assistant()
  const [older, newer] = await assistantRuns(api)
  await page.goto(`${url}/${ASSISTANT}/weave/evaluations`)
  const list = page.getByRole('grid', { name: 'Evaluation runs' })
  // Tokens of the model, of retrieval and of the judge.
  await list.getByRole('row', { name: /correct 80 %.*helpful 0\.8 .*2,353 \$0\.0008/ }).waitFor()
  await list.getByRole('row', { name: /correct 60 %.*helpful 0\.663 .*1,996 ≥ \$0\.0004/ }).waitFor()

  await page.getByRole('link', { name: newer }).click()
  const card = (name: string) =>
    page.getByRole('list', { name: 'Run summary' }).getByRole('listitem', { name })
  await card('mentions.correct').getByText('60 %', { exact: true }).waitFor()
  await card('Judge.helpful').getByText('0.663', { exact: true }).waitFor()
  await card('Tokens').getByText('1,996', { exact: true }).waitFor()
  await card('Cost').getByText('≥ $0.0004', { exact: true }).waitFor()
  await card('Errors').getByText('1', { exact: true }).waitFor()
  // The example that failed has its error.
  const failed = page.getByRole('grid', { name: 'Examples' }).getByRole('row', { name: /refund order/ })
  await failed.getByText(/RefundRefused.*order A-1042 was not refunded/).waitFor()
  await failed.getByText('✕ error').waitFor()

  await page.getByRole('link', { name: 'Trace', exact: true }).click()
  const article = page.getByRole('article')
  await article.getByText('≥ $0.0004', { exact: true }).waitFor()
  await article.getByText('1,861 → 135', { exact: true }).waitFor()
  await page.getByRole('treeitem', { name: new RegExp(`${newer}.*1,996 tok.*≥ \\$0\\.0004`) }).waitFor()

  await page.goto(`${url}/${ASSISTANT}/weave/evaluations`)
  // The newer run is selected first; the older one is still the baseline.
  await list.getByRole('row').nth(2).waitFor()
  for (const key of ['j', 'x', 'j', 'x', 'c']) await page.keyboard.press(key)
  await card('mentions.correct')
    .getByText(/^−20 %$/)
    .waitFor()
  await card('mentions.correct').getByText('80 %', { exact: true }).waitFor()
  await card('Cost').getByText('≥ $0.0004', { exact: true }).waitFor()
  // The difference to a lower bound is unknown.
  assert.doesNotMatch(await card('Cost').innerText(), /[+−]/)
  const headers = page.getByRole('grid', { name: 'Examples' }).getByRole('columnheader')
  assert.match(await headers.nth(1).innerText(), new RegExp(`A\\s*${older}`))
  await page.getByRole('button', { name: 'Use B as baseline' }).click()
  await page.waitForURL(/baseline=/)
  await card('mentions.correct').getByText('+20 %', { exact: true }).waitFor()
})

test('pages of evaluations have one vertical scrollbar', async ({ page, url, api, assistant }) => {
  await assistant()
  const [older] = await assistantRuns(api)
  await page.setViewportSize({ width: 1280, height: 480 })
  await page.goto(`${url}/${ASSISTANT}/weave/evaluations`)
  await page.getByRole('link', { name: older }).click()
  await page.getByRole('grid', { name: 'Examples' }).waitFor()
  const main = async () => (await scrollbars(page)).filter((name) => !/sidebar|Project/i.test(name))
  assert.deepEqual(await main(), ['Matrix of examples and runs'])
})

test('two evaluation runs are compared, regressions first', async ({ page, url, api }) => {
  await seedEvaluations(api)
  await page.goto(`${url}${PAGE}/evaluations`)
  await page.getByRole('grid', { name: 'Evaluation runs' }).getByRole('row').nth(2).waitFor()
  // The older run is selected first, so it is the baseline.
  for (const key of ['j', 'j', 'x', 'k', 'x', 'c']) await page.keyboard.press(key)
  await page.waitForURL(/compare-evaluations\?runs=/)
  const examples = page.getByRole('grid', { name: 'Examples' })
  await examples.getByRole('row').nth(1).getByText('▾ regressed').waitFor()
  const cards = page.getByRole('list', { name: 'Run summary' })
  await cards.getByText('66.7 %').waitFor()
  await cards.getByText('91.7 %').waitFor()
  // By this score alone, no example regressed.
  await cards.getByRole('button', { name: 'mentions_expected.correct', exact: true }).click()
  await page.waitForURL(/by=mentions_expected\.correct/)
  await page.getByText('Regressed 0', { exact: true }).click()
  await page.getByText('No regressions').waitFor()
  await page.getByText('Improved 3', { exact: true }).click()
  await waitUntil('three examples are left', async () => (await examples.getByRole('row').count()) === 4)
  // The URL restores the same view.
  await page.reload()
  await waitUntil('three examples are left', async () => (await examples.getByRole('row').count()) === 4)
  await page.keyboard.press('j')
  await page.waitForURL(/example=/)
  await page.keyboard.press('Enter')
  await page.waitForURL(/weave\/compare\?calls=/)
  await page.getByRole('treeitem', { name: /ShopAssistant\.predict/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/compare-evaluations.*example=/)
})

test('failed examples of one run are listed', async ({ page, url, api }) => {
  const [first = ''] = await seedEvaluations(api)
  await page.goto(`${url}${PAGE}/evaluations`)
  await page.getByRole('link', { name: 'small model, first prompt' }).click()
  await page.waitForURL(new RegExp(`evaluations/${first}`))
  await page.getByText('Failed 4', { exact: true }).click()
  await page.getByRole('grid', { name: 'Examples' }).getByText('✕ failed').nth(3).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/weave\/calls\//)
  await page
    .getByRole('treeitem', { name: /Evaluation\.predict_and_score/ })
    .first()
    .waitFor()
})

test('runs recorded without an SDK are compared', async ({ page, url, api }) => {
  const runIds: string[] = []
  for (const [n, model] of ['first', 'second'].entries()) {
    const { evaluation_run_id } = await api.call('evaluation_run_create', {
      ...EVALUATED,
      evaluation: 'weave:///admin/evaluated/object/sums:v0',
      model: `weave:///admin/evaluated/object/${model}:v0`,
    })
    for (const question of ['1 + 1', '2 + 2', '3 + 3']) {
      const { prediction_id } = await api.call('prediction_create', {
        ...EVALUATED,
        model: `weave:///admin/evaluated/object/${model}:v0`,
        inputs: RawJson.fromValue({ question }),
        output: RawJson.fromValue(n === 1 && question === '2 + 2' ? 'five' : 'right'),
        evaluation_run_id,
      })
      await api.call('score_create', {
        ...EVALUATED,
        prediction_id,
        scorer: 'weave:///admin/evaluated/object/exact:v0',
        value: RawJson.fromValue(!(n === 1 && question === '2 + 2')),
        evaluation_run_id,
      })
      await api.call('prediction_finish', { ...EVALUATED, prediction_id })
    }
    await api.call('evaluation_run_finish', { ...EVALUATED, evaluation_run_id })
    runIds.push(evaluation_run_id)
  }
  await page.goto(`${url}${PAGE}/compare-evaluations?runs=${runIds.join(',')}&show=regressed`)
  const examples = page.getByRole('grid', { name: 'Examples' })
  await examples.getByRole('row').nth(1).getByText('five').waitFor()
  assert.equal(await examples.getByRole('row').count(), 2)
  await page.goto(`${url}${PAGE}/evaluations`)
  await page.getByRole('button', { name: 'sums' }).first().click()
  await page.waitForURL(/evaluation=sums/)
  await waitUntil(
    'only the runs of that evaluation',
    async () => (await page.getByRole('grid').getByRole('row').count()) === 3,
  )
})
