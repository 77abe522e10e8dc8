import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'

async function write(page: Page, query: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'SQL query' })
  await editor.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(query)
}

const BY_STATUS = 'SELECT status, count() AS n FROM calls GROUP BY status ORDER BY n DESC'

/** The SQL page. */

test('a query is run with the keyboard and shared by URL', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/sql`)
  await write(page, BY_STATUS)
  await page.keyboard.press('Control+Enter')
  const answer = page.getByRole('table', { name: 'Query result' })
  await answer.getByRole('cell', { name: 'success', exact: true }).waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other
    .getByRole('table', { name: 'Query result' })
    .getByRole('cell', { name: 'success', exact: true })
    .waitFor()
  await other.getByText('Chart', { exact: true }).click()
  await other.getByRole('list', { name: 'n', exact: true }).getByText('success').waitFor()
  assert.match(other.url(), /view=chart/)
})

test('an example runs as a chart', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/sql`)
  await page.getByRole('button', { name: 'Examples' }).click()
  await page.getByRole('menuitem', { name: 'Calls by hour and status' }).click()
  await page.getByRole('figure', { name: 'By hour' }).locator('canvas').waitFor()
})

test('a ClickHouse error has a hint', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/sql`)
  await write(page, 'SELECT duration FROM calls')
  await page.getByRole('button', { name: /^Run/ }).click()
  const alert = page.getByRole('alert')
  await alert.getByText(/Unknown expression identifier/).waitFor()
  await alert.getByText(/^No column has that name/).waitFor()
  await write(page, 'SELECT count() FROM system.processes')
  await page.keyboard.press('Control+Enter')
  await alert.getByText(/^SQL can read only the views of this project/).waitFor()
})

test('typing does not trigger shortcuts, and a click inserts a column', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/sql`)
  await write(page, '')
  await page.keyboard.type('SELECT id ? j k / x, ')
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page
    .getByRole('complementary', { name: 'Views and columns' })
    .getByRole('button', { name: 'latency_ms' })
    .click()
  const editor = page.getByRole('textbox', { name: 'SQL query' })
  await waitUntil('the name is in the query', async () => /x, latency_ms/.test(await editor.innerText()))
})

test('an id in a result links to its call', async ({ page, url }) => {
  const query = "SELECT id, inputs FROM calls WHERE id = 'shop-3'"
  await page.goto(`${url}/${SHOP}/weave/sql?query=${encodeURIComponent(query)}`)
  await page.getByRole('button', { name: /^inputs: .* show all$/ }).click()
  // In the original spelling, although the number exceeds JavaScript's precision.
  await page.getByRole('dialog').getByText('12345678901234567890').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'shop-3' }).click()
  await page.getByRole('article', { name: 'Call shop_agent' }).waitFor()
})

test('ten thousand rows scroll', async ({ page, url }) => {
  const query = 'SELECT number AS n FROM numbers(20000) ORDER BY n'
  await page.goto(`${url}/${SHOP}/weave/sql?query=${encodeURIComponent(query)}`)
  await page.getByText(/^First 10,000 rows/).waitFor()
  await page.getByRole('region', { name: 'Result rows' }).evaluate((element) => {
    element.scrollTo(0, element.scrollHeight)
  })
  await page.getByRole('cell', { name: '9999', exact: true }).waitFor()
  assert.ok((await page.getByRole('row').count()) < 200)
})
