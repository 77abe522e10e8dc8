import assert from 'node:assert/strict'
import type { Locator, Page } from '@playwright/test'
import type { Client } from '../../../src/client/client.ts'
import { docsImage } from '../docs-image.ts'
import { type Fixtures, test } from '../fixtures.ts'
import { switchTheme, waitUntil } from '../waits.ts'
import { ASSISTANT } from '../program/assistant.ts'
import { EMPTY } from '../seed.ts'

/** Dashboards that people define, and saved SQL queries, on what a real program sent. */

const DASHBOARDS = `${ASSISTANT}/weave/dashboards`
const QUERY = 'SELECT op, count() AS calls FROM calls GROUP BY op ORDER BY calls DESC'

function chart(page: Page, title: string): Locator {
  return page.getByRole('list', { name: 'Charts' }).getByRole('figure', { name: title, exact: true })
}

async function createDashboard(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New dashboard' }).click()
  const dialog = page.getByRole('dialog', { name: 'New dashboard' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name, exact: true }).waitFor()
}

interface NewChart {
  readonly measure: string
  readonly field?: string
  readonly kind: string
  readonly group?: string
  readonly scope?: string
  readonly title?: string
}

async function addChart(page: Page, { measure, field, kind, group, scope, title }: NewChart): Promise<void> {
  await page.getByRole('button', { name: 'Add chart' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add chart' })
  await dialog.getByRole('combobox', { name: 'Measure' }).selectOption({ label: measure })
  if (field !== undefined) await dialog.getByRole('combobox', { name: 'Field' }).fill(field)
  await dialog.getByText(kind, { exact: true }).click()
  if (group !== undefined) await dialog.getByRole('combobox', { name: 'Group by' }).fill(group)
  if (scope !== undefined) await dialog.getByText(scope, { exact: true }).click()
  if (title !== undefined) await dialog.getByRole('textbox', { name: 'Title' }).fill(title)
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await preview.getByRole('figure').waitFor()
  if (kind === 'Line' || kind === 'Bars') await preview.locator('canvas').waitFor()
  await dialog.getByRole('button', { name: 'Add chart' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

async function saveQuery(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/${ASSISTANT}/weave/sql?view=chart&query=${encodeURIComponent(QUERY)}`)
  await page.getByRole('list', { name: 'calls', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Saved queries' }).click()
  await page.getByRole('menuitem', { name: 'Save query' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save query' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: `Query ${name}`, exact: true }).waitFor()
}

/** The total of a measure over all calls of the program. */
async function total(api: Client, measure: 'errors' | `avg(${string})`): Promise<number> {
  const [entity = '', project = ''] = ASSISTANT.split('/')
  const { groups } = await api.call('project_metrics', {
    entity,
    project,
    start: new Date(Date.now() - 86_400_000).toISOString(),
    bucket: 'none',
    measures: [measure],
  })
  const value = groups[0]?.totals[measure] ?? null
  return value === null || typeof value === 'number' ? (value ?? Number.NaN) : Number(value.text)
}

/** The titles of the charts in their order. */
const titles = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Charts' }).getByRole('heading').allTextContents()

const choose = async (page: Page, menu: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Creates the dashboard of these journeys. */
async function createExample(
  { page, url, assistant }: Pick<Fixtures, 'page' | 'url' | 'assistant'>,
  name: string,
): Promise<void> {
  await assistant()
  await saveQuery(page, url, `Calls by op of ${name}`)
  await page.goto(`${url}/${DASHBOARDS}`)
  await createDashboard(page, name)
  await addChart(page, { measure: 'Cost', kind: 'Bars', group: 'model' })
  await addChart(page, { measure: 'Errors', kind: 'Number', scope: 'All calls' })
  const field = 'scores.mentions.correct'
  await addChart(page, { measure: 'Average of…', field, kind: 'Line', title: 'Correct' })
  await page.getByRole('button', { name: 'Add chart' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add chart' })
  await dialog.getByText('SQL query', { exact: true }).click()
  await dialog
    .getByRole('combobox', { name: 'Saved query' })
    .selectOption({ label: `Calls by op of ${name}` })
  await dialog.getByRole('region', { name: 'Preview' }).getByText('Assistant.predict').waitFor()
  await dialog.getByRole('button', { name: 'Add chart' }).click()
  await chart(page, `Calls by op of ${name}`).getByText('Assistant.predict').waitFor()
}

test('a dashboard of cost, errors, a score and a SQL query is shared by URL', async ({
  page,
  url,
  api,
  assistant,
}) => {
  await createExample({ page, url, assistant }, 'Answer quality')
  await page.getByRole('button', { name: 'Time range: Last 7 days' }).click()
  await page.getByRole('button', { name: 'Last 24 hours' }).click()
  await waitUntil('the range in the address', async () => page.url().includes('range=24h'))

  const other = await page.context().newPage()
  await other.goto(page.url())
  await chart(other, 'Cost').locator('canvas').waitFor()
  const query = 'Calls by op of Answer quality'
  await other.getByRole('figure', { name: query }).waitFor()
  assert.deepEqual(await titles(other), ['Cost', 'Errors', 'Correct', query])
  const errors = await total(api, 'errors')
  assert.ok(errors > 0)
  await chart(other, 'Errors')
    .getByRole('link', { name: String(errors), exact: true })
    .waitFor()
  const correct = await total(api, 'avg(scores.mentions.correct)')
  assert.ok(correct > 0 && correct < 1)
  const shown = await chart(other, 'Correct').getByRole('table').getByRole('cell').last().textContent()
  assert.equal(Number(shown).toFixed(2), correct.toFixed(2))
  await chart(other, query).getByText('Assistant.predict').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await switchTheme(other, colorScheme)
    await chart(other, 'Correct').locator('canvas').waitFor()
    await docsImage(other, `dashboards-${colorScheme}`)
  }

  // A filter of the page applies to every chart of calls.
  await other.getByRole('button', { name: /^Filter or search/ }).click()
  await other.getByRole('combobox', { name: 'Filter' }).fill('environment = nowhere')
  await other.keyboard.press('Enter')
  await chart(other, 'Errors').getByRole('link', { name: '0', exact: true }).waitFor()
  await other.goBack()

  // A group opens its calls.
  await chart(other, 'Cost')
    .getByRole('link', { name: /^gpt-4o-mini/ })
    .click()
  await other.getByRole('button', { name: /^Condition model = gpt-4o-mini.*: edit$/ }).waitFor()
  await other.goBack()
  await chart(other, 'Errors').getByRole('link').click()
  await other.getByRole('button', { name: 'Condition status = error: edit' }).waitFor()
  await other.getByText(`${errors} calls`).waitFor()

  // The palette finds the dashboard.
  await other.keyboard.press('Control+k')
  await other.getByRole('combobox', { name: /^Go to a page/ }).fill('answer qual')
  await other.getByRole('option', { name: 'Answer quality Dashboard' }).click()
  await chart(other, 'Errors').waitFor()
  await other.goto(`${url}/${DASHBOARDS}`)
  await other.getByRole('link', { name: 'Answer quality' }).waitFor()
  await other.getByText('4 charts').waitFor()
})

test('charts are edited, moved by keyboard, resized and removed', async ({ page, url, assistant }) => {
  const name = 'Moved charts'
  await createExample({ page, url, assistant }, name)
  await choose(page, 'Actions for Errors', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit chart' })
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Failures')
  await dialog.getByRole('button', { name: /^Filter or search/ }).click()
  await dialog.getByRole('combobox', { name: 'Filter' }).fill('op = refund_order')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Condition op = refund_order: edit' }).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await chart(page, 'Failures').getByRole('link').waitFor()

  const later = page.getByRole('button', { name: 'Move Cost later' })
  await later.focus()
  for (const order of ['Failures,Cost,Correct', 'Failures,Correct,Cost']) {
    await page.keyboard.press('Enter')
    await waitUntil(order, async () => (await titles(page)).join().startsWith(order))
    await waitUntil('the button keeps the focus', () =>
      later.evaluate((button) => button === document.activeElement),
    )
  }
  const width = async (): Promise<number> => (await chart(page, 'Cost').boundingBox())?.width ?? 0
  const before = await width()
  await choose(page, 'Actions for Cost', 'Whole width')
  await waitUntil('the chart is wide', async () => (await width()) > before * 1.8)
  await choose(page, 'Actions for Correct', 'Remove')
  await chart(page, 'Correct').waitFor({ state: 'detached' })
  await page.reload()
  await chart(page, 'Failures').getByRole('link').waitFor()
  const query = `Calls by op of ${name}`
  await chart(page, query).getByText('Assistant.predict').waitFor()
  assert.deepEqual(await titles(page), ['Failures', 'Cost', query])
  assert.ok((await width()) > before * 1.8)
})

test('Enter in a field of a chart that is being defined does not add it', async ({ page, url }) => {
  await page.goto(`${url}/${EMPTY}/weave/dashboards`)
  await createDashboard(page, 'Unfinished')
  await page.getByRole('button', { name: 'Add chart' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add chart' })
  const group = dialog.getByRole('combobox', { name: 'Group by' })
  await group.pressSequentially('mod')
  // What is being typed is not wrong yet, and the preview stays.
  assert.equal(await dialog.getByText(/Unknown field/).count(), 0)
  await dialog.getByRole('region', { name: 'Preview' }).getByRole('figure').waitFor()
  await group.press('Enter')
  await dialog.getByText(/Unknown field mod/).waitFor()
  await group.fill('model')
  await group.press('Enter')
  await dialog.getByText(/Unknown field/).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Add chart' }).waitFor()
})

test('a dashboard is renamed, duplicated and deleted', async ({ page, url }) => {
  await page.goto(`${url}/${EMPTY}/weave/dashboards`)
  await createDashboard(page, 'First')
  await page.getByText('No charts yet').waitFor()
  await choose(page, 'Actions for First', 'Rename')
  const renaming = page.getByRole('dialog', { name: 'Rename “First”' })
  await renaming.getByRole('textbox', { name: 'Name' }).fill('Second')
  await renaming.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'Second', exact: true }).waitFor()
  const address = page.url()
  await choose(page, 'Actions for Second', 'Duplicate')
  await page
    .getByRole('dialog', { name: 'Duplicate “Second”' })
    .getByRole('button', { name: 'Duplicate' })
    .click()
  await page.getByRole('heading', { name: 'Second (copy)' }).waitFor()
  assert.notEqual(page.url(), address)
  await page.goto(address)
  await choose(page, 'Actions for Second', 'Delete')
  await page
    .getByRole('dialog', { name: 'Delete dashboard “Second”?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor()
  const list = page.getByRole('list', { name: 'Dashboards' })
  await waitUntil('the copy and not the original', async () => {
    const names = await list.getByRole('link').allTextContents()
    return names.includes('Second (copy)') && !names.includes('Second')
  })
  await page.goto(address)
  await page.getByRole('heading', { name: 'Dashboard not found' }).waitFor()
})

test('a dashboard created before the list is loaded opens', async ({ page, url }) => {
  let isCreated = false
  // The list is read before the dashboard exists, and arrives after.
  await page.route('**/objs/query', async (route) => {
    const response = await route.fetch()
    await waitUntil('the dashboard is created', () => Promise.resolve(isCreated))
    await route.fulfill({ response }).catch(() => undefined)
  })
  page.on('response', (response) => {
    if (response.url().endsWith('/obj/create')) isCreated = true
  })
  await page.goto(`${url}/${EMPTY}/weave/dashboards`)
  await createDashboard(page, 'Created early')
  await page.getByText('No charts yet').waitFor()
})

test('a SQL query is saved, opened, changed and deleted', async ({ page, url, assistant }) => {
  await assistant()
  await saveQuery(page, url, 'Ops')
  const other = await page.context().newPage()
  await other.goto(`${url}/${ASSISTANT}/weave/sql`)
  await choose(other, 'Saved queries', 'Ops')
  await other.getByRole('list', { name: 'calls', exact: true }).waitFor()
  await other.getByText('Table', { exact: true }).click()
  await other.getByRole('table', { name: 'Query result' }).waitFor()
  await choose(other, 'Query Ops modified', 'Save changes')
  await other.getByRole('button', { name: 'Query Ops', exact: true }).waitFor()
  await page.reload()
  await choose(page, 'Query Ops modified', 'Ops')
  await page.getByRole('table', { name: 'Query result' }).waitFor()
  await choose(page, 'Query Ops', 'Delete')
  await page
    .getByRole('dialog', { name: 'Delete query “Ops”?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await page.getByRole('button', { name: 'Saved queries' }).waitFor()
})
