import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { ASSISTANT } from '../program/assistant.ts'
import { EMPTY, OLD, SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'

/** Journeys through setup and empty states. */

test('an empty project shows the setup page, which links to the first trace', async ({ page, url, api }) => {
  await page.goto(`${url}/${EMPTY}/weave`)
  await page.getByText('Waiting for the first trace').waitFor()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const key = await page.locator('code', { hasText: /^hd_/ }).first().innerText()
  await page.locator('pre', { hasText: `WANDB_API_KEY=${key}` }).waitFor()
  await page.getByText('Coding agent').click()
  await page.locator('pre', { hasText: key }).waitFor()
  const response = await fetch(`${url}/call/start`, {
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
  assert.equal(response.status, 200)
  await page.getByText('has arrived and is running').waitFor()
  await page.getByRole('link', { name: 'Open trace' }).click()
  await page.getByRole('article', { name: 'Call hello' }).waitFor()
  // The page updates live when the call ends.
  await api.call('call_end', {
    end: {
      project_id: EMPTY,
      id: 'first',
      ended_at: new Date().toISOString(),
      output: RawJson.fromValue({ text: 'Yes!' }),
    },
  })
  await page.getByText('Yes!').waitFor()
})

test('the setup page notices the traces of a project', async ({ page, url, assistant }) => {
  await assistant()
  await page.goto(`${url}/${ASSISTANT}/weave/setup`)
  const status = page.getByRole('status').filter({ hasText: 'This project already has traces' })
  // The program's last trace is its second evaluation.
  await status.getByText(/The newest is eval-.* ago\.$/).waitFor()
  assert.equal(await page.getByText('Waiting for the first trace').count(), 0)
  // Real calls are not mixed with those of a demo.
  assert.equal(await page.getByRole('button', { name: 'Load demo data' }).count(), 0)
  await status.getByRole('link', { name: 'Open newest trace' }).click()
  await page.getByRole('treeitem', { name: /eval-/ }).waitFor()
})

test('an empty time range links to the latest call', async ({ page, url }) => {
  await page.goto(`${url}/${OLD}/weave/traces`)
  await page.getByRole('heading', { name: 'No calls in this time range' }).waitFor()
  await page.getByRole('button', { name: 'Go to the latest call' }).click()
  await page.getByRole('row', { name: /answer/ }).waitFor()
})

test('a filter without matches can be cleared', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/traces?filter=inputs.question+%3D+nothing`)
  await page.getByRole('heading', { name: 'No matching calls' }).waitFor()
  await page.getByRole('status').getByRole('button', { name: 'Clear filter' }).click()
  await page
    .getByRole('row', { name: /shop_agent/ })
    .first()
    .waitFor()
})

test('one click loads demo data', async ({ page, url }) => {
  await page.goto(`${url}/admin/demo-project/weave`)
  await page.getByRole('button', { name: 'Load demo data' }).click()
  await page.getByRole('grid', { name: 'Calls' }).getByRole('row').nth(1).waitFor()
})
