import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import type { Client } from '../../../src/client/client.ts'
import { SHOP } from '../seed.ts'
import { journey, until } from '../environment.ts'

const EVALUATED = { entity: 'admin', project: 'evaluated' }
const PAGE = '/admin/evaluated/weave'

/** Two runs of an evaluation with a regression among them, as the Python SDK records runs. */
async function seedEvaluations(api: Client): Promise<readonly string[]> {
  await api.call('project_demo', EVALUATED)
  const runs: { readonly id: string; readonly started_at: string }[] = []
  for await (const run of await api.call('evaluation_run_list', EVALUATED))
    runs.push({ id: run.evaluation_run_id, started_at: run.started_at })
  runs.sort((a, b) => (a.started_at < b.started_at ? -1 : 1))
  return runs.map(({ id }) => id)
}

/** A trace of calls with names, each below the one before it with less indent. */
async function seedTrace(api: Client, id: string, lines: readonly string[]): Promise<void> {
  const startMs = Date.now() - 3_600_000
  const above: string[] = []
  const batch = lines.map((line, i) => {
    const depth = line.length - line.trimStart().length
    const call_id = i === 0 ? id : `${id}-${i}`
    const parent_id = depth === 0 ? undefined : above[depth - 1]
    above[depth] = call_id
    return {
      project_id: SHOP,
      id: call_id,
      trace_id: id,
      ...(parent_id === undefined ? {} : { parent_id }),
      op_name: line.trim(),
      started_at: new Date(startMs + i * 10).toISOString(),
      ended_at: new Date(startMs + i * 10 + 5).toISOString(),
      attributes: RawJson.of({}),
      inputs: RawJson.of({ step: line.trim() }),
      output: RawJson.of('done'),
      summary: RawJson.of({}),
    }
  })
  await api.call('calls_complete', { entity: 'admin', project: 'shop', batch })
}

/** Calls, traces and evaluations side by side. */
export const comparing = [
  journey('two calls of the list are compared without the mouse', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/traces?filter=status+%3D+success+and+name+%3D+shop_agent`)
    await page.getByRole('row').nth(4).waitFor()
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Compare' }).waitFor()
    await page.keyboard.press('c')
    await page.waitForURL(/weave\/compare\?calls=[^,]+,[^,]+$/)
    const tree = page.getByRole('tree', { name: 'Structure of the calls' })
    await tree.getByRole('treeitem', { name: /shop_agent/ }).waitFor()
    await page.getByRole('group', { name: 'A and B, compared' }).first().waitFor()
    // From difference to difference.
    await page.keyboard.press('d')
    await page.waitForURL(/at=shop-\d+-search/)
    await page.getByRole('region', { name: 'search_orders compared' }).waitFor()
  }),
  journey('what was added, removed and moved stands in one structure', async ({ page, url, api }) => {
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
    // Nothing but differences, and that in the address.
    await page.keyboard.press('o')
    await page.waitForURL(/show=differences/)
    await item(/embed/).waitFor({ state: 'detached' })
  }),
  journey('a call of a trace is compared with another of the same op', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0-llm`)
    await page.getByRole('article').waitFor()
    await page.keyboard.press('c')
    const offers = page.getByRole('list', { name: 'Latest calls of the same op' })
    await offers.getByRole('button').first().click()
    await page.waitForURL(/calls=shop-0-llm,shop-\d+-llm/)
    const numbers = page.getByRole('region', { name: 'The calls' })
    await numbers.getByRole('row', { name: /Cost.*\$.*%\)/ }).waitFor()
    await page.getByRole('button', { name: 'Measure by B' }).click()
    await page.waitForURL(/calls=shop-\d+-llm,shop-0-llm/)
    await page.getByRole('button', { name: 'Take out B' }).click()
    await offers.waitFor()
  }),
  journey('three calls are compared, and whose text is seen can be chosen', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/compare?calls=shop-0,shop-1,shop-2`)
    await page.getByRole('group', { name: 'A and B, compared' }).first().waitFor()
    await page.getByText('A – C', { exact: true }).click()
    await page.waitForURL(/with=shop-2/)
    await page.getByRole('group', { name: 'A and C, compared' }).first().waitFor()
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
    await page.getByRole('grid', { name: 'Runs of evaluations' }).getByRole('row').nth(2).waitFor()
    // The older run first: the newer is measured by it.
    for (const key of ['j', 'j', 'x', 'k', 'x', 'c']) await page.keyboard.press(key)
    await page.waitForURL(/compare-evaluations\?runs=/)
    const examples = page.getByRole('grid', { name: 'Examples' })
    await examples.getByRole('row').nth(1).getByText('▾ worse').waitFor()
    const cards = page.getByRole('list', { name: 'What the runs came to' })
    await cards.getByText('66.7 %').waitFor()
    await cards.getByText('91.7 %').waitFor()
    // By one score alone: nothing failed that had passed.
    await cards.getByRole('button', { name: 'mentions_expected.correct', exact: true }).click()
    await page.waitForURL(/by=mentions_expected\.correct/)
    await page.getByText('Got worse 0', { exact: true }).click()
    await page.getByText('No example got worse').waitFor()
    await page.getByText('Got better 3', { exact: true }).click()
    await until('three examples are left', async () => (await examples.getByRole('row').count()) === 4)
    // What the address says is what is seen by whoever it is sent to.
    await page.reload()
    await until('three examples are left', async () => (await examples.getByRole('row').count()) === 4)
    await page.keyboard.press('j')
    await page.waitForURL(/example=/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/weave\/compare\?calls=/)
    await page.getByRole('treeitem', { name: /ShopAssistant\.predict/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/compare-evaluations.*example=/)
  }),
  journey('of one run the examples that failed are found', async ({ page, url, api }) => {
    const [first = ''] = await seedEvaluations(api)
    await page.goto(`${url}${PAGE}/evaluations`)
    await page.getByRole('link', { name: 'small model, first prompt' }).click()
    await page.waitForURL(new RegExp(`evaluations/${first}`))
    await page.getByText('Not passed 4', { exact: true }).click()
    await page.getByRole('grid', { name: 'Examples' }).getByText('✕ not passed').nth(3).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/weave\/calls\//)
    await page
      .getByRole('treeitem', { name: /Evaluation\.predict_and_score/ })
      .first()
      .waitFor()
  }),
  journey('runs that were recorded without an SDK are compared too', async ({ page, url, api }) => {
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
          inputs: RawJson.of({ question }),
          output: RawJson.of(n === 1 && question === '2 + 2' ? 'five' : 'right'),
          evaluation_run_id,
        })
        await api.call('score_create', {
          ...EVALUATED,
          prediction_id,
          scorer: 'weave:///admin/evaluated/object/exact:v0',
          value: RawJson.of(!(n === 1 && question === '2 + 2')),
          evaluation_run_id,
        })
        await api.call('prediction_finish', { ...EVALUATED, prediction_id })
      }
      await api.call('evaluation_run_finish', { ...EVALUATED, evaluation_run_id })
      runIds.push(evaluation_run_id)
    }
    await page.goto(`${url}${PAGE}/compare-evaluations?runs=${runIds.join(',')}&show=worse`)
    const examples = page.getByRole('grid', { name: 'Examples' })
    await examples.getByRole('row').nth(1).getByText('five').waitFor()
    assert.equal(await examples.getByRole('row').count(), 2)
    await page.goto(`${url}${PAGE}/evaluations`)
    await page.getByRole('button', { name: 'sums' }).first().click()
    await page.waitForURL(/evaluation=sums/)
    await until(
      'only the runs of that evaluation',
      async () => (await page.getByRole('grid').getByRole('row').count()) === 3,
    )
  }),
  journey('a project without evaluations says what to do', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/evaluations`)
    await page.getByText('No evaluation has run yet').waitFor()
    await page.goto(`${url}/${SHOP}/weave/compare`)
    await page.getByRole('link', { name: 'To the traces' }).click()
    await page.waitForURL(/weave\/traces/)
  }),
  journey('the sheet tells a capital from a small letter', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/compare?calls=shop-1,shop-2`)
    await page.getByRole('tree').first().waitFor()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const keysOf = (label: string) =>
      sheet
        .locator('dt', { hasText: label })
        .locator('xpath=following-sibling::dd')
        .locator('kbd')
        .allInnerTexts()
    await sheet.getByText('Previous difference').waitFor()
    assert.deepEqual(await keysOf('Next difference'), ['D'])
    assert.deepEqual(await keysOf('Previous difference'), ['Shift', 'D'])
  }),
]
