import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { OLD, SHOP } from '../seed.ts'
import { journey, until } from '../environment.ts'

const NUMBERS = `${SHOP}/weave/dashboard`

function chart(page: Page, title: string): Locator {
  return page.getByRole('figure', { name: title, exact: true })
}

/** Where the picture of a chart lies. */
async function pictureOf(figure: Locator) {
  await figure.locator('canvas').waitFor()
  const box = await figure.locator('.u-over').boundingBox()
  assert.ok(box !== null)
  return box
}

/** A project in numbers. */
export const numbers = [
  journey('numbers lead to the calls that they count', async ({ page, url }) => {
    await page.goto(`${url}/${NUMBERS}?range=24h`)
    await chart(page, 'Latency').getByRole('link', { name: 'p95' }).waitFor()
    await page.getByText('Latency p99').waitFor()
    await chart(page, 'Failures').getByRole('link', { name: 'failed' }).click()
    await page.getByRole('button', { name: 'Condition status = error: edit' }).waitFor()
    await until('only failed ones', async () => {
      const failed = await page.getByRole('img', { name: 'failed' }).count()
      return failed >= 9 && failed === (await page.getByRole('row').count()) - 1
    })
  }),
  journey('a bar leads to the calls of its time', async ({ page, url }) => {
    await page.goto(`${url}/${NUMBERS}?range=24h&bucket=hour`)
    const box = await pictureOf(chart(page, 'Traces'))
    // In the last 20 hours three traces began each hour: wherever it is clicked in the middle, there is a bar.
    await page.mouse.click(box.x + box.width * 0.62, box.y + box.height - 6)
    await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
    assert.match(decodeURIComponent(page.url()), /range=\d{4}-.*Z\.\.\d{4}-.*Z/)
    await page.getByText(/^[1-4] traces?/).waitFor()
  }),
  journey('drawing over a chart offers its traces and a closer look', async ({ page, url }) => {
    await page.goto(`${url}/${NUMBERS}?range=24h`)
    const box = await pictureOf(chart(page, 'Tokens'))
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, box.y + 40, { steps: 5 })
    await page.mouse.up()
    const bar = page.getByRole('toolbar', { name: 'The time that was drawn over' })
    await bar.getByRole('link', { name: 'See its traces' }).waitFor()
    await bar.getByRole('button', { name: 'Zoom in' }).click()
    await until('a time in the address', async () => /range=\d{4}-/.test(page.url()))
    await chart(page, 'Tokens').locator('canvas').waitFor()
    await bar.waitFor({ state: 'hidden' })
  }),
  journey('numbers by any field, shared by their address', async ({ page, url }) => {
    await page.goto(`${url}/${NUMBERS}?range=24h`)
    await page.getByRole('button', { name: 'Group by: Nothing' }).click()
    await page.getByRole('textbox', { name: 'Any field of calls' }).fill('attributes.env')
    await page.getByRole('button', { name: 'Group', exact: true }).click()
    await chart(page, 'Traces').getByRole('link', { name: 'prod' }).waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await chart(other, 'Traces').getByRole('link', { name: 'test' }).click()
    await other.getByRole('button', { name: 'Condition attributes.env = test: edit' }).waitFor()
    await other.getByText('30 traces').waitFor()
  }),
  journey('the traces of a model are found from its number', async ({ page, url }) => {
    await page.goto(`${url}/${NUMBERS}?range=24h&by=model`)
    await chart(page, 'Cost').getByRole('link', { name: 'gpt-4o', exact: true }).click()
    await page.getByText('20 traces').waitFor()
  }),
  journey('the same numbers stand in tables', async ({ page, url }) => {
    await page.goto(`${url}/${NUMBERS}?range=24h&by=model`)
    await page.getByText('Tables', { exact: true }).click()
    const region = page.getByRole('region', { name: 'Traces, in numbers' })
    await region.getByRole('columnheader', { name: 'gpt-4o-mini' }).waitFor()
    assert.match(page.url(), /view=tables/)
    await chart(page, 'Traces').getByRole('button', { name: 'Copy the numbers: Traces' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.match(copied, /^time\tgpt-4o-mini\tgpt-4o/)
    await region.getByRole('rowheader').first().getByRole('link').click()
    await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
  }),
  journey('a time without calls says where they are', async ({ page, url }) => {
    await page.goto(`${url}/${OLD}/weave/dashboard`)
    await page.getByRole('heading', { name: 'Nothing in this time' }).waitFor()
    await page.getByRole('button', { name: 'Jump to the last call' }).click()
    await chart(page, 'Traces').locator('canvas').waitFor()
  }),
]
