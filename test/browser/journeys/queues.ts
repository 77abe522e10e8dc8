import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Client } from '../../../src/client/client.ts'
import { feedbackByCall, seedReviewCalls, seedScores } from '../review-seed.ts'
import { docsImage } from '../docs-image.ts'
import { test } from '../fixtures.ts'
import { switchTheme, waitUntil } from '../waits.ts'
import { seriousViolations } from '../axe.ts'

/** Creates calls and a queue with all of them, newest first. */
async function seedQueue(api: Client, project_id: string, count: number): Promise<string> {
  const [entity = '', project = ''] = project_id.split('/')
  await seedReviewCalls(api, project_id, count)
  const { id } = await api.call('queue_create', { entity, project, name: 'Answers of today' })
  await api.call('queue_items_add', {
    entity,
    project,
    queue_id: id,
    call_ids: Array.from({ length: count }, (_, i) => `answer-${i}`),
  })
  return id
}

/** Review queues, alone and with other reviewers. */

test('selected calls are added to a new queue', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/chosen', 3)
  await page.goto(`${url}/admin/chosen/weave/traces?range=24h`)
  await page.getByRole('row').nth(3).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByRole('button', { name: 'Add to queue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add 2 calls to a review queue' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('To look at')
  await dialog.getByRole('button', { name: 'Create queue' }).click()
  await dialog.getByText('2 calls added.').waitFor()
  await dialog.getByRole('link', { name: 'Open queue' }).click()
  await page.getByRole('heading', { name: 'To look at' }).waitFor()
  await page.getByText('1 of 2').waitFor()
  await page.getByRole('article').getByText('Answer 0.').waitFor()
})

test('an empty queue is filled by a filter', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/filled', 9)
  await page.goto(`${url}/admin/filled/weave/queues`)
  await page.getByText('No review queues yet').waitFor()
  await page.getByRole('button', { name: 'New queue' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Small numbers')
  await page.getByRole('button', { name: 'Create queue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add calls to “Small numbers”' })
  await dialog.getByRole('button', { name: /Filter or search/ }).click()
  await page.keyboard.type('inputs.n < 4')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Add matching calls' }).click()
  await dialog.getByText('4 calls added.').waitFor()
  await dialog.getByRole('button', { name: 'Open queue' }).click()
  await page.getByText('1 of 4').waitFor()
})

test('a queue that is filled on its page opens its first call', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/filled-open', 3)
  const { id } = await api.call('queue_create', { entity: 'admin', project: 'filled-open', name: 'Later' })
  await page.goto(`${url}/admin/filled-open/weave/queues/${id}`)
  await page.getByRole('heading', { name: 'This queue is empty' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Add calls by filter' }).last().click()
  const dialog = page.getByRole('dialog', { name: 'Add calls to “Later”' })
  await dialog.getByRole('button', { name: 'Add matching calls' }).click()
  await dialog.getByText('3 calls added.').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  // At once: the page also asks every ten seconds.
  await page.getByRole('article', { name: /^Call / }).waitFor({ timeout: 8_000 })
})

test('the queue lists what its calls are about, and shows the output before the inputs', async ({
  page,
  url,
  api,
}) => {
  const id = await seedQueue(api, 'admin/listed', 3)
  await page.goto(`${url}/admin/listed/weave/queues/${id}`)
  const article = page.getByRole('article', { name: /^Call / })
  await article.getByText('Answer 0.').waitFor()
  const rail = page.getByRole('navigation', { name: 'Calls in this queue' })
  await rail.getByText('Question 2?').waitFor()
  const sections = article.getByRole('heading', { level: 3 }).getByRole('button')
  const titles = (await sections.allInnerTexts()).map((text) => text.split('\n')[0]?.trim())
  assert.ok(
    titles.findIndex((each) => each?.startsWith('Output')) <
      titles.findIndex((each) => each?.startsWith('Inputs')),
  )
})

test('a queue is reviewed to its end without the mouse, and shows the reviewer', async ({
  page,
  url,
  api,
}) => {
  const id = await seedQueue(api, 'admin/reviewed', 8)
  await seedScores(api, 'admin/reviewed', ['Correct', 'Stars'])
  await page.goto(`${url}/admin/reviewed/weave/queues/${id}`)
  const panel = page.getByRole('region', { name: 'Feedback' })
  for (let i = 0; i < 8; i++) {
    await page.getByText(`${i + 1} of 8`).waitFor()
    await page.getByRole('article').getByText(`Answer ${i}.`).waitFor()
    if (i === 3) {
      await page.keyboard.press('s')
      continue
    }
    await page.keyboard.press('p')
    await page.keyboard.press('4')
    await panel.getByRole('button', { name: '4', exact: true, pressed: true }).waitFor()
    await page.keyboard.press('d')
  }
  await page.getByText('Only skipped calls are left').waitFor()
  await page.getByRole('progressbar', { name: 'Reviewed' }).waitFor()
  await page.getByRole('button', { name: 'Review skipped call' }).click()
  await page.getByRole('article').getByText('Answer 3.').waitFor()
  await page.keyboard.press('f')
  await panel.getByRole('button', { name: 'Fail', pressed: true }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('All calls reviewed').waitFor()
  await page.getByText('All 8 calls: admin 8.').waitFor()
  const feedback = await feedbackByCall(api, 'admin/reviewed')
  assert.equal(feedback.size, 8)
  await page.goto(`${url}/admin/reviewed/weave/queues`)
  await page.getByRole('listitem').filter({ hasText: '8 of 8 reviewed' }).waitFor()
})

test('a queue resumes at the last position and shows what is done', async ({ page, url, api }) => {
  const id = await seedQueue(api, 'admin/resumed', 5)
  await page.goto(`${url}/admin/resumed/weave/queues`)
  await page.getByRole('link', { name: 'Answers of today' }).click()
  await page.getByText('1 of 5').waitFor()
  await page.keyboard.press('d')
  await page.getByText('2 of 5').waitFor()
  await page.keyboard.press('d')
  await page.getByText('3 of 5').waitFor()
  await page.getByText('2 of 5 reviewed').waitFor()
  await waitUntil('both are stored', async () => {
    const { items } = await api.call('queue_items_list', {
      entity: 'admin',
      project: 'resumed',
      queue_id: id,
    })
    return items.filter(({ done_by }) => done_by === 'admin').length === 2
  })
  await page.goto(`${url}/admin/resumed/weave/queues/${id}`)
  await page.getByText('3 of 5').waitFor()
  await page.keyboard.press('k')
  await page.getByText(/Reviewed by admin/).waitFor()
  await page.getByRole('button', { name: 'Reopen' }).click()
  await page.getByRole('button', { name: 'Skip' }).waitFor()
})

test('two reviewers never get the same call', async ({ page, url, api, otherUserPage }) => {
  const id = await seedQueue(api, 'admin/shared', 3)
  const other = await otherUserPage('cleo', 'admin/shared', 'write')
  const here = `${url}/admin/shared/weave/queues/${id}`
  await page.goto(here)
  await page.getByText('1 of 3').waitFor()
  await other.goto(here)
  await other.getByText('2 of 3').waitFor()
  await other.goto(`${here}?item=answer-0`)
  await other.getByText('admin is reviewing this call').waitFor()
  await other.getByRole('button', { name: 'Review another call' }).click()
  await other.getByText('2 of 3').waitFor()
  await other.getByRole('button', { name: 'Done' }).click()
  await other.getByText('3 of 3').waitFor()
  // The first reviewer sees who reviewed it, and skips it.
  await page.getByRole('button', { name: '2 reviewed by cleo' }).waitFor()
  await page.keyboard.press('d')
  await page.getByText('Others are reviewing the remaining calls').waitFor()
  // A call that the other reviewer releases appears automatically.
  await other.goto(`${url}/admin/shared/weave/queues`)
  await page.getByText('3 of 3').waitFor({ timeout: 30_000 })
})

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds no serious violation: queues, ${scheme}`, async ({ page, url, api }) => {
    const id = await seedQueue(api, `admin/axe-queue-${scheme}`, 4)
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(`${url}/admin/axe-queue-${scheme}/weave/queues/${id}`)
    await page.getByText('1 of 4').waitFor()
    await page.keyboard.press('d')
    await page.getByText('2 of 4').waitFor()
    await page.keyboard.press('k')
    await page.getByText(/Reviewed by admin/).waitFor()
    await page.getByRole('article').waitFor()
    assert.deepEqual(await seriousViolations(page), [])
    await page.goto(`${url}/admin/axe-queue-${scheme}/weave/queues`)
    await page.getByRole('list', { name: 'Review queues' }).waitFor()
    assert.deepEqual(await seriousViolations(page), [])
    await page.getByRole('button', { name: 'New queue' }).click()
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    await page.waitForTimeout(300)
    assert.deepEqual(await seriousViolations(page), [])
  })
test('a call is removed from a queue, and the next one opens', async ({ page, url, api }) => {
  const id = await seedQueue(api, 'admin/removed', 3)
  await page.goto(`${url}/admin/removed/weave/queues/${id}`)
  await page.getByText('1 of 3').waitFor()
  await page.keyboard.press('x')
  const dialog = page.getByRole('dialog', { name: 'Remove this call from the queue?' })
  await dialog.waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('1 of 2').waitFor()
  await page.getByRole('article').getByText('Answer 1.').waitFor()
  await page.getByRole('button', { name: 'Queue actions' }).click()
  await page.getByRole('menuitem', { name: 'Remove this call' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('d')
  await page.getByText('2 of 2').waitFor()
  await page.keyboard.press('x')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('All calls reviewed').waitFor()
  const { items } = await api.call('queue_items_list', {
    entity: 'admin',
    project: 'removed',
    queue_id: id,
  })
  assert.deepEqual(
    items.map(({ call_id }) => call_id),
    ['answer-1'],
  )
  // The call itself is kept.
  await page.goto(`${url}/admin/removed/weave/calls/answer-0`)
  await page.getByText('Answer 0.').first().waitFor()
})

test('a queue is edited, and deleted after confirmation', async ({ page, url, api }) => {
  const id = await seedQueue(api, 'admin/edited', 2)
  await seedScores(api, 'admin/edited', ['Correct', 'Stars'])
  await page.goto(`${url}/admin/edited/weave/queues/${id}`)
  await page.getByText('1 of 2').waitFor()
  await page.getByRole('button', { name: 'Queue actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit queue' }).click()
  const form = page.getByRole('dialog', { name: 'Edit “Answers of today”' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Answers to stars')
  await form.getByRole('textbox', { name: 'Instructions' }).fill('Are they kind?')
  await form.getByRole('checkbox', { name: 'Stars' }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Answers to stars', exact: true }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Are they kind?').waitFor()
  const panel = page.getByRole('region', { name: 'Feedback' })
  await panel.getByText('Stars').first().waitFor()
  await waitUntil(
    'only the selected score is shown',
    async () => (await panel.getByText('Correct').count()) === 0,
  )
  await page.goto(`${url}/admin/edited/weave/queues`)
  await page.getByRole('button', { name: 'Actions for Answers to stars' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Stars')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Stars' }).click()
  await page.getByText('1 of 2').waitFor()
  await page.getByRole('button', { name: 'Queue actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete queue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete queue “Stars”?' })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No review queues yet').waitFor()
})

test('the agreement of two reviewers is shown, and the results are downloaded', async ({
  page,
  url,
  api,
  otherUserPage,
}) => {
  const project_id = 'admin/agreed'
  const id = await seedQueue(api, project_id, 4)
  await seedScores(api, project_id, ['Correct', 'Stars'])
  const other = await otherUserPage('second-reviewer', project_id, 'write')
  const give = async (on: Page, call: number, value: string): Promise<void> => {
    await on.goto(`${url}/${project_id}/weave/calls/answer-${call}?tab=feedback`)
    const isStored = on.waitForResponse((response) => response.url().endsWith('/feedback/create'))
    await on.getByRole('button', { name: value, exact: true }).click()
    await isStored
  }
  for (const [call, mine, theirs] of [
    [0, 'Pass', 'Pass'],
    [1, 'Pass', 'Fail'],
    [2, 'Fail', 'Fail'],
  ] as const) {
    await give(page, call, mine)
    await give(other, call, theirs)
  }
  await page.goto(`${url}/${project_id}/weave/queues/${id}`)
  await page.getByRole('button', { name: 'Queue actions' }).click()
  await page.getByRole('menuitem', { name: 'Reviewer agreement' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reviewer agreement' })
  await dialog.getByRole('row', { name: /^Correct 3 2 67 % 0\.4 \(Cohen’s κ\)/ }).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await switchTheme(page, colorScheme)
    assert.deepEqual(await seriousViolations(page), [])
    await docsImage(page, `agreement-${colorScheme}`)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Queue actions' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export results as CSV' }).click()
  const download = await downloading
  assert.equal(download.suggestedFilename(), 'Answers-of-today.csv')
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
  // Three calls with two reviewers each, one call without.
  assert.equal(lines.length, 1 + 6 + 1)
  assert.match(lines[1] ?? '', /^"answer-0","open",,,"correct","admin",true,/)
})
