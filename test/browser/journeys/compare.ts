import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import type { Client } from '../../../src/client/client.ts'
import { ASSISTANT } from '../program/assistant.ts'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'

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

/** Journeys through the comparison of calls and traces. */

test('two calls of the list are compared by keyboard', async ({ page, url }) => {
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
})

test('added, removed and moved calls are shown in one tree', async ({ page, url, api }) => {
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
})

test('a call of a trace is compared with another of the same op', async ({ page, url }) => {
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
})

test('of three compared calls, the two to diff can be selected', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/compare?calls=shop-0,shop-1,shop-2`)
  await page.getByRole('group', { name: 'Diff of A and B' }).first().waitFor()
  await page.getByText('A – C', { exact: true }).click()
  await page.waitForURL(/with=shop-2/)
  await page.getByRole('group', { name: 'Diff of A and C' }).first().waitFor()
})

test('IDs and times are ignored unless asked for', async ({ page, url, api, assistant }) => {
  await assistant()
  const [entity = '', project = ''] = ASSISTANT.split('/')
  const { calls } = await api.call('project_calls', {
    entity,
    project,
    filter: { op_names: [`weave:///${ASSISTANT}/op/openai.chat.completions.create:*`] },
    limit: 1000,
  })
  // The judge rates the same reply of two models.
  const [a, b] = calls.filter(({ inputs }) => /Rate from 0 to 1.*Where is my order A-1042/.test(inputs.text))
  assert.ok(a !== undefined && b !== undefined && a.trace_id !== b.trace_id)
  await page.goto(`${url}/${ASSISTANT}/weave/compare?calls=${a.id},${b.id}`)
  await page.getByText('A → B: no differences').waitFor()
  await page.getByText('No differences, except for IDs and times').waitFor()
  await page.getByRole('checkbox', { name: 'Include IDs and times' }).check()
  await page.waitForURL(/volatile=on/)
  await page.getByText('A → B: 1 changed').waitFor()
  await page
    .getByRole('group', { name: 'Diff of A and B' })
    .getByText(/chatcmpl/)
    .first()
    .waitFor()
})

test('hostile payloads are compared as text', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/compare?calls=shop-hostile,shop-1`)
  await page
    .getByText(String.raw`<script>document.title=\"owned\"</script>`)
    .first()
    .waitFor()
  assert.doesNotMatch(await page.title(), /owned/)
  assert.equal(await page.locator('main iframe, main marquee, main img').count(), 0)
})

test('a project without evaluations explains the next step', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/evaluations`)
  await page.getByText('No evaluations yet').waitFor()
  await page.goto(`${url}/${SHOP}/weave/compare`)
  await page.getByRole('link', { name: 'View traces' }).click()
  await page.waitForURL(/weave\/traces/)
})

test('the shortcut sheet distinguishes upper and lower case', async ({ page, url }) => {
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
})
