import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { ASSISTANT } from '../program/assistant.ts'
import { assistantRuns } from '../assistant-runs.ts'

/** Clicks a point of a plot, whose axes start at zero, by its share of the largest values. */
async function clickPoint(page: Page, share: { readonly x: number; readonly y: number }): Promise<void> {
  const box = await page.locator('canvas').first().boundingBox()
  assert.ok(box !== null)
  // The axes take 58 px on the left and 22 px below; see plot.tsx.
  const [left, top, width, height] = [box.x + 58, box.y + 8, box.width - 78, box.height - 30]
  await page.mouse.move(left + 5, top + 5)
  await page.mouse.move(left + (width * share.x) / 1.08, top + height * (1 - share.y / 1.08), { steps: 4 })
  await page.mouse.down()
  await page.mouse.up()
}

/** Journeys through charts and rankings of evaluation runs. The numbers are those of the SDK; see `assistantRuns`. */

test('trends of evaluation runs open their runs', async ({ page, url, api, assistant }) => {
  await assistant()
  const [older, newer] = await assistantRuns(api)
  await page.goto(`${url}/${ASSISTANT}/weave/evaluations`)
  await page.getByRole('tab', { name: 'Trends' }).click()
  await page.waitForURL(/view=trends/)
  const chart = page.getByRole('figure', { name: 'mentions.correct' })
  await chart.getByRole('row', { name: 'quality 60 %' }).waitFor()
  await page.getByRole('figure', { name: 'Cost' }).getByRole('row', { name: 'quality ≥ $0.0004' }).waitFor()
  await page.getByText('By model', { exact: true }).click()
  await page.waitForURL(/per=model/)
  await chart.getByRole('row', { name: 'assistant-mini 80 %' }).waitFor()
  await chart.getByRole('row', { name: 'assistant-custom 60 %' }).waitFor()
  await chart.locator('canvas').waitFor()
  const canvas = chart.locator('canvas')
  const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {}
  await canvas.hover({ position: { x: width - 40, y: height / 2 }, force: true })
  await canvas.click({ position: { x: width - 42, y: height / 2 }, force: true })
  await page.getByRole('heading', { name: newer }).waitFor()
  await page.goBack()
  await page.getByText('Tables', { exact: true }).click()
  await page.waitForURL(/as=tables/)
  const table = page.getByRole('region', { name: 'mentions.correct, table' })
  // Newest first.
  await table.getByRole('row').nth(1).getByText('60 %').waitFor()
  await page
    .getByRole('region', { name: 'Judge.helpful, table' })
    .getByRole('row')
    .nth(1)
    .getByText('0.663')
    .waitFor()
  await table.getByRole('row').nth(2).getByRole('link').click()
  await page.getByRole('heading', { name: older }).waitFor()
})

test('runs are plotted by cost and score', async ({ page, url, api, assistant }) => {
  await assistant()
  const [older] = await assistantRuns(api)
  await page.goto(`${url}/${ASSISTANT}/weave/evaluations?view=scatter`)
  const table = page.getByRole('table', { name: 'Runs by Cost and mentions.correct' })
  await table.getByRole('row', { name: /assistant-mini.*\$0\.0008 80 %/ }).waitFor()
  // The price of one model is unknown.
  await table.getByRole('row', { name: /assistant-custom.*≥ \$0\.0004 60 %/ }).waitFor()
  await page.locator('canvas').waitFor()
  await clickPoint(page, { x: 1, y: 1 })
  await page.getByRole('heading', { name: older }).waitFor()
  await page.goBack()
  await page.getByLabel('X axis').selectOption('Tokens')
  await page.getByLabel('Y axis').selectOption('Judge.helpful')
  await page.waitForURL(/x=tokens.*y=score/)
  const others = page.getByRole('table', { name: 'Runs by Tokens and Judge.helpful' })
  await others.getByRole('row', { name: /assistant-mini.*2,353 0\.8 / }).waitFor()
  await others.getByRole('row', { name: /assistant-custom.*1,996 0\.663 / }).waitFor()
  await page.reload()
  await others.getByRole('row', { name: /assistant-mini.*2,353 0\.8 / }).waitFor()
})

test('a leaderboard marks the best model of each column', async ({ page, url, api, assistant }) => {
  await assistant()
  const [older] = await assistantRuns(api)
  await page.goto(`${url}/${ASSISTANT}/weave/evaluations`)
  await page.getByRole('tab', { name: 'Leaderboard' }).click()
  const board = page.getByRole('table', { name: 'Leaderboard' })
  const rows = board.getByRole('row')
  await rows.nth(1).getByRole('cell', { name: '★ 80 %' }).waitFor()
  await rows.nth(1).getByRole('cell', { name: '★ 0.8' }).waitFor()
  await rows.nth(2).getByRole('cell', { name: '60 %', exact: true }).waitFor()
  await rows.nth(2).getByRole('cell', { name: '★ 1,996' }).waitFor()
  // A lower bound is not the best cost, and leaves open which is.
  await rows.nth(1).getByRole('cell', { name: '$0.0008', exact: true }).waitFor()
  await rows.nth(2).getByRole('cell', { name: '≥ $0.0004', exact: true }).waitFor()
  await board.getByRole('button', { name: /^Tokens/ }).click()
  await page.waitForURL(/sort=/)
  await rows
    .nth(1)
    .getByRole('rowheader', { name: /assistant-mini/ })
    .waitFor()
  await board.getByRole('button', { name: /^Tokens/ }).click()
  await rows
    .nth(1)
    .getByRole('rowheader', { name: /assistant-custom/ })
    .waitFor()
  await page.getByRole('button', { name: 'Lower is better' }).click()
  await page.getByRole('checkbox', { name: 'mentions.correct' }).check()
  await board.getByRole('cell', { name: '★ 60 %' }).waitFor()
  await page.keyboard.press('Escape')
  await board.getByRole('link', { name: '80 %' }).click()
  await page.getByRole('heading', { name: older }).waitFor()
  await page.goBack()
  // Selected runs only.
  await page.getByRole('tab', { name: 'Runs' }).click()
  await page.getByRole('checkbox', { name: `Select ${older}` }).check()
  await page.getByRole('tab', { name: 'Leaderboard' }).click()
  await rows
    .nth(1)
    .getByRole('rowheader', { name: /assistant-mini/ })
    .waitFor()
  assert.equal(await rows.count(), 2)
})

test('a leaderboard that the SDK published is opened', async ({ page, url, api, assistant }) => {
  await assistant()
  const [, newer] = await assistantRuns(api)
  await page.goto(`${url}/${ASSISTANT}/weave/objects`)
  await page.getByRole('link', { name: 'assistants', exact: true }).click()
  await page.getByText('Which assistant do we ship?').waitFor()
  const board = page.getByRole('table', { name: 'Leaderboard' })
  const rows = board.getByRole('row')
  await rows
    .nth(1)
    .getByRole('rowheader', { name: /^assistant-mini/ })
    .waitFor()
  await rows.nth(1).getByRole('cell', { name: '★ 80 %' }).waitFor()
  await rows.nth(1).getByRole('cell', { name: '★ 0.8' }).waitFor()
  await rows.nth(2).getByRole('cell', { name: '0.663', exact: true }).waitFor()
  assert.equal(await board.getByRole('columnheader', { name: 'Model latency ↓' }).count(), 1)
  await board.getByRole('button', { name: /^Judge\.helpful/ }).click()
  await page.waitForURL(/sort=-column-1/)
  await board.getByRole('button', { name: /^Judge\.helpful/ }).click()
  await rows
    .nth(1)
    .getByRole('rowheader', { name: /^assistant-custom/ })
    .waitFor()
  await board.getByRole('link', { name: '0.663' }).click()
  await page.getByRole('heading', { name: newer }).waitFor()
})
