import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { RawJson } from '../../../src/contract/raw-json.ts'
import type { Client } from '../../../src/client/client.ts'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'

const PROJECT = 'admin/datasets'

/** Publishes rows as raw JSON text, so that the test can check their spelling. */
async function publish(
  api: Client,
  name: string,
  rows: readonly string[],
  project_id = PROJECT,
): Promise<string> {
  const table = await api.call('table_create', {
    table: { project_id, rows: rows.map((row) => RawJson.fromText(row)) },
  })
  const val = {
    _type: 'Dataset',
    _class_name: 'Dataset',
    _bases: ['Object', 'BaseModel'],
    name,
    rows: `weave:///${project_id}/table/${table.digest}`,
  }
  const { digest } = await api.call('obj_create', {
    obj: { project_id, object_id: name, val: RawJson.fromValue(val) },
  })
  return digest
}

/** The rows of the latest version, as raw JSON text. */
async function latestRows(api: Client, name: string, project_id = PROJECT): Promise<string[]> {
  const { obj } = await api.call('obj_read', { project_id, object_id: name, digest: 'latest' })
  const digest = /table\/(\w+)/.exec(obj.val.text)?.[1] ?? ''
  const { rows } = await api.call('table_query', { project_id, digest })
  return rows.map(({ val }) => val.text)
}

const grid = (page: Page, name: string) => page.getByRole('grid', { name: `Rows of ${name}` })

async function addFile(page: Page, name: string, text: string): Promise<void> {
  await page
    .getByLabel('File with rows')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
}

/** Datasets: read, edit and publish them, and add rows from files and calls. */

test('a dataset is edited with the keyboard and published, and unchanged values keep their exact spelling', async ({
  page,
  url,
  api,
}) => {
  await publish(api, 'exam', [
    '{"question": "One?", "weight": 1.0, "big": 12345678901234567890}',
    '{ "question" : "Two?",  "weight": 2.50, "big": 1e3 }',
    '{"question": "Three?", "weight": 3}',
  ])
  await page.goto(`${url}/${PROJECT}/weave/datasets/exam/versions/latest`)
  const table = grid(page, 'exam')
  await table.getByRole('gridcell', { name: '12345678901234567890' }).waitFor()
  await page.keyboard.press('e')
  await page.getByRole('button', { name: 'Stop editing' }).waitFor()
  await table.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'question of row 1' }).fill('One or two?')
  await page.keyboard.press('Enter')
  await table.getByRole('gridcell', { name: 'One or two?' }).waitFor()
  // The first value that is not a string is edited as JSON.
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'weight of row 1' }).fill('1.50')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Delete')
  await page.getByText('1 row changed, 1 removed').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('1 row changed', { exact: true }).waitFor()
  await page.keyboard.press('Control+y')
  await page.getByRole('button', { name: 'Add row' }).click()
  await page.getByRole('textbox', { name: 'question of row 4' }).fill('Four?')
  await page.keyboard.press('Enter')
  await page.getByText('1 row changed, 1 removed, 1 added').waitFor()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Version: v1' }).waitFor()
  await page.getByText('3 rows', { exact: true }).waitFor()
  assert.deepEqual(await latestRows(api, 'exam'), [
    '{"question": "One or two?", "weight": 1.50, "big": 12345678901234567890}',
    '{ "question" : "Two?",  "weight": 2.50, "big": 1e3 }',
    '{"question": "Four?"}',
  ])
  await page.getByRole('link', { name: 'Compare' }).click()
  await page.getByRole('region', { name: 'Rows' }).getByText('One or two?').waitFor()
})

test('leaving an edited dataset asks for confirmation', async ({ page, url, api }) => {
  await publish(api, 'draft', ['{"a": "x"}'])
  await page.goto(`${url}/${PROJECT}/weave/datasets/draft/versions/latest?edit=on`)
  await grid(page, 'draft').getByRole('gridcell', { name: 'x' }).dblclick()
  const field = page.getByRole('textbox', { name: 'a of row 1' })
  await field.fill('{"b": ')
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  await field.fill('{"b": ')
  await page.keyboard.press('Enter')
  // Invalid JSON is not saved.
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  await field.fill('{"b": 1.0}')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Traces' }).click()
  await page.getByRole('dialog', { name: 'Leave without publishing?' }).waitFor()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await grid(page, 'draft').getByRole('gridcell', { name: '{"b": 1.0}' }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await grid(page, 'draft').getByRole('gridcell', { name: 'x' }).waitFor()
  assert.deepEqual(await latestRows(api, 'draft'), ['{"a": "x"}'])
})

test('a dataset of 20,000 rows is scrolled to its end and a row of it opened', async ({ page, url, api }) => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `{"n": ${i}, "text": "row ${i}"}`)
  await publish(api, 'long', rows)
  await page.goto(`${url}/${PROJECT}/weave/datasets/long/versions/latest`)
  await page.getByText('20,000 rows', { exact: true }).waitFor()
  const table = grid(page, 'long')
  await table.focus()
  await page.keyboard.press('Control+End')
  await table.getByRole('gridcell', { name: 'row 19999' }).waitFor()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Row 20000' })
  await panel.getByText('row 19999').waitFor()
  assert.match(page.url(), /row=20000/)
  await page.reload()
  await waitUntil('only visible rows are rendered', async () => (await table.getByRole('row').count()) < 120)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('a CSV file is previewed and published', async ({ page, url, api }) => {
  await page.goto(`${url}/${PROJECT}/weave/datasets`)
  await page.getByRole('link', { name: 'New dataset' }).click()
  await addFile(page, 'price list.csv', 'name,price,code\n"Loom, small",10.50,007\nYarn,3,012\n')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByRole('cell', { name: 'Loom, small' }).waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Dataset' }).inputValue(), 'price-list')
  await page.getByRole('button', { name: 'Publish 2 rows' }).click()
  await grid(page, 'price-list').getByRole('gridcell', { name: '10.50' }).waitFor()
  assert.deepEqual(await latestRows(api, 'price-list'), [
    '{"name": "Loom, small", "price": 10.50, "code": "007"}',
    '{"name": "Yarn", "price": 3, "code": "012"}',
  ])
})

test('lines of a JSONL file are added to a dataset, and invalid lines are reported', async ({
  page,
  url,
  api,
}) => {
  await publish(api, 'grows', ['{"a": 1}'])
  await page.goto(`${url}/${PROJECT}/weave/datasets/grows/versions/latest`)
  await page.getByRole('link', { name: 'Add rows from file' }).click()
  await addFile(
    page,
    'more.jsonl',
    '{"a": 2.0, "html": "<img src=x onerror=alert(1)>"}\nnot json\n{"a": 3}\n',
  )
  await page.getByText(/1 line is not a row and will be skipped. Line 2/).waitFor()
  await page.getByRole('cell', { name: '<img src=x onerror=alert(1)>' }).waitFor()
  await page.getByRole('button', { name: 'Publish 2 rows' }).click()
  await page.getByText('3 rows', { exact: true }).waitFor()
  assert.deepEqual(await latestRows(api, 'grows'), [
    '{"a": 1}',
    '{"a": 2.0, "html": "<img src=x onerror=alert(1)>"}',
    '{"a": 3}',
  ])
})

test('selected calls become rows of a dataset', async ({ page, url, api }) => {
  await page.goto(`${url}/${SHOP}/weave/traces?filter=status+%3D+success+and+name+%3D+shop_agent`)
  const calls = page.getByRole('grid', { name: 'Calls' })
  await calls.getByRole('row').nth(3).waitFor()
  await calls.getByRole('row').nth(1).getByRole('checkbox').check()
  await calls.getByRole('row').nth(2).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Add to dataset' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add to dataset' })
  await dialog.getByRole('checkbox', { name: 'inputs.user' }).uncheck()
  await dialog.getByRole('textbox', { name: 'Column name for output', exact: true }).fill('expected')
  await dialog.getByRole('combobox', { name: 'Dataset' }).fill('from-calls')
  await dialog.getByRole('button', { name: 'Add 2 rows' }).click()
  await dialog.getByRole('link', { name: 'Open dataset' }).click()
  await grid(page, 'from-calls').getByRole('gridcell', { name: '12345678901234567890' }).first().waitFor()
  const rows = await latestRows(api, 'from-calls', SHOP)
  assert.equal(rows.length, 2)
  assert.match(rows[0] ?? '', /"temperature": 1\.0, "order": 12345678901234567890, "expected": \{/)
})

test('an empty dataset gets a column and a row', async ({ page, url, api }) => {
  await page.goto(`${url}/${PROJECT}/weave/new-dataset`)
  await page.getByRole('combobox', { name: 'Dataset' }).fill('by-hand')
  await page.getByRole('button', { name: 'Create empty dataset' }).click()
  await page.getByRole('button', { name: 'Add column' }).click()
  await page.getByRole('textbox', { name: 'Column name' }).fill('question')
  await page.keyboard.press('Enter')
  await grid(page, 'by-hand').getByRole('gridcell', { name: '–' }).dblclick()
  await page.getByRole('textbox', { name: 'question of row 1' }).fill('Why?')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('1 row', { exact: true }).waitFor()
  assert.deepEqual(await latestRows(api, 'by-hand'), ['{"question": "Why?"}'])
})

test('a dataset version is downloaded as CSV and JSON Lines', async ({ page, url, api }) => {
  const digest = await publish(api, 'downloaded', [
    '{"question":"Why, then?","n":1.50}',
    '{"n":2,"tags":["a"]}',
  ])
  await page.goto(`${url}/${PROJECT}/weave/datasets/downloaded/versions/${digest}`)
  const download = async (label: string): Promise<[string, string]> => {
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: label }).click()
    const file = await downloading
    return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')]
  }
  assert.deepEqual(await download('CSV, a column for each field'), [
    'downloaded.csv',
    '"question","n","tags"\n"Why, then?","1.50",\n,2,"[""a""]"\n',
  ])
  assert.deepEqual(await download('JSON Lines'), [
    'downloaded.jsonl',
    '{"question":"Why, then?","n":1.50}\n{"n":2,"tags":["a"]}\n',
  ])
})
