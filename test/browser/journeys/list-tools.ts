import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import type { Client } from '../../../src/client/client.ts'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { seedAnswers } from '../review-seed.ts'
import { journey, until } from '../environment.ts'
import { faults } from './accessibility.ts'

const rows = (page: Page) => page.getByRole('grid', { name: 'Calls' }).getByRole('row')

async function exported(page: Page, format: string): Promise<readonly string[]> {
  await page.getByRole('button', { name: 'Export what matches' }).click()
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
      attributes: RawJson.of(attributes),
      inputs: RawJson.of(inputs),
      output: RawJson.of('made'),
      summary: RawJson.of({}),
    })),
  })
}

/** What stands above the list and below it: export, live, columns, what is selected. */
export const listTools = [
  journey('an export holds what the list counts', async ({ page, url, api }) => {
    await seedAnswers(api, 'admin/exported', 30)
    const here = `${url}/admin/exported/weave/traces`
    // One each minute: the last quarter of an hour has the newest.
    await page.goto(`${here}?range=15m&filter=inputs.n+>+4`)
    await page.getByText(/^\d+ traces/).waitFor()
    const counted = Number((await page.getByText(/^\d+ traces/).innerText()).split(' ')[0])
    const ids = idsOf(await exported(page, 'JSON lines'))
    assert.equal(ids.length, counted)
    assert.ok(ids.includes('answer-5') && !ids.includes('answer-4') && !ids.includes('answer-20'), ids.join())
    await page.goto(`${here}?range=all`)
    await page.getByText('30 traces').waitFor()
    assert.equal((await exported(page, 'CSV')).length, 31)
    // A text search has no such export: it says what to do instead.
    await page.goto(`${here}?text=Question`)
    await rows(page).nth(3).waitFor()
    await page.getByRole('button', { name: 'Export what matches' }).focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    await page.getByRole('tooltip').getByText('To export what was found, select it').waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await page.getByRole('menuitem').count(), 0)
    assert.deepEqual(await faults(page), [])
  }),
  journey('hundreds of selected calls are exported and deleted', async ({ page, url, api }) => {
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
    await until(
      'all are read',
      async () => {
        await region.evaluate((it) => it.scrollTo(0, it.scrollHeight))
        return await page.getByText('That is all: 420').isVisible()
      },
      60_000,
    )
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check()
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
  }),
  journey('live says when it rests', async ({ page, url, api }) => {
    await seedAnswers(api, 'admin/resting', 3)
    const here = `${url}/admin/resting/weave/traces`
    await page.goto(`${here}?live=on`)
    const live = page.getByRole('button', { name: 'Live', exact: true })
    await page.getByRole('button', { name: 'Live', exact: true, pressed: true }).waitFor()
    await page.getByRole('button', { name: 'Latency' }).click()
    await page.getByRole('button', { name: 'Live', exact: true, pressed: false }).waitFor()
    assert.equal(await live.getAttribute('aria-disabled'), 'true')
    await live.hover()
    await page.getByRole('tooltip').getByText('Live rests in any other order').waitFor()
    await live.click({ force: true })
    await page.keyboard.press('l')
    assert.match(page.url(), /live=on/)
    await page.goto(`${here}?live=on&text=Question`)
    await rows(page).nth(2).waitFor()
    assert.equal(await live.getAttribute('aria-pressed'), 'false')
    assert.match((await live.getAttribute('aria-description')) ?? '', /while a text is searched for/)
    // Back in the order of time it goes on.
    await page.goto(`${here}?live=on`)
    await page.getByRole('button', { name: 'Live', exact: true, pressed: true }).waitFor()
  }),
  journey('own columns are filled for calls that arrive live', async ({ page, url, api }) => {
    await seedAnswers(api, 'admin/filled', 3)
    await page.goto(`${url}/admin/filled/weave/traces?live=on&columns=name,inputs.n,output.grade`)
    await page.getByRole('gridcell', { name: '2', exact: true }).waitFor()
    // The stream must be open before something happens.
    await page.waitForTimeout(500)
    await api.call('call_start', {
      start: {
        project_id: 'admin/filled',
        id: 'arriving',
        trace_id: 'arriving',
        op_name: 'arriving',
        started_at: new Date().toISOString(),
        attributes: RawJson.of({}),
        inputs: RawJson.of({ n: 4711 }),
      },
    })
    const row = page.getByRole('row', { name: /arriving/ })
    await row.getByRole('gridcell', { name: '4711' }).waitFor()
    await api.call('call_end', {
      end: {
        project_id: 'admin/filled',
        id: 'arriving',
        ended_at: new Date().toISOString(),
        output: RawJson.of({ grade: 'splendid' }),
      },
    })
    await row.getByRole('gridcell', { name: 'splendid' }).waitFor()
    // A column that is added later has them too.
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('textbox', { name: 'Path of a new column' }).fill('output')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await row.getByRole('gridcell', { name: 'splendid' }).nth(1).waitFor()
  }),
  journey('tags are shown where there are any', async ({ page, url, api }) => {
    await complete(api, 'tagged', [
      { id: 'tagged-1', attributes: { tags: ['prod', 'eu-west', '\u202Egat\u202C'] } },
      { id: 'tagged-2', attributes: { tags: 'nightly' } },
      { id: 'tagged-3', attributes: { tags: { not: 'tags' } } },
    ])
    await page.goto(`${url}/admin/tagged/weave/traces`)
    await page.getByRole('columnheader', { name: 'Tags' }).waitFor()
    await page.getByRole('gridcell', { name: String.raw`prod eu-west \u202egat\u202c` }).waitFor()
    await page.getByRole('gridcell', { name: 'nightly' }).waitFor()
    assert.deepEqual(await faults(page), [])
    // Whoever does not want them takes them away for good; the address says so.
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Tags' }).uncheck()
    await page.getByRole('columnheader', { name: 'Tags' }).waitFor({ state: 'detached' })
    await page.reload()
    await rows(page).nth(3).waitFor()
    await page.waitForTimeout(500)
    assert.equal(await page.getByRole('columnheader', { name: 'Tags' }).count(), 0)
    // Where there are none, nothing is shown of them.
    await seedAnswers(api, 'admin/untagged', 2)
    await page.goto(`${url}/admin/untagged/weave/traces`)
    await rows(page).nth(2).waitFor()
    await page.waitForTimeout(500)
    assert.equal(await page.getByRole('columnheader', { name: 'Tags' }).count(), 0)
  }),
]
