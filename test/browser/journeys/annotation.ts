import assert from 'node:assert/strict'
import { SHOP } from '../seed.ts'
import { feedbackByCall, seedReviewCalls, seedScores } from '../review-seed.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'
import { seriousViolations } from '../axe.ts'

/** Feedback on calls: reactions, scores and notes. */

test('a reaction and a note from the keyboard alone', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-5`)
  await page.getByRole('article').waitFor()
  await page.keyboard.press('e')
  const thumb = page.getByRole('button', { name: /^React with 👍/ })
  await thumb.waitFor()
  await waitUntil('the thumb is focused', () => thumb.evaluate((it) => it === document.activeElement))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'React with 👍, 1 so far', pressed: true }).waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('Kind enough')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('list', { name: 'Feedback' }).getByText('Kind enough').waitFor()
  await page.getByRole('button', { name: 'Delete feedback' }).first().click()
  await page.getByRole('list', { name: 'Feedback' }).getByText('Kind enough').waitFor({ state: 'detached' })
})

test('the list shows feedback', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/traces?filter=note+~+ship`)
  await page.getByRole('gridcell', { name: '✎ 1' }).waitFor()
})

test('a score is created and given', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/scored', 2)
  await page.goto(`${url}/admin/scored/weave/calls/answer-0?tab=feedback`)
  await page.getByText('No scores yet. A score asks every reviewer the same question').waitFor()
  await page.getByRole('button', { name: 'New score' }).click()
  const dialog = page.getByRole('dialog', { name: 'New score' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('How it sounds')
  await dialog.getByRole('textbox', { name: 'Question' }).fill('Would you like to hear it?')
  await dialog.getByText('Options', { exact: true }).click()
  await dialog.getByText('Enter at least two options').waitFor()
  await dialog.getByRole('textbox', { name: 'Options, one per line' }).fill('kind\nneutral\ncold')
  await dialog.getByRole('button', { name: 'Create score' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const score = page.getByRole('group', { name: 'How it sounds' })
  await score.getByRole('button', { name: 'neutral' }).waitFor()
  await page.keyboard.press('2')
  await score.getByRole('button', { name: 'neutral', pressed: true }).waitFor()
  await page.keyboard.press('3')
  await score.getByRole('button', { name: 'cold', pressed: true }).waitFor()
  await waitUntil('the second choice is stored', async () => {
    const feedback = (await feedbackByCall(api, 'admin/scored')).get('answer-0') ?? []
    return feedback.join() === 'wandb.annotation.How-it-sounds {"value":"cold"}'
  })
  await page.keyboard.press('Backspace')
  await page.getByText('No feedback on this call yet.').waitFor()
  await waitUntil(
    'the score is deleted',
    async () => !(await feedbackByCall(api, 'admin/scored')).has('answer-0'),
  )
})

test('twenty calls are annotated without the mouse', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/twenty', 20)
  await seedScores(api, 'admin/twenty', ['Correct', 'Stars'])
  await page.goto(`${url}/admin/twenty/weave/traces?range=24h`)
  await page.getByRole('row').nth(20).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('article').waitFor()
  await page.keyboard.press('e')
  const panel = page.getByRole('region', { name: 'Feedback' })
  await panel.waitFor()
  for (let i = 0; i < 20; i++) {
    await page.getByRole('article').getByText(`Answer ${i}.`).waitFor()
    await panel.waitFor()
    await page.keyboard.press(i % 3 === 0 ? 'f' : 'p')
    await page.keyboard.press(String((i % 5) + 1))
    await panel.getByRole('button', { name: String((i % 5) + 1), exact: true, pressed: true }).waitFor()
    await page.keyboard.press('j')
  }
  await waitUntil('all scores are stored', async () => {
    const feedback = await feedbackByCall(api, 'admin/twenty')
    return Array.from({ length: 20 }, (_, i) => i).every((i) => {
      const [first, second] = (feedback.get(`answer-${i}`) ?? []).sort()
      return (
        first === `wandb.annotation.correct {"value":${i % 3 !== 0}}` &&
        second === `wandb.annotation.stars {"value":${(i % 5) + 1}}`
      )
    })
  })
})

test('a typed score is validated and keeps its exact spelling', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/written', 1)
  await seedScores(api, 'admin/written', ['Share'])
  await page.goto(`${url}/admin/written/weave/calls/answer-0?tab=feedback`)
  const field = page.getByRole('textbox', { name: 'Share' })
  await field.fill('1.5')
  await field.press('Enter')
  await page.getByText('Must be at most 1', { exact: true }).waitFor()
  await field.fill('0.50')
  await field.press('Enter')
  await page.getByRole('list', { name: 'Feedback' }).getByText('0.50').waitFor()
  await waitUntil('it is stored', async () => (await feedbackByCall(api, 'admin/written')).has('answer-0'))
  await page.reload()
  await page.getByRole('list', { name: 'Feedback' }).getByText('0.50', { exact: true }).waitFor()
  assert.equal(await field.inputValue(), '0.50')
})

test('a note is edited and shows its author', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/noted', 1)
  await page.goto(`${url}/admin/noted/weave/calls/answer-0?tab=feedback`)
  await page.getByRole('textbox', { name: 'Note' }).fill('So so')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('button', { name: 'Edit note' }).click()
  const editor = page.getByRole('textbox', { name: 'Edit note' })
  await editor.fill('Rather good')
  await editor.press('Control+Enter')
  const record = page.getByRole('list', { name: 'Feedback' }).getByRole('listitem')
  await record.filter({ hasText: 'Rather good' }).filter({ hasText: 'admin' }).waitFor()
  await waitUntil('it is stored once', async () => {
    const feedback = (await feedbackByCall(api, 'admin/noted')).get('answer-0') ?? []
    return feedback.join() === 'wandb.note.1 {"note":"Rather good"}'
  })
  await page.reload()
  await record.filter({ hasText: 'Rather good' }).waitFor()
})

test('a change that the server rejects is reverted with a reason', async ({ url, api, otherUserPage }) => {
  await seedReviewCalls(api, 'admin/readonly', 1)
  await seedScores(api, 'admin/readonly', ['Correct'])
  const page = await otherUserPage('guest', 'admin/readonly', 'write')
  await page.goto(`${url}/admin/readonly/weave/calls/answer-0?tab=feedback`)
  await page.getByRole('button', { name: 'Pass' }).waitFor()
  await api.call('member_set', { entity: 'admin', project: 'readonly', username: 'guest', role: 'read' })
  await page.keyboard.press('p')
  await page.getByRole('alert').getByText('you have read-only access to this project').waitFor()
  await page.getByRole('button', { name: 'Pass', pressed: false }).waitFor()
  assert.equal((await feedbackByCall(api, 'admin/readonly')).size, 0)
})

test('a user who may only read is offered nothing that changes something', async ({
  url,
  api,
  otherUserPage,
}) => {
  const project_id = 'admin/looked-at'
  await seedReviewCalls(api, project_id, 1)
  await seedScores(api, project_id, ['Correct'])
  await api.call('queue_create', { entity: 'admin', project: 'looked-at', name: 'Others review' })
  const page = await otherUserPage('reader', project_id, 'read')
  const absent = async (...names: readonly string[]): Promise<void> => {
    for (const name of names)
      await page.getByRole('button', { name, exact: true }).first().waitFor({ state: 'detached' })
  }
  await page.goto(`${url}/${project_id}/weave/calls/answer-0?tab=feedback`)
  await page.getByText('Reviewing calls needs the role “write”.').waitFor()
  await absent('Pass', 'Add note', 'New score', 'Trace actions')
  await page.goto(`${url}/${project_id}/weave/traces?range=24h`)
  await page.getByRole('row').nth(1).waitFor()
  for (const key of ['j', 'x']) await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Export' }).last().waitFor()
  await absent('Delete', 'Add to dataset', 'Add to queue')
  await page.goto(`${url}/${project_id}/weave/queues`)
  await page.getByText('Others review').waitFor()
  await absent('New queue', 'Actions for Others review')
  await page.goto(`${url}/${project_id}/weave/costs`)
  await page.getByRole('heading', { name: 'Prices' }).waitFor()
  await absent('Add price')
})

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds no serious violation: feedback, ${scheme}`, async ({ page, url, api }) => {
    await seedReviewCalls(api, `admin/axe-${scheme}`, 1)
    await seedScores(api, `admin/axe-${scheme}`, ['Correct', 'Stars', 'Tone', 'Share'])
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(`${url}/admin/axe-${scheme}/weave/calls/answer-0?tab=feedback`)
    await page.getByRole('button', { name: 'Pass' }).waitFor()
    await page.keyboard.press('p')
    await page.keyboard.press('-')
    await page.getByRole('listitem').filter({ hasText: 'Correct Pass' }).waitFor()
    assert.deepEqual(await seriousViolations(page), [])
    await page.getByRole('button', { name: 'New score' }).click()
    await page.getByRole('textbox', { name: 'Name' }).waitFor()
    await page.waitForTimeout(300)
    assert.deepEqual(await seriousViolations(page), [])
  })
test('plus and minus are thumbs, and the shortcut sheet lists them', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/thumbs', 1)
  await page.goto(`${url}/admin/thumbs/weave/calls/answer-0?tab=feedback`)
  await page.getByText('No feedback on this call yet.').waitFor()
  await page.keyboard.press('+')
  await page.getByRole('button', { name: 'React with 👍, 1 so far', pressed: true }).waitFor()
  await page.keyboard.press('-')
  await page.getByRole('button', { name: 'React with 👎, 1 so far', pressed: true }).waitFor()
  await page.keyboard.press('=')
  await page.getByRole('button', { name: 'React with 👍', exact: true, pressed: false }).waitFor()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Thumbs up').waitFor()
  const caps = await sheet.locator('kbd').allInnerTexts()
  assert.ok(caps.includes('+') && caps.includes('='), caps.join(' '))
  assert.ok(caps.every((cap) => cap.trim() !== ''))
})
