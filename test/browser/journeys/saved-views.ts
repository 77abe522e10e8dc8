import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { classMembers } from '../../../src/web/named-objects/classes.ts'
import { seedReviewCalls } from '../review-seed.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'
import { seriousViolations } from '../axe.ts'
import { applyFilter, rows } from '../call-list.ts'

/** Saved views of the call list. */

test('a view is saved, opened, changed, renamed and deleted', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/views', 9)
  const here = `${url}/admin/views/weave/traces`
  await page.goto(`${here}?range=24h`)
  await rows(page).nth(9).waitFor()
  await applyFilter(page, 'inputs.n < 4')
  await page.getByText('4 traces').waitFor()
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByText('No saved views yet').waitFor()
  await page.getByRole('button', { name: 'Save view…' }).click()
  const naming = page.getByRole('dialog', { name: 'Save view' })
  await naming.getByRole('textbox', { name: 'Name' }).fill('Small numbers')
  await naming.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'View Small numbers', exact: true }).waitFor()
  assert.match(page.url(), /saved=small-numbers-/)
  await waitUntil('the view is in the document title', async () =>
    (await page.title()).startsWith('Small numbers · Traces'),
  )

  // A new page reads the view from the server.
  const other = await page.context().newPage()
  await other.goto(here)
  await rows(other).nth(9).waitFor()
  await other.getByRole('button', { name: 'Views', exact: true }).click()
  await other.getByRole('button', { name: 'Small numbers', exact: true }).click()
  await other.getByRole('button', { name: 'Condition inputs.n < 4: edit' }).waitFor()
  await other.getByText('4 traces').waitFor()
  await other.getByRole('button', { name: 'Time range: Last 24 hours' }).waitFor()

  // The URL differs from the saved view, also after a reload.
  await applyFilter(other, 'inputs.n < 2')
  await other.getByText('2 traces').waitFor()
  await other.reload()
  await other.getByText('2 traces').waitFor()
  await other.getByRole('button', { name: 'View Small numbers modified' }).click()
  await other.getByRole('button', { name: 'Discard changes' }).click()
  await other.getByText('4 traces').waitFor()
  await other.getByRole('button', { name: 'View Small numbers', exact: true }).waitFor()
  await other.goBack()
  await other.getByRole('button', { name: 'View Small numbers modified' }).click()
  await other.getByRole('button', { name: 'Save changes' }).click()
  await other.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'hidden' })
  await other.getByRole('button', { name: 'View Small numbers', exact: true }).click()
  await other.getByRole('button', { name: 'Rename Small numbers' }).click()
  const renaming = other.getByRole('dialog', { name: 'Rename “Small numbers”' })
  await renaming.getByRole('textbox', { name: 'Name' }).fill('Tiny numbers')
  await renaming.getByRole('button', { name: 'Rename' }).click()
  await other.getByRole('button', { name: 'View Tiny numbers', exact: true }).waitFor()

  // The earlier link opens the latest version of the view.
  await page.reload()
  await page.getByRole('button', { name: 'View Tiny numbers modified' }).click()
  await page.getByRole('button', { name: 'Delete Tiny numbers' }).click()
  const asking = page.getByRole('dialog', { name: 'Delete view “Tiny numbers”?' })
  await asking.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByText('No saved views yet').waitFor()
  assert.ok(!page.url().includes('saved='))
  await page.getByText('4 traces').waitFor()
})

test('views are saved, opened and found with the keyboard', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/view-keys', 5)
  await page.goto(`${url}/admin/view-keys/weave/traces?range=24h`)
  for (const [name, filter] of [
    ['First', 'inputs.n = 0'],
    ['Last', 'inputs.n = 4'],
  ] as const) {
    await rows(page).nth(1).waitFor()
    const clear = page.getByRole('button', { name: 'Clear filter' })
    if ((await clear.count()) > 0) await clear.click()
    await applyFilter(page, filter)
    await page.getByText('1 trace', { exact: true }).waitFor()
    await page.keyboard.press('v')
    const save = page.getByRole('button', { name: /^Save (view|as new)…$/ })
    await save.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('textbox', { name: 'Name' }).press('Enter')
    await page.getByRole('button', { name: `View ${name}`, exact: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await page.keyboard.press('v')
  await page.getByRole('button', { name: 'First', exact: true }).waitFor()
  const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '')
  await waitUntil('the menu has the focus', async () => (await focused()) === 'All traces')
  await page.keyboard.press('ArrowDown')
  await waitUntil('the first view has the focus', async () => (await focused()) === 'First')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Condition inputs.n = 0: edit' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Go to/ }).fill('last view')
  await page.getByRole('option', { name: /^Last/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Condition inputs.n = 4: edit' }).waitFor()
  await page.getByRole('button', { name: 'View Last', exact: true }).waitFor()
})

test('a view saved by an SDK opens from the link that the SDK prints', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/sdk-views', 5)
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
      val: RawJson.fromValue({
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
  await page.getByText('not supported: column ui_url').waitFor()
  await page.goto(`${url}/admin/sdk-views/weave/traces?view=gone`)
  await page.getByRole('heading', { name: 'View not found' }).waitFor()
  await page.getByRole('button', { name: 'Show all traces' }).click()
  await rows(page).nth(5).waitFor()
})

for (const scheme of ['light', 'dark'] as const)
  test(`axe finds no serious violation: saved views, ${scheme}`, async ({ page, url, api }) => {
    const project_id = `admin/axe-views-${scheme}`
    await seedReviewCalls(api, project_id, 3)
    for (let i = 0; i < 9; i++) {
      const definition = { filter: { trace_roots_only: true }, heddle: {} }
      await api.call('obj_create', {
        obj: {
          project_id,
          object_id: `view-${i}`,
          val: RawJson.fromValue({
            ...classMembers('SavedView'),
            label: `View ${i}`,
            view_type: 'traces',
            definition,
          }),
        },
      })
    }
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(`${url}/${project_id}/weave/traces?saved=view-1&filter=inputs.n+>+1`)
    await page.getByRole('button', { name: 'View View 1 modified' }).click()
    await page.getByRole('textbox', { name: 'Find a view' }).fill('View')
    await page.waitForTimeout(300)
    assert.deepEqual(await seriousViolations(page), [])
    await page.getByRole('textbox', { name: 'Find a view' }).fill('view 7')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'View View 7', exact: true }).click()
    await page.getByRole('button', { name: 'Save as new…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('View 7')
    await page.getByText('A view with this name exists').waitFor()
    await page.waitForTimeout(300)
    assert.deepEqual(await seriousViolations(page), [])
  })
