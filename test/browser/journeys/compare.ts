import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import type { Client } from '../../../src/client/client.ts'
import { SHOP } from '../seed.ts'
import { journey, waitUntil } from '../environment.ts'

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

/** Seeds a trace from indented op names: each call is a child of the nearest line above with less indent. */
async function seedTrace(api: Client, id: string, lines: readonly string[]): Promise<void> {
  const startMs = Date.now() - 3_600_000
  const ancestors: string[] = []
  const batch = lines.map((line, i) => {
    const depth = line.length - line.trimStart().length
    const call_id = i === 0 ? id : `${id}-${i}`
    const parent_id = depth === 0 ? undefined : ancestors[depth - 1]
    ancestors[depth] = call_id
    return {
      project_id: SHOP,
      id: call_id,
      trace_id: id,
      ...(parent_id === undefined ? {} : { parent_id }),
      op_name: line.trim(),
      started_at: new Date(startMs + i * 10).toISOString(),
      ended_at: new Date(startMs + i * 10 + 5).toISOString(),
      attributes: RawJson.fromValue({}),
      inputs: RawJson.fromValue({ step: line.trim() }),
      output: RawJson.fromValue('done'),
      summary: RawJson.fromValue({}),
    }
  })
  await api.call('calls_complete', { entity: 'admin', project: 'shop', batch })
}

/** Journeys through the comparison of calls, traces and evaluation runs. */
export const compare = [
  journey('two calls of the list are compared by keyboard', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/traces?filter=status+%3D+success+and+name+%3D+shop_agent`)
    await page.getByRole('row').nth(4).waitFor()
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Compare' }).waitFor()
    await page.keyboard.press('c')
    await page.waitForURL(/weave\/compare\?calls=[^,]+,[^,]+$/)
    const tree = page.getByRole('tree', { name: 'Aligned calls' })
    await tree.getByRole('treeitem', { name: /shop_agent/ }).waitFor()
    await page.getByRole('group', { name: 'Diff of A and B' }).first().waitFor()
    // D goes to the next difference.
    await page.keyboard.press('d')
    await page.waitForURL(/at=shop-\d+-search/)
    await page.getByRole('region', { name: 'Comparison of search_orders' }).waitFor()
  }),
  journey('added, removed and moved calls are shown in one tree', async ({ page, url, api }) => {
    await seedTrace(api, 'plan-a', ['planner', ' look_up', '  embed', ' draft', ' check'])
    await seedTrace(api, 'plan-b', ['planner', ' draft', '  look_up', '   embed', ' translate'])
    await page.goto(`${url}/${SHOP}/weave/compare?calls=plan-a,plan-b`)
    const item = (name: RegExp) => page.getByRole('treeitem', { name })
    await item(/^model|planner/)
      .first()
      .waitFor()
    await item(/look_up.*moved/).waitFor()
    await item(/check.*removed/).waitFor()
    await item(/translate.*added/).waitFor()
    await page.getByText('A → B: 1 added, 1 removed, 1 moved').waitFor()
    await item(/check.*removed/).click()
    await page.getByText('Only A has this call').waitFor()
    // O shows only differences and stores that in the URL.
    await page.keyboard.press('o')
    await page.waitForURL(/show=differences/)
    await item(/embed/).waitFor({ state: 'detached' })
  }),
  journey('a call of a trace is compared with another of the same op', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0-llm`)
    await page.getByRole('article').waitFor()
    await page.keyboard.press('c')
    const suggestions = page.getByRole('list', { name: 'Recent calls of the same op' })
    await suggestions.getByRole('button').first().click()
    await page.waitForURL(/calls=shop-0-llm,shop-\d+-llm/)
    const metrics = page.getByRole('region', { name: 'Compared calls' })
    await metrics.getByRole('row', { name: /Cost.*\$.*%\)/ }).waitFor()
    await page.getByRole('button', { name: 'Use B as baseline' }).click()
    await page.waitForURL(/calls=shop-\d+-llm,shop-0-llm/)
    await page.getByRole('button', { name: 'Remove B' }).click()
    await suggestions.waitFor()
  }),
  journey('of three compared calls, the two to diff can be selected', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/compare?calls=shop-0,shop-1,shop-2`)
    await page.getByRole('group', { name: 'Diff of A and B' }).first().waitFor()
    await page.getByText('A – C', { exact: true }).click()
    await page.waitForURL(/with=shop-2/)
    await page.getByRole('group', { name: 'Diff of A and C' }).first().waitFor()
  }),
  journey('hostile payloads are compared as text', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/compare?calls=shop-hostile,shop-1`)
    await page
      .getByText(String.raw`<script>document.title=\"owned\"</script>`)
      .first()
      .waitFor()
    assert.doesNotMatch(await page.title(), /owned/)
    assert.equal(await page.locator('main iframe, main marquee, main img').count(), 0)
  }),
  journey('two evaluation runs are compared, regressions first', async ({ page, url, api }) => {
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
  }),
  journey('failed examples of one run are listed', async ({ page, url, api }) => {
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
  }),
  journey('runs recorded without an SDK are compared', async ({ page, url, api }) => {
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
  }),
  journey('a project without evaluations explains the next step', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/evaluations`)
    await page.getByText('No evaluations yet').waitFor()
    await page.goto(`${url}/${SHOP}/weave/compare`)
    await page.getByRole('link', { name: 'View traces' }).click()
    await page.waitForURL(/weave\/traces/)
  }),
  journey('the shortcut sheet distinguishes upper and lower case', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/compare?calls=shop-1,shop-2`)
    await page.getByRole('tree').first().waitFor()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const shortcutKeys = (label: string) =>
      sheet
        .locator('dt', { hasText: label })
        .locator('xpath=following-sibling::dd')
        .locator('kbd')
        .allInnerTexts()
    await sheet.getByText('Previous difference').waitFor()
    assert.deepEqual(await shortcutKeys('Next difference'), ['D'])
    assert.deepEqual(await shortcutKeys('Previous difference'), ['Shift', 'D'])
  }),
]
