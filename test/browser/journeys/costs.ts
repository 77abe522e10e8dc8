import { RawJson } from '../../../src/contract/raw-json.ts'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'

/** Journeys through the costs page. */

test('a cost is explained term by term', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/costs`)
  const calculation = page.getByRole('region', { name: 'Cost calculation' })
  await calculation.getByText(/^[\d,]+ × \$2\.50 \/ 1M tokens = <?\$[\d.]+$/).waitFor()
  await calculation.getByText('Built-in price (OpenAI)').first().waitFor()
  await calculation.getByRole('rowheader', { name: 'Total' }).waitFor()
})

test('setting the price of an unpriced model also prices past calls', async ({ page, url, api }) => {
  const project_id = 'admin/prices'
  const now = Date.now()
  await api.call('calls_complete', {
    entity: 'admin',
    project: 'prices',
    batch: [
      {
        project_id,
        id: 'priced-1',
        trace_id: 'priced-1',
        op_name: 'answer',
        started_at: new Date(now - 3_600_000).toISOString(),
        ended_at: new Date(now - 3_599_000).toISOString(),
        attributes: RawJson.fromValue({}),
        inputs: RawJson.fromValue({}),
        output: RawJson.fromValue('x'),
        summary: RawJson.fromValue({
          usage: { 'acme-7b': { requests: 1, prompt_tokens: 2_000_000, completion_tokens: 1_000_000 } },
        }),
      },
    ],
  })
  await page.goto(`${url}/${project_id}/weave/costs`)
  await page.getByRole('heading', { name: 'One model has no price' }).waitFor()
  await page.getByRole('button', { name: 'Set price for acme-7b' }).click()
  const form = page.getByRole('form', { name: 'Price of acme-7b' })
  await form.getByRole('textbox', { name: 'Input' }).fill('0.15')
  await form.getByRole('button', { name: 'Save price' }).click()
  await form.getByText('Enter a number, such as 2.50').waitFor()
  await form.getByRole('textbox', { name: 'Output' }).fill('0.6')
  await form.getByRole('button', { name: 'Save price' }).click()
  // 2 × 0.15 + 1 × 0.6, with all digits exact.
  await page.getByText('2,000,000 × $0.15 / 1M tokens = $0.30').waitFor()
  const chart = page.getByRole('figure', { name: 'Cost by model and day' })
  await chart.getByRole('cell', { name: '$0.90', exact: true }).waitFor()
  const calculation = page.getByRole('region', { name: 'Calculation' })
  await calculation.getByText('$0.90', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'One model has no price' }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Remove price of acme-7b' }).click()
  await page.getByRole('heading', { name: 'One model has no price' }).waitFor()
})

test('a built-in price is found by name', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/costs`)
  await page.getByRole('checkbox', { name: 'Include built-in prices' }).check()
  await page.getByRole('textbox', { name: 'Find a model' }).fill('gpt-4o-mini')
  const row = page
    .getByRole('region', { name: 'Price list' })
    .getByRole('row', { name: /^gpt-4o-mini \$0\.15 \$0\.60 / })
  await row.first().waitFor()
})
