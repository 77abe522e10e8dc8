import assert from 'node:assert/strict'
import type { Client } from '../../../src/client/client.ts'
import { saidOf, seedAnswers, seedScores } from '../review-seed.ts'
import { journey, until } from '../environment.ts'
import { faults } from './accessibility.ts'

/** A queue of the newest calls of a project, the newest first. */
async function seedQueue(api: Client, project_id: string, count: number): Promise<string> {
  const [entity = '', project = ''] = project_id.split('/')
  await seedAnswers(api, project_id, count)
  const { id } = await api.call('queue_create', { entity, project, name: 'Answers of today' })
  await api.call('queue_items_add', {
    entity,
    project,
    queue_id: id,
    call_ids: Array.from({ length: count }, (_, i) => `answer-${i}`),
  })
  return id
}

/** Judging one call after the other, alone and with others. */
export const queues = [
  journey('selected calls go into a new queue', async ({ page, url, api }) => {
    await seedAnswers(api, 'admin/chosen', 3)
    await page.goto(`${url}/admin/chosen/weave/traces?range=24h`)
    await page.getByRole('row').nth(3).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Add to queue' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add 2 calls to a review queue' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('To look at')
    await dialog.getByRole('button', { name: 'Make the queue' }).click()
    await dialog.getByText('2 calls added.').waitFor()
    await dialog.getByRole('link', { name: 'Open the queue' }).click()
    await page.getByRole('heading', { name: 'To look at' }).waitFor()
    await page.getByText('1 of 2').waitFor()
    await page.getByRole('article').getByText('Answer 0.').waitFor()
  }),
  journey('an empty queue is filled by a filter', async ({ page, url, api }) => {
    await seedAnswers(api, 'admin/filled', 9)
    await page.goto(`${url}/admin/filled/weave/queues`)
    await page.getByText('No review queues yet').waitFor()
    await page.getByRole('button', { name: 'New queue' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Small numbers')
    await page.getByRole('button', { name: 'Make the queue' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add calls to “Small numbers”' })
    await dialog.getByRole('button', { name: /Filter or search/ }).click()
    await page.keyboard.type('inputs.n < 4')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Add what matches' }).click()
    await dialog.getByText('4 calls added.').waitFor()
    await dialog.getByRole('button', { name: 'Open the queue' }).click()
    await page.getByText('1 of 4').waitFor()
  }),
  journey('a queue is judged to its end without the mouse, and says by whom', async ({ page, url, api }) => {
    const id = await seedQueue(api, 'admin/judged', 8)
    await seedScores(api, 'admin/judged', ['Correct', 'Stars'])
    await page.goto(`${url}/admin/judged/weave/queues/${id}`)
    const panel = page.getByRole('region', { name: 'Judging' })
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
    await page.getByText('Only what you have skipped is left').waitFor()
    await page.getByRole('progressbar', { name: 'Judged' }).waitFor()
    await page.getByRole('button', { name: 'Look at it again' }).click()
    await page.getByRole('article').getByText('Answer 3.').waitFor()
    await page.keyboard.press('f')
    await panel.getByRole('button', { name: 'Fail', pressed: true }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Everything is judged').waitFor()
    await page.getByText('All 8 calls: admin 8.').waitFor()
    const said = await saidOf(api, 'admin/judged')
    assert.equal(said.size, 8)
    await page.goto(`${url}/admin/judged/weave/queues`)
    await page.getByRole('listitem').filter({ hasText: '8 of 8 judged' }).waitFor()
  }),
  journey('a queue goes on where somebody was, and shows what is done', async ({ page, url, api }) => {
    const id = await seedQueue(api, 'admin/resumed', 5)
    await page.goto(`${url}/admin/resumed/weave/queues`)
    await page.getByRole('link', { name: 'Answers of today' }).click()
    await page.getByText('1 of 5').waitFor()
    await page.keyboard.press('d')
    await page.getByText('2 of 5').waitFor()
    await page.keyboard.press('d')
    await page.getByText('3 of 5').waitFor()
    await page.getByText('2 of 5 judged').waitFor()
    await until('both are stored', async () => {
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
    await page.getByText(/Judged by admin/).waitFor()
    await page.getByRole('button', { name: 'Open again' }).click()
    await page.getByRole('button', { name: 'Skip' }).waitFor()
  }),
  journey('two people never have the same call open', async ({ page, url, api, colleague }) => {
    const id = await seedQueue(api, 'admin/shared', 3)
    const other = await colleague('cleo', 'admin/shared', 'write')
    const here = `${url}/admin/shared/weave/queues/${id}`
    await page.goto(here)
    await page.getByText('1 of 3').waitFor()
    await other.goto(here)
    await other.getByText('2 of 3').waitFor()
    await other.goto(`${here}?item=answer-0`)
    await other.getByText('admin has this call open').waitFor()
    await other.getByRole('button', { name: 'Another one' }).click()
    await other.getByText('2 of 3').waitFor()
    await other.getByRole('button', { name: 'Done' }).click()
    await other.getByText('3 of 3').waitFor()
    // Who judged it is seen by the first, who is led past it.
    await page.getByRole('button', { name: '2 judged by cleo' }).waitFor()
    await page.keyboard.press('d')
    await page.getByText('Others are at the rest').waitFor()
    // What the other lets go of comes by itself.
    await other.goto(`${url}/admin/shared/weave/queues`)
    await page.getByText('3 of 3').waitFor({ timeout: 30_000 })
  }),
  ...(['light', 'dark'] as const).map((scheme) =>
    journey(`axe finds no serious fault: queues, ${scheme}`, async ({ page, url, api }) => {
      const id = await seedQueue(api, `admin/axe-queue-${scheme}`, 4)
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.goto(`${url}/admin/axe-queue-${scheme}/weave/queues/${id}`)
      await page.getByText('1 of 4').waitFor()
      await page.keyboard.press('d')
      await page.getByText('2 of 4').waitFor()
      await page.keyboard.press('k')
      await page.getByText(/Judged by admin/).waitFor()
      await page.getByRole('article').waitFor()
      assert.deepEqual(await faults(page), [])
      await page.goto(`${url}/admin/axe-queue-${scheme}/weave/queues`)
      await page.getByRole('list', { name: 'Review queues' }).waitFor()
      assert.deepEqual(await faults(page), [])
      await page.getByRole('button', { name: 'New queue' }).click()
      await page.getByRole('textbox', { name: 'Name' }).waitFor()
      await page.waitForTimeout(300)
      assert.deepEqual(await faults(page), [])
    }),
  ),
  journey('a call is taken out of a queue, and the next one comes', async ({ page, url, api }) => {
    const id = await seedQueue(api, 'admin/taken-out', 3)
    await page.goto(`${url}/admin/taken-out/weave/queues/${id}`)
    await page.getByText('1 of 3').waitFor()
    await page.keyboard.press('x')
    const asking = page.getByRole('dialog', { name: 'Take this call out of the queue?' })
    await asking.waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('1 of 2').waitFor()
    await page.getByRole('article').getByText('Answer 1.').waitFor()
    await page.getByRole('button', { name: 'More about the queue' }).click()
    await page.getByRole('menuitem', { name: 'Take this call out' }).click()
    await asking.getByRole('button', { name: 'Keep it' }).click()
    await asking.waitFor({ state: 'hidden' })
    await page.keyboard.press('d')
    await page.getByText('2 of 2').waitFor()
    await page.keyboard.press('x')
    await asking.getByRole('button', { name: 'Take it out' }).click()
    await page.getByText('Everything is judged').waitFor()
    const { items } = await api.call('queue_items_list', {
      entity: 'admin',
      project: 'taken-out',
      queue_id: id,
    })
    assert.deepEqual(
      items.map(({ call_id }) => call_id),
      ['answer-1'],
    )
    // The call itself stays.
    await page.goto(`${url}/admin/taken-out/weave/calls/answer-0`)
    await page.getByText('Answer 0.').first().waitFor()
  }),
  journey('a queue is edited and deleted after asking', async ({ page, url, api }) => {
    const id = await seedQueue(api, 'admin/edited', 2)
    await seedScores(api, 'admin/edited', ['Correct', 'Stars'])
    await page.goto(`${url}/admin/edited/weave/queues/${id}`)
    await page.getByText('1 of 2').waitFor()
    await page.getByRole('button', { name: 'More about the queue' }).click()
    await page.getByRole('menuitem', { name: 'Edit the queue' }).click()
    const form = page.getByRole('dialog', { name: 'Edit “Answers of today”' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Answers to stars')
    await form.getByRole('textbox', { name: 'What to look at' }).fill('Are they kind?')
    await form.getByRole('checkbox', { name: 'Stars' }).check()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Answers to stars', exact: true }).waitFor()
    await page.getByText('Are they kind?').waitFor()
    const panel = page.getByRole('region', { name: 'Judging' })
    await panel.getByText('Stars').first().waitFor()
    await until(
      'only the chosen score is asked for',
      async () => (await panel.getByText('Correct').count()) === 0,
    )
    await page.goto(`${url}/admin/edited/weave/queues`)
    await page.getByRole('button', { name: 'More about Answers to stars' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Stars')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Stars' }).click()
    await page.getByText('1 of 2').waitFor()
    await page.getByRole('button', { name: 'More about the queue' }).click()
    await page.getByRole('menuitem', { name: 'Delete the queue' }).click()
    const asking = page.getByRole('dialog', { name: 'Delete the queue “Stars”?' })
    await asking.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No review queues yet').waitFor()
  }),
]
