import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { seedAnswers } from '../review-seed.ts'
import { SHOP } from '../seed.ts'
import { journey, until } from '../environment.ts'
import { faults } from './accessibility.ts'

const rows = (page: Page) => page.getByRole('grid', { name: 'Calls' }).getByRole('row')
const LIST = `${SHOP}/weave/traces`

async function writeFilter(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Filter' })
  await box.fill(text)
  await box.press('Enter')
}

/** Finding calls. */
export const list = [
  journey('the list tells what happened, from the newest on', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}`)
    const running = page.getByRole('row', { name: /Anybody there/ })
    await running.getByRole('img', { name: 'running' }).waitFor()
    const failed = page.getByRole('row', { name: /TimeoutError/ }).first()
    await failed.getByRole('img', { name: 'failed' }).waitFor()
    await page.getByText(/6\d traces, \d+ failed/).waitFor()
  }),
  journey('keys go through the list and open a trace', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}`)
    await rows(page).nth(3).waitFor()
    for (const key of ['j', 'j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
    const drawer = page.getByRole('complementary', { name: 'Trace' })
    await drawer.getByRole('tree').waitFor()
    const first = page.url()
    await page.keyboard.press('j')
    await until('the next trace is open', async () => page.url() !== first)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
  }),
  journey('why did it fail: filter by status, open, read the exception', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}`)
    await rows(page).nth(3).waitFor()
    await writeFilter(page, 'status = error and inputs.user.tier = free')
    await page.getByRole('button', { name: 'Condition status = error: edit' }).waitFor()
    await until('only failed ones', async () => {
      const failed = await page.getByRole('img', { name: 'failed' }).count()
      return failed > 0 && failed === (await rows(page).count()) - 1
    })
    await rows(page).nth(1).click()
    const exception = page.getByRole('region', { name: 'Exception' })
    await exception.getByRole('heading', { name: 'TimeoutError: no answer in 30 s' }).waitFor()
  }),
  journey('the slow one is found by sorting', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}`)
    await page.getByRole('button', { name: 'Latency' }).click()
    await rows(page).nth(1).getByText('42.0 s').waitFor()
    assert.match(page.url(), /sort=-summary/)
  }),
  journey('fields and values complete themselves', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}?show=calls`)
    await rows(page).nth(3).waitFor()
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: 'Filter' })
    await box.pressSequentially('inputs.mod')
    await page.getByRole('option', { name: /inputs\.model/ }).waitFor()
    await box.press('Tab')
    await box.pressSequentially('= ')
    await page.getByRole('option', { name: /gpt-4o-mini/ }).waitFor()
    await box.pressSequentially('gpt-4o-m')
    await box.press('Tab')
    await box.press('Enter')
    await page.getByRole('button', { name: 'Condition inputs.model = gpt-4o-mini: edit' }).waitFor()
    await until('40 calls', async () => /\b40 calls/.test(await page.getByRole('main').innerText()))
  }),
  journey('a condition is taken away by its chip', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}?filter=status+%3D+error+and+inputs.user.tier+%3D+gold`)
    await page.getByRole('button', { name: 'Condition inputs.user.tier = gold: remove' }).click()
    await until('it is gone from the address', async () => !page.url().includes('gold'))
    assert.match(page.url(), /status/)
  }),
  journey('a filter that cannot be read says why', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}?filter=status+%3D`)
    await page.getByRole('alert').getByText('what should status be?').waitFor()
  }),
  journey('a query of the API can be pasted', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}`)
    await rows(page).nth(3).waitFor()
    await writeFilter(page, '{"$expr": {"$eq": [{"$getField": "inputs.user.tier"}, {"$literal": "gold"}]}}')
    await page.getByRole('button', { name: 'Condition inputs.user.tier = gold: edit' }).waitFor()
  }),
  journey('an address can be shared', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}`)
    await rows(page).nth(3).waitFor()
    await writeFilter(page, 'inputs.user.tier = gold')
    await page.getByRole('button', { name: 'Condition inputs.user.tier = gold: edit' }).waitFor()
    await page.getByText('15 traces').waitFor()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('button', { name: 'Condition inputs.user.tier = gold: edit' }).waitFor()
    await other.getByText('15 traces').waitFor()
  }),
  journey('a text is found wherever it stands, and marked', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}`)
    await rows(page).nth(3).waitFor()
    await writeFilter(page, 'zürich')
    await page
      .locator('mark', { hasText: /zürich/i })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Text zürich: remove' }).click()
    await page.locator('mark').first().waitFor({ state: 'detached' })
  }),
  journey('drawing over the histogram looks at that time', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}?range=24h`)
    const figure = page.getByRole('figure', { name: /Calls over time/ })
    await page.getByText(/6\d traces/).waitFor()
    const box = await figure.boundingBox()
    assert.ok(box !== null)
    await page.mouse.move(box.x + box.width * 0.85, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.95, box.y + 20, { steps: 4 })
    await page.mouse.up()
    await until('a time in the address', async () => /range=\d{4}-/.test(page.url()))
    await until('fewer traces', async () => !/6\d traces/.test(await page.getByRole('main').innerText()))
  }),
  journey('any path becomes a column', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}`)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('textbox', { name: 'Path of a new column' }).fill('inputs.order')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('columnheader', { name: 'inputs.order' }).waitFor()
    // As it was sent, although no JavaScript number can hold it.
    await page.getByRole('gridcell', { name: '12345678901234567890' }).first().waitFor()
  }),
  journey('new calls appear by themselves in live mode', async ({ page, url, api }) => {
    const project_id = 'admin/live'
    const start = (id: string) =>
      api.call('call_start', {
        start: {
          project_id,
          id,
          trace_id: id,
          op_name: id,
          started_at: new Date().toISOString(),
          attributes: RawJson.of({}),
          inputs: RawJson.of({ question: 'Now?' }),
        },
      })
    await start('before')
    await page.goto(`${url}/${project_id}/weave/traces`)
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await page.getByRole('row', { name: /before/ }).waitFor()
    // The stream must be open before something happens.
    await page.waitForTimeout(500)
    await start('just_now')
    const row = page.getByRole('row', { name: /just_now/ })
    await row.getByRole('img', { name: 'running' }).waitFor()
    await api.call('call_end', {
      end: {
        project_id,
        id: 'just_now',
        ended_at: new Date().toISOString(),
        output: RawJson.of('Yes'),
      },
    })
    await row.getByRole('img', { name: 'succeeded' }).waitFor()
  }),
  journey('selected calls are deleted after asking', async ({ page, url, api }) => {
    await api.call('call_start', {
      start: {
        project_id: SHOP,
        id: 'shop-doomed',
        trace_id: 'shop-doomed',
        op_name: 'doomed',
        started_at: new Date().toISOString(),
        attributes: RawJson.of({}),
        inputs: RawJson.of({}),
      },
    })
    await page.goto(`${url}/${LIST}?filter=name+%3D+doomed`)
    await page.getByRole('checkbox', { name: 'Select doomed' }).check()
    const bar = page.getByRole('toolbar', { name: 'Selected calls' })
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 call' }).click()
    await page.getByRole('heading', { name: 'No call matches' }).waitFor()
  }),
  journey('selected calls are exported as they were sent', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}?filter=status+%3D+success`)
    await page.getByRole('checkbox', { name: 'Select shop_agent' }).first().check()
    const download = page.waitForEvent('download')
    const bar = page.getByRole('toolbar', { name: 'Selected calls' })
    await bar.getByRole('button', { name: 'Export' }).click()
    const path = await (await download).path()
    const { readFileSync } = await import('node:fs')
    const text = readFileSync(path, 'utf8')
    assert.match(text, /12345678901234567890/)
    assert.equal(text.trim().split('\n').length, 1)
  }),
  journey('more is read while scrolling', async ({ page, url }) => {
    await page.goto(`${url}/${LIST}?show=calls`)
    await rows(page).nth(3).waitFor()
    const region = page.getByRole('region', { name: 'List of calls' })
    await until('the end', async () => {
      await region.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return (await page.getByText(/^That is all: 18\d/).count()) > 0
    })
  }),
  journey('a view is saved, found again, changed, renamed and deleted', async ({ page, url, api }) => {
    await seedAnswers(api, 'admin/views', 9)
    const here = `${url}/admin/views/weave/traces`
    await page.goto(`${here}?range=24h`)
    await rows(page).nth(9).waitFor()
    await writeFilter(page, 'inputs.n < 4')
    await page.getByText('4 traces').waitFor()
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByText('No saved views yet').waitFor()
    await page.getByRole('button', { name: 'Save this view…' }).click()
    const naming = page.getByRole('dialog', { name: 'Save this view' })
    await naming.getByRole('textbox', { name: 'Name' }).fill('Small numbers')
    await naming.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'View Small numbers', exact: true }).waitFor()
    assert.match(page.url(), /saved=small-numbers-/)
    await until('it is in the title', async () => (await page.title()).startsWith('Small numbers · Traces'))

    // A fresh page knows nothing of it but the project.
    const other = await page.context().newPage()
    await other.goto(here)
    await rows(other).nth(9).waitFor()
    await other.getByRole('button', { name: 'Views', exact: true }).click()
    await other.getByRole('button', { name: 'Small numbers', exact: true }).click()
    await other.getByRole('button', { name: 'Condition inputs.n < 4: edit' }).waitFor()
    await other.getByText('4 traces').waitFor()
    await other.getByRole('button', { name: 'Time range: Last 24 hours' }).waitFor()

    // What is seen differs from what was saved; the address alone says so.
    await writeFilter(other, 'inputs.n < 2')
    await other.getByText('2 traces').waitFor()
    await other.reload()
    await other.getByText('2 traces').waitFor()
    await other.getByRole('button', { name: 'View Small numbers changed' }).click()
    await other.getByRole('button', { name: 'Back to the saved' }).click()
    await other.getByText('4 traces').waitFor()
    await other.getByRole('button', { name: 'View Small numbers', exact: true }).waitFor()
    await other.goBack()
    await other.getByRole('button', { name: 'View Small numbers changed' }).click()
    await other.getByRole('button', { name: 'Save changes' }).click()
    await other.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'hidden' })
    await other.getByRole('button', { name: 'View Small numbers', exact: true }).click()
    await other.getByRole('button', { name: 'Rename Small numbers' }).click()
    const renaming = other.getByRole('dialog', { name: 'Rename “Small numbers”' })
    await renaming.getByRole('textbox', { name: 'Name' }).fill('Tiny numbers')
    await renaming.getByRole('button', { name: 'Rename' }).click()
    await other.getByRole('button', { name: 'View Tiny numbers', exact: true }).waitFor()

    // The link of before leads to what was saved last.
    await page.reload()
    await page.getByRole('button', { name: 'View Tiny numbers changed' }).click()
    await page.getByRole('button', { name: 'Delete Tiny numbers' }).click()
    const asking = page.getByRole('dialog', { name: 'Delete the view “Tiny numbers”?' })
    await asking.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByText('No saved views yet').waitFor()
    assert.ok(!page.url().includes('saved='))
    await page.getByText('4 traces').waitFor()
  }),
  journey('views are saved, opened and found without the mouse', async ({ page, url, api }) => {
    await seedAnswers(api, 'admin/view-keys', 5)
    await page.goto(`${url}/admin/view-keys/weave/traces?range=24h`)
    for (const [name, filter] of [
      ['First', 'inputs.n = 0'],
      ['Last', 'inputs.n = 4'],
    ] as const) {
      await rows(page).nth(1).waitFor()
      await writeFilter(page, filter)
      await page.getByText('1 trace', { exact: true }).waitFor()
      await page.keyboard.press('v')
      const save = page.getByRole('button', { name: /^Save (this view|as new)…$/ })
      await save.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `View ${name}`, exact: true }).waitFor()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await page.keyboard.press('v')
    await page.getByRole('button', { name: 'First', exact: true }).waitFor()
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '')
    await until('the menu has the focus', async () => (await focused()) === 'All traces')
    await page.keyboard.press('ArrowDown')
    await until('the first is marked', async () => (await focused()) === 'First')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Condition inputs.n = 0: edit' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Go to/ }).fill('last view')
    await page.getByRole('option', { name: /^Last/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Condition inputs.n = 4: edit' }).waitFor()
    await page.getByRole('button', { name: 'View Last', exact: true }).waitFor()
  }),
  journey(
    'a view that was saved with an SDK opens by the link that it prints',
    async ({ page, url, api }) => {
      await seedAnswers(api, 'admin/sdk-views', 5)
      const field = (name: string) => ({
        _type: 'GetFieldOperator',
        $getField: name,
        _class_name: 'GetFieldOperator',
      })
      await api.call('obj_create', {
        obj: {
          project_id: 'admin/sdk-views',
          object_id: 'traces_2026-01-01_00-00-00',
          builtin_object_class: 'SavedView',
          val: RawJson.of({
            label: 'From a notebook',
            view_type: 'traces',
            definition: {
              filter: { op_names: null, trace_roots_only: true },
              query: {
                $expr: {
                  $gt: [{ $convert: { input: field('inputs.n'), to: 'double' } }, { $literal: 2.5 }],
                },
              },
              columns: [{ path: ['inputs', 'question'] }, { path: ['ui_url'] }],
              sort_by: [{ field: 'started_at', direction: 'asc' }],
            },
          }),
        },
      })
      await page.goto(`${url}/admin/sdk-views/weave/traces?view=traces_2026-01-01_00-00-00`)
      await page.getByRole('button', { name: 'View From a notebook', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Condition inputs.n > 2.5: edit' }).waitFor()
      await page.getByText('2 traces').waitFor()
      await page.getByRole('columnheader', { name: 'inputs.question' }).waitFor()
      await page.getByText('Left out: a column for ui_url').waitFor()
      await page.goto(`${url}/admin/sdk-views/weave/traces?view=gone`)
      await page.getByRole('heading', { name: 'There is no such view' }).waitFor()
      await page.getByRole('button', { name: 'Show all traces' }).click()
      await rows(page).nth(5).waitFor()
    },
  ),
  ...(['light', 'dark'] as const).map((scheme) =>
    journey(`axe finds no serious fault: saved views, ${scheme}`, async ({ page, url, api }) => {
      const project_id = `admin/axe-views-${scheme}`
      await seedAnswers(api, project_id, 3)
      for (let i = 0; i < 9; i++) {
        const definition = { filter: { trace_roots_only: true }, heddle: {} }
        await api.call('obj_create', {
          obj: {
            project_id,
            object_id: `view-${i}`,
            builtin_object_class: 'SavedView',
            val: RawJson.of({ label: `View ${i}`, view_type: 'traces', definition }),
          },
        })
      }
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.goto(`${url}/${project_id}/weave/traces?saved=view-1&filter=inputs.n+>+1`)
      await page.getByRole('button', { name: 'View View 1 changed' }).click()
      await page.getByRole('textbox', { name: 'Find a view' }).fill('View')
      await page.waitForTimeout(300)
      assert.deepEqual(await faults(page), [])
      await page.getByRole('textbox', { name: 'Find a view' }).fill('view 7')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'View View 7', exact: true }).click()
      await page.getByRole('button', { name: 'Save as new…' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('View 7')
      await page.getByText('There is a view of this name').waitFor()
      await page.waitForTimeout(300)
      assert.deepEqual(await faults(page), [])
    }),
  ),
]
