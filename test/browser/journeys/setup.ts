import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { EMPTY, OLD, SHOP } from '../seed.ts'
import { journey } from '../environment.ts'

/** From nothing to the first trace. */
export const setup = [
  journey(
    'an empty project is the page for setting up, and turns into the first trace',
    async ({ page, url, api }) => {
      await page.goto(`${url}/${EMPTY}/weave`)
      await page.getByText('Listening for the first trace').waitFor()
      await page.getByRole('button', { name: 'Make a key' }).click()
      const key = await page.locator('code', { hasText: /^hd_/ }).first().innerText()
      await page.locator('pre', { hasText: `WANDB_API_KEY=${key}` }).waitFor()
      await page.getByText('Coding agent').click()
      await page.locator('pre', { hasText: key }).waitFor()
      const answer = await fetch(`${url}/call/start`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`api:${key}`)}` },
        body: JSON.stringify({
          start: {
            project_id: EMPTY,
            id: 'first',
            trace_id: 'first',
            op_name: 'hello',
            started_at: new Date().toISOString(),
            attributes: {},
            inputs: { question: 'Is anybody there?' },
          },
        }),
      })
      assert.equal(answer.status, 200)
      await page.getByText('has arrived and is running').waitFor()
      await page.getByRole('link', { name: 'Look at the trace' }).click()
      await page.getByRole('article', { name: 'Call hello' }).waitFor()
      // It fills in while it is looked at.
      await api.call('call_end', {
        end: {
          project_id: EMPTY,
          id: 'first',
          ended_at: new Date().toISOString(),
          output: RawJson.of({ text: 'Yes!' }),
        },
      })
      await page.getByText('Yes!').waitFor()
    },
  ),
  journey('nothing in the time range leads to the last call', async ({ page, url }) => {
    await page.goto(`${url}/${OLD}/weave/traces`)
    await page.getByRole('heading', { name: 'Nothing in this time' }).waitFor()
    await page.getByRole('button', { name: 'Jump to the last call' }).click()
    await page.getByRole('row', { name: /answer/ }).waitFor()
  }),
  journey('nothing that matches offers to clear the filter', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/traces?filter=inputs.question+%3D+nothing`)
    await page.getByRole('heading', { name: 'No call matches' }).waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Clear the filter' }).click()
    await page
      .getByRole('row', { name: /shop_agent/ })
      .first()
      .waitFor()
  }),
  journey('one click fills a project with demo data', async ({ page, url }) => {
    await page.goto(`${url}/admin/demo-project/weave`)
    await page.getByRole('button', { name: 'Fill with demo data' }).click()
    await page.getByRole('grid', { name: 'Calls' }).getByRole('row').nth(1).waitFor()
  }),
]
