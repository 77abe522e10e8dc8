import assert from 'node:assert/strict'
import type { Locator, Page } from '@playwright/test'
import { OLD, SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'

const DASHBOARD = `${SHOP}/weave/dashboard`

function chart(page: Page, title: string): Locator {
  return page.getByRole('figure', { name: title, exact: true })
}

/** The bounding box of the plot area of a chart. */
async function plotBox(figure: Locator) {
  await figure.locator('canvas').waitFor()
  const box = await figure.locator('.u-over').boundingBox()
  assert.ok(box !== null)
  return box
}

/** Journeys through the dashboard. */

test('a chart links to its calls', async ({ page, url }) => {
  await page.goto(`${url}/${DASHBOARD}?range=24h`)
  await chart(page, 'Latency').getByRole('link', { name: 'p95' }).waitFor()
  await page.getByText('Latency p99').waitFor()
  await chart(page, 'Errors').getByRole('link', { name: 'error' }).click()
  await page.getByRole('button', { name: 'Condition status = error: edit' }).waitFor()
  await waitUntil('only calls with errors', async () => {
    const errors = await page.getByRole('img', { name: 'error', exact: true }).count()
    return errors >= 9 && errors === (await page.getByRole('row').count()) - 1
  })
})

test('a chart shows all values at the pointer, and its legend hides series', async ({ page, url }) => {
  await page.goto(`${url}/${DASHBOARD}?range=24h&bucket=hour`)
  const latency = chart(page, 'Latency')
  const box = await plotBox(latency)
  const tooltip = latency.locator('[aria-hidden=true]').filter({ hasText: 'p50' })
  await page.mouse.move(box.x + box.width * 0.62, box.y + box.height / 2)
  await tooltip.filter({ hasText: 'p95' }).first().waitFor()
  const p95 = latency.getByRole('button', { name: 'Show p95' })
  await p95.click()
  await latency.getByRole('button', { name: 'Show p95', pressed: false }).waitFor()
  await page.mouse.move(box.x + box.width * 0.62, box.y + box.height / 2)
  await tooltip.first().waitFor()
  assert.equal(await tooltip.filter({ hasText: 'p95' }).count(), 0)
  await p95.click()
  await latency.getByRole('button', { name: 'Show p95', pressed: true }).waitFor()
})

test('a bar links to the calls of its bucket', async ({ page, url }) => {
  await page.goto(`${url}/${DASHBOARD}?range=24h&bucket=hour`)
  const box = await plotBox(chart(page, 'Traces'))
  // In the last 20 hours three traces started each hour, so a click near the middle always hits a bar.
  await page.mouse.click(box.x + box.width * 0.62, box.y + box.height - 6)
  await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
  assert.match(decodeURIComponent(page.url()), /range=\d{4}-.*Z\.\.\d{4}-.*Z/)
  await page.getByText(/^[1-4] traces?/).waitFor()
})

test('dragging over a chart offers its traces and zoom', async ({ page, url }) => {
  await page.goto(`${url}/${DASHBOARD}?range=24h`)
  const box = await plotBox(chart(page, 'Tokens'))
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.7, box.y + 40, { steps: 5 })
  await page.mouse.up()
  const bar = page.getByRole('toolbar', { name: 'Selected time range' })
  await bar.getByRole('link', { name: 'View traces' }).waitFor()
  await bar.getByRole('button', { name: 'Zoom in' }).click()
  await waitUntil('a time in the address', async () => /range=\d{4}-/.test(page.url()))
  await chart(page, 'Tokens').locator('canvas').waitFor()
  await bar.waitFor({ state: 'hidden' })
})

test('metrics grouped by any field are shared by URL', async ({ page, url }) => {
  await page.goto(`${url}/${DASHBOARD}?range=24h`)
  await page.getByRole('button', { name: 'Group by: None' }).click()
  await page.getByRole('textbox', { name: 'Any call field' }).fill('attributes.env')
  await page.getByRole('button', { name: 'Group', exact: true }).click()
  await chart(page, 'Traces').getByRole('link', { name: 'prod' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await chart(other, 'Traces').getByRole('link', { name: 'test' }).click()
  await other.getByRole('button', { name: 'Condition attributes.env = test: edit' }).waitFor()
  await other.getByText('30 traces').waitFor()
})

test('the cost chart links to the traces of a model', async ({ page, url }) => {
  await page.goto(`${url}/${DASHBOARD}?range=24h&by=model`)
  await chart(page, 'Cost').getByRole('link', { name: 'gpt-4o', exact: true }).click()
  await page.getByText('20 traces').waitFor()
})

test('charts are also available as tables', async ({ page, url }) => {
  await page.goto(`${url}/${DASHBOARD}?range=24h&by=model`)
  await page.getByText('Tables', { exact: true }).click()
  const region = page.getByRole('region', { name: 'Traces, table' })
  await region.getByRole('columnheader', { name: 'gpt-4o-mini' }).waitFor()
  assert.match(page.url(), /view=tables/)
  await chart(page, 'Traces').getByRole('button', { name: 'Copy data: Traces' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^time\tgpt-4o-mini\tgpt-4o/)
  await region.getByRole('rowheader').first().getByRole('link').click()
  await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
})

test('an empty time range links to the latest call', async ({ page, url }) => {
  await page.goto(`${url}/${OLD}/weave/dashboard`)
  await page.getByRole('heading', { name: 'No calls in this time range' }).waitFor()
  await page.getByRole('button', { name: 'Go to the latest call' }).click()
  await chart(page, 'Traces').locator('canvas').waitFor()
})
