import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import type { Client } from '../../../src/client/client.ts'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { seedReviewCalls } from '../review-seed.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'
import { seriousViolations } from '../axe.ts'

const rows = (page: Page) => page.getByRole('grid', { name: 'Calls' }).getByRole('row')

async function exported(page: Page, format: string): Promise<readonly string[]> {
  await page.getByRole('button', { name: 'Export matching calls' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ])
  return linesOf(download)
}

async function linesOf(download: Download): Promise<readonly string[]> {
  return (await readFile(await download.path(), 'utf8')).split('\n').filter((line) => line !== '')
}

const idsOf = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { id: string }).id)

interface Made {
  readonly id: string
  readonly attributes?: object
  readonly inputs?: object
}

async function complete(api: Client, project: string, calls: readonly Made[]): Promise<void> {
  const startMs = Date.now() - calls.length * 1000
  await api.call('calls_complete', {
    entity: 'admin',
    project,
    batch: calls.map(({ id, attributes = {}, inputs = {} }, i) => ({
      project_id: `admin/${project}`,
      id,
      trace_id: id,
      op_name: 'made',
      started_at: new Date(startMs + i * 1000).toISOString(),
      ended_at: new Date(startMs + i * 1000 + 10).toISOString(),
      attributes: RawJson.fromValue(attributes),
      inputs: RawJson.fromValue(inputs),
      output: RawJson.fromValue('made'),
      summary: RawJson.fromValue({}),
    })),
  })
}

/** Tools of the call list: export, live mode, columns, tags, selection. */

test('an export contains the calls that the list counts', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/exported', 30)
  const here = `${url}/admin/exported/weave/traces`
  // One call per minute: the last 15 minutes contain the newest ones.
  await page.goto(`${here}?range=15m&filter=inputs.n+>+4`)
  await page.getByText(/^\d+ traces/).waitFor()
  const counted = Number((await page.getByText(/^\d+ traces/).innerText()).split(' ')[0])
  const ids = idsOf(await exported(page, 'JSON lines'))
  assert.equal(ids.length, counted)
  assert.ok(ids.includes('answer-5') && !ids.includes('answer-4') && !ids.includes('answer-20'), ids.join())
  await page.goto(`${here}?range=all`)
  await page.getByText('30 traces').waitFor()
  assert.equal((await exported(page, 'CSV')).length, 31)
  // A text search cannot be exported. The tooltip explains what to do instead.
  await page.goto(`${here}?text=Question`)
  await rows(page).nth(3).waitFor()
  await page.getByRole('button', { name: 'Export matching calls' }).focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await page.getByRole('tooltip').getByText('To export search results, select them').waitFor()
  await page.keyboard.press('Enter')
  assert.equal(await page.getByRole('menuitem').count(), 0)
  assert.deepEqual(await seriousViolations(page), [])
})

test('hundreds of selected calls are exported and deleted', async ({ page, url, api }) => {
  const count = 420
  const made = Array.from({ length: count }, (_, i) => ({
    id: `019c5a3e-0000-7000-8000-${String(i).padStart(12, '0')}`,
    inputs: { n: i },
  }))
  await complete(api, 'many', made)
  await page.goto(`${url}/admin/many/weave/traces`)
  await page.getByText('420 traces').waitFor()
  const region = page.getByRole('region', { name: 'List of calls' })
  await rows(page).nth(3).waitFor()
  await waitUntil(
    'all calls are loaded',
    async () => {
      await region.evaluate((it) => it.scrollTo(0, it.scrollHeight))
      return await page.getByText('End of list: 420').isVisible()
    },
    60_000,
  )
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected calls' })
  await bar.getByText('420 calls selected').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'Export' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'admin-many-calls.jsonl')
  assert.deepEqual(new Set(idsOf(await linesOf(download))), new Set(made.map(({ id }) => id)))
  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It is not erased').waitFor()
  await dialog.getByRole('button', { name: 'Delete 420 calls' }).click()
  await page.getByRole('heading', { name: 'No calls yet' }).waitFor()
})

test('live mode explains why it is paused', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/resting', 3)
  const here = `${url}/admin/resting/weave/traces`
  await page.goto(`${here}?live=on`)
  const live = page.getByRole('button', { name: 'Live', exact: true })
  await page.getByRole('button', { name: 'Live', exact: true, pressed: true }).waitFor()
  await page.getByRole('button', { name: 'Latency' }).click()
  await page.getByRole('button', { name: 'Live', exact: true, pressed: false }).waitFor()
  assert.equal(await live.getAttribute('aria-disabled'), 'true')
  await live.hover()
  await page.getByRole('tooltip').getByText('Live is paused: sort by newest first').waitFor()
  await live.click({ force: true })
  await page.keyboard.press('l')
  assert.match(page.url(), /live=on/)
  await page.goto(`${here}?live=on&text=Question`)
  await rows(page).nth(2).waitFor()
  assert.equal(await live.getAttribute('aria-pressed'), 'false')
  assert.match((await live.getAttribute('aria-description')) ?? '', /paused during text search/)
  // In newest-first order, live mode resumes.
  await page.goto(`${here}?live=on`)
  await page.getByRole('button', { name: 'Live', exact: true, pressed: true }).waitFor()
})

test('path columns are filled for live calls', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/filled', 3)
  await page.goto(`${url}/admin/filled/weave/traces?live=on&columns=name,inputs.n,output.grade`)
  await page.getByRole('gridcell', { name: '2', exact: true }).waitFor()
  // The live feed must be open before the next call starts.
  await page.waitForTimeout(500)
  await api.call('call_start', {
    start: {
      project_id: 'admin/filled',
      id: 'arriving',
      trace_id: 'arriving',
      op_name: 'arriving',
      started_at: new Date().toISOString(),
      attributes: RawJson.fromValue({}),
      inputs: RawJson.fromValue({ n: 4711 }),
    },
  })
  const row = page.getByRole('row', { name: /arriving/ })
  await row.getByRole('gridcell', { name: '4711' }).waitFor()
  await api.call('call_end', {
    end: {
      project_id: 'admin/filled',
      id: 'arriving',
      ended_at: new Date().toISOString(),
      output: RawJson.fromValue({ grade: 'splendid' }),
    },
  })
  await row.getByRole('gridcell', { name: 'splendid' }).waitFor()
  // A column that is added later has values for live calls too.
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('textbox', { name: 'New column path' }).fill('output')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await row.getByRole('gridcell', { name: 'splendid' }).nth(1).waitFor()
})

test('columns are moved, resized and pinned', async ({ page, url, api }) => {
  await seedReviewCalls(api, 'admin/arranged', 30)
  await page.goto(`${url}/admin/arranged/weave/traces`)
  await rows(page).nth(3).waitFor()
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true })
  const widthOf = async (name: string) => (await header(name).boundingBox())?.width ?? 0
  const labels = () => page.getByRole('columnheader').evaluateAll((all) => all.map((it) => it.textContent))
  // By keyboard: the arrow keys lead from the first control of the header over the sort button to the menu of the first column.
  await page.getByRole('checkbox', { name: 'Select all' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Move right' }).click()
  await page.waitForURL(/columns=input%2Cname|columns=input,name/)
  assert.deepEqual((await labels()).slice(1, 3), ['Input', 'Name'])
  const before = await widthOf('Name')
  await page.getByRole('menuitem', { name: 'Wider' }).click()
  await waitUntil('a wider column', async () => Math.round((await widthOf('Name')) - before) === 40)
  await page.getByRole('menuitem', { name: 'Pin to the left' }).click()
  await waitUntil('the pinned column is first', async () => (await labels())[1] === 'Name')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  assert.deepEqual(await seriousViolations(page), [])
  // By mouse: the edge of a header resizes its column, the header itself moves it.
  const edge = await header('Cost').boundingBox()
  assert.ok(edge !== null)
  await page.mouse.move(edge.x + edge.width - 2, edge.y + 10)
  await page.mouse.down()
  await page.mouse.move(edge.x + edge.width + 58, edge.y + 10, { steps: 4 })
  await page.mouse.up()
  await waitUntil('a wider column', async () => Math.round((await widthOf('Cost')) - edge.width) === 60)
  await header('Feedback').dragTo(header('Started'))
  await page.waitForURL(/columns=name(%2C|,)input(%2C|,)output(%2C|,)feedback(%2C|,)started/)
  // The order is in the URL, the rest in the browser.
  await page.reload()
  await rows(page).nth(3).waitFor()
  assert.equal((await labels())[1], 'Name')
  assert.equal(Math.round(await widthOf('Cost')), Math.round(edge.width + 60))
  // A range of rows is selected with Shift.
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
  await boxes.nth(1).check()
  await boxes.nth(4).click({ modifiers: ['Shift'] })
  await page.getByRole('toolbar', { name: 'Selected calls' }).getByText('4 calls selected').waitFor()
  // Arrow keys move the cursor; the focused grid names its row.
  const grid = page.getByRole('grid', { name: 'Calls' })
  await grid.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const active = await grid.getAttribute('aria-activedescendant')
  assert.equal(await page.locator(`[id="${active}"]`).getAttribute('aria-rowindex'), '3')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Trace' }).waitFor()
})

test('the tags column is shown if calls have tags', async ({ page, url, api }) => {
  await complete(api, 'tagged', [
    { id: 'tagged-1', attributes: { tags: ['prod', 'eu-west', '\u202Egat\u202C'] } },
    { id: 'tagged-2', attributes: { tags: 'nightly' } },
    { id: 'tagged-3', attributes: { tags: { not: 'tags' } } },
  ])
  await page.goto(`${url}/admin/tagged/weave/traces`)
  await page.getByRole('columnheader', { name: 'Tags' }).waitFor()
  await page.getByRole('gridcell', { name: String.raw`prod eu-west \u202egat\u202c` }).waitFor()
  await page.getByRole('gridcell', { name: 'nightly' }).waitFor()
  assert.deepEqual(await seriousViolations(page), [])
  // A hidden tags column stays hidden after a reload, because the URL says so.
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Tags' }).uncheck()
  await page.getByRole('columnheader', { name: 'Tags' }).waitFor({ state: 'detached' })
  await page.reload()
  await rows(page).nth(3).waitFor()
  await page.waitForTimeout(500)
  assert.equal(await page.getByRole('columnheader', { name: 'Tags' }).count(), 0)
  // Without tags there is no tags column.
  await seedReviewCalls(api, 'admin/untagged', 2)
  await page.goto(`${url}/admin/untagged/weave/traces`)
  await rows(page).nth(2).waitFor()
  await page.waitForTimeout(500)
  assert.equal(await page.getByRole('columnheader', { name: 'Tags' }).count(), 0)
})
