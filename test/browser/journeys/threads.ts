import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { EMPTY, THREADS } from '../seed.ts'
import { test } from '../fixtures.ts'

/** Journeys through threads. */

test('a thread is shown as a conversation', async ({ page, url }) => {
  await page.goto(`${url}/${THREADS}/weave/threads?range=all`)
  await page.getByRole('button', { name: 'Turns' }).click()
  assert.match(page.url(), /sort=-turn_count/)
  await page.getByRole('link', { name: /^ingrid-1/ }).click()
  const turns = page.getByRole('list', { name: 'Turns' }).getByRole('listitem')
  await turns.first().getByText('How wide a cloth can I weave on the Fjord 60?').waitFor()
  await turns
    .first()
    .getByText(/^Up to 60 cm/)
    .waitFor()
  assert.equal(await turns.count(), 8)
  // J selects the next turn, Enter opens its trace.
  for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('article', { name: 'Call chat_turn' }).waitFor()
})

test('thread links of the SDKs open the thread', async ({ page, url }) => {
  await page.goto(`${url}/${THREADS}/weave/agents/conversations/mateo-2`)
  await page.getByRole('heading', { name: 'mateo-2' }).waitFor()
  assert.match(page.url(), /\/weave\/threads\/mateo-2$/)
  await page.getByRole('link', { name: 'View all calls' }).click()
  await page.getByRole('button', { name: 'Condition thread = mateo-2: edit' }).waitFor()
  // The SDKs do not encode slashes.
  await page.goto(`${url}/${THREADS}/weave/agents/conversations/mateo/2%203`)
  await page.waitForURL(/\/weave\/threads\/mateo%2F2%203$/)
})

test('a thread that started long ago is listed while it is active', async ({ page, url, api }) => {
  const daysAgo = [20, 10, 0.01]
  await api.call('calls_complete', {
    entity: 'admin',
    project: 'long',
    batch: daysAgo.map((days, i) => ({
      project_id: 'admin/long',
      id: `turn-${i}`,
      trace_id: `turn-${i}`,
      turn_id: `turn-${i}`,
      // The second thread ended before the selected time range.
      thread_id: i === 1 ? 'ended' : 'long-lived',
      op_name: 'chat_turn',
      started_at: new Date(Date.now() - days * 86_400_000).toISOString(),
      ended_at: new Date(Date.now() - days * 86_400_000 + 900).toISOString(),
      attributes: RawJson.fromValue({}),
      inputs: RawJson.fromValue({ message: `Question ${i}?` }),
      output: RawJson.fromValue('Yes.'),
      summary: RawJson.fromValue({}),
    })),
  })
  await page.goto(`${url}/admin/long/weave/threads?range=7d`)
  await page.getByRole('link', { name: /^long-lived/ }).waitFor()
  assert.equal(await page.getByRole('link', { name: /^ended/ }).count(), 0)
  await page.getByRole('button', { name: 'Turns' }).click()
  await page
    .getByRole('columnheader', { name: 'Turns' })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor()
  await page.getByRole('link', { name: /^long-lived/ }).waitFor()
  await page.goto(`${url}/admin/long/weave/threads?range=15d`)
  await page.getByRole('link', { name: /^ended/ }).waitFor()
  await page.goto(`${url}/admin/long/weave/threads?range=5m`)
  await page.getByRole('heading', { name: 'No threads in this time range' }).waitFor()
})

test('a project without threads explains how to create one', async ({ page, url }) => {
  await page.goto(`${url}/${EMPTY}/weave/threads?range=all`)
  await page.getByRole('heading', { name: 'No threads yet' }).waitFor()
  await page.goto(`${url}/${EMPTY}/weave/threads/nobody`)
  await page.getByRole('heading', { name: 'Thread not found' }).waitFor()
})
