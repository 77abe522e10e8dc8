import assert from 'node:assert/strict'
import { applyFilter, rows } from '../call-list.ts'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'

const LIST = `${SHOP}/weave/traces`

/** The call list: filter, search, sort, live mode, selection. */

test('the list shows status and totals, newest first', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}`)
  const running = page.getByRole('row', { name: /Anybody there/ })
  await running.getByRole('img', { name: 'running' }).waitFor()
  const failed = page.getByRole('row', { name: /TimeoutError/ }).first()
  await failed.getByRole('img', { name: 'error' }).waitFor()
  await page.getByText(/6\d traces, \d+ errors?/).waitFor()
})

test('keyboard shortcuts move through the list and open a trace', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}`)
  await rows(page).nth(3).waitFor()
  for (const key of ['j', 'j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
  const drawer = page.getByRole('complementary', { name: 'Trace' })
  await drawer.getByRole('tree').waitFor()
  const first = page.url()
  await page.keyboard.press('j')
  await waitUntil('the next trace is open', async () => page.url() !== first)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
})

test('a failed call is found by status, and its exception is shown', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}`)
  await rows(page).nth(3).waitFor()
  await applyFilter(page, 'status = error and inputs.user.tier = free')
  await page.getByRole('button', { name: 'Condition status = error: edit' }).waitFor()
  await waitUntil('only errors', async () => {
    const failed = await page.getByRole('img', { name: 'error' }).count()
    return failed > 0 && failed === (await rows(page).count()) - 1
  })
  await rows(page).nth(1).click()
  const exception = page.getByRole('region', { name: 'Exception' })
  await exception.getByRole('heading', { name: 'TimeoutError: no answer in 30 s' }).waitFor()
})

test('sorting finds the slowest call', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}`)
  await page.getByRole('button', { name: 'Latency' }).click()
  await rows(page).nth(1).getByText('42.0 s').waitFor()
  assert.match(page.url(), /sort=-summary/)
})

test('fields are columns that sort, filters and groups', async ({ page, url, api }) => {
  const project_id = 'admin/fields'
  const batch = [1, 2, 3].map((n) => ({
    project_id,
    id: `fields-${n}`,
    trace_id: `fields-${n}`,
    op_name: `step_${n}`,
    started_at: new Date(Date.now() - n * 60_000).toISOString(),
    ended_at: new Date(Date.now() - n * 60_000 + 900).toISOString(),
    exception:
      n === 3 ? 'Traceback (most recent call last):\n  File "a.py"\nopenai.RateLimitError: slow down' : null,
    attributes: RawJson.fromValue({
      user_id: `user-${n}`,
      env: n === 2 ? 'staging' : 'production',
      provider: 'openai',
    }),
    inputs: RawJson.fromValue({}),
    output: RawJson.fromValue(null),
    summary: RawJson.fromValue({
      usage: { 'gpt-4o': { prompt_tokens: [10, 3000, 200][n - 1], completion_tokens: 5 } },
      ttft_ms: n * 100,
    }),
  }))
  await api.call('calls_complete', { entity: 'admin', project: 'fields', batch })
  const columns = 'name,cost,end_user,environment,time_to_first_token,error_type,input_tokens'
  await page.goto(`${url}/${project_id}/weave/traces?columns=${columns}`)
  const failed = page.getByRole('row', { name: /step_3/ })
  await failed.getByText('user-3').waitFor()
  await failed.getByText('RateLimitError').waitFor()
  await failed.getByText('300 ms').waitFor()
  for (const [header, first] of [
    ['Cost', 'step_2'],
    ['End user', 'step_3'],
    ['Environment', 'step_2'],
    ['First token', 'step_3'],
    ['Error type', 'step_3'],
    ['Input tokens', 'step_2'],
  ] as const) {
    await page.getByRole('button', { name: header, exact: true }).click()
    await rows(page).nth(1).getByText(first).waitFor()
  }
  await applyFilter(page, 'cost > 0.001')
  await page.getByText('1 trace').waitFor()
  await page.getByRole('row', { name: /step_2/ }).waitFor()
  await page.goto(`${url}/${project_id}/weave/dashboard`)
  await page.getByRole('button', { name: /^Group by/ }).click()
  await page.getByRole('button', { name: 'Environment', exact: true }).click()
  await page.getByText('staging').first().waitFor()
  await page.getByRole('heading', { name: 'Time to first token' }).waitFor()
})

test('the filter completes fields and values', async ({ page, url }) => {
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
  await waitUntil('40 calls', async () => /\b40 calls/.test(await page.getByRole('main').innerText()))
})

test('a chip removes its condition', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}?filter=status+%3D+error+and+inputs.user.tier+%3D+gold`)
  await page.getByRole('button', { name: 'Condition inputs.user.tier = gold: remove' }).click()
  await waitUntil('the condition is removed from the URL', async () => !page.url().includes('gold'))
  assert.match(page.url(), /status/)
})

test('a condition typed after a chip is a new condition', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}?filter=status+%3D+error`)
  const chip = page.getByRole('button', { name: 'Condition status = error: edit' })
  await chip.waitFor()
  await applyFilter(page, 'inputs.user.tier = free')
  await page.getByRole('button', { name: 'Condition inputs.user.tier = free: edit' }).waitFor()
  await chip.waitFor()
  assert.equal(new URL(page.url()).searchParams.get('filter'), 'status = error and inputs.user.tier = free')
  await page.getByRole('button', { name: 'Condition inputs.user.tier = free: edit' }).click()
  const box = page.getByRole('combobox', { name: 'Filter' })
  assert.equal(await box.inputValue(), 'inputs.user.tier = free')
  await box.fill('inputs.user.tier = gold')
  await box.press('Enter')
  await waitUntil(
    'the condition is replaced',
    async () =>
      new URL(page.url()).searchParams.get('filter') === 'status = error and inputs.user.tier = gold',
  )
  await page.keyboard.press('/')
  await box.press('Backspace')
  assert.equal(await box.inputValue(), 'inputs.user.tier = gold')
  await box.press('Escape')
})

test('failed is a status; wrong values and unknown fields are explained', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}`)
  await rows(page).nth(3).waitFor()
  await applyFilter(page, 'status = failed')
  await page.getByRole('button', { name: 'Condition status = error: edit' }).waitFor()
  await waitUntil('only errors', async () => {
    const failed = await page.getByRole('img', { name: 'error' }).count()
    return failed > 0 && failed === (await rows(page).count()) - 1
  })
  const box = page.getByRole('combobox', { name: 'Filter' })
  for (const [typed, explanation] of [
    ['latency > abc', 'Latency is a duration: write a number with a unit, such as 350ms, 2s or 1m.'],
    ['status = broken', 'Status is one of success, error, descendant_error, running.'],
    ['tier = gold', 'There is no field tier: for a value in the payloads write inputs.tier'],
    ['modle = gpt-4o', 'There is no field modle: did you mean model?'],
  ] as const) {
    await applyFilter(page, typed)
    await page.getByRole('alert').getByText(explanation).waitFor()
    assert.equal(await box.inputValue(), typed)
    await box.press('Escape')
  }
  await page.goto(`${url}/${LIST}?filter=latency+%3E+abc`)
  await page.getByRole('alert').getByText('latency is a duration').waitFor()
})

test('op matches the name of the op, not the project in its ref', async ({ page, url, api }) => {
  const project_id = 'admin/billing'
  for (const name of ['answer', 'summarize_billing']) {
    const start = {
      project_id,
      id: name,
      trace_id: name,
      op_name: `weave:///${project_id}/op/${name}:8b3f9c1d`,
      started_at: new Date().toISOString(),
      attributes: RawJson.fromValue({}),
      inputs: RawJson.fromValue({}),
    }
    await api.call('call_start', { start })
  }
  await page.goto(`${url}/${project_id}/weave/traces`)
  await page.getByText('2 traces').waitFor()
  await applyFilter(page, 'op ~ billing')
  await page.getByText('1 trace').waitFor()
  await page.getByRole('row', { name: /summarize_billing/ }).waitFor()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await applyFilter(page, 'op = answer')
  await page.getByRole('row', { name: /answer/ }).waitFor()
  await page.getByText('1 trace').waitFor()
})

test('Escape closes the suggestions first, and then discards what was typed', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}`)
  await rows(page).nth(3).waitFor()
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Filter' })
  await box.pressSequentially('stat')
  await page.getByRole('option').first().waitFor()
  await box.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  assert.equal(await box.inputValue(), 'stat')
  await box.press('Escape')
  await box.waitFor({ state: 'detached' })
})

test('an invalid filter shows its syntax error', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}?filter=status+%3D`)
  await page.getByRole('alert').getByText('expected a value for status').waitFor()
})

test('a pasted API query becomes a filter', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}`)
  await rows(page).nth(3).waitFor()
  await applyFilter(page, '{"$expr": {"$eq": [{"$getField": "inputs.user.tier"}, {"$literal": "gold"}]}}')
  await page.getByRole('button', { name: 'Condition inputs.user.tier = gold: edit' }).waitFor()
})

test('a shared URL shows the same list', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}`)
  await rows(page).nth(3).waitFor()
  await applyFilter(page, 'inputs.user.tier = gold')
  await page.getByRole('button', { name: 'Condition inputs.user.tier = gold: edit' }).waitFor()
  await page.getByText('15 traces').waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Condition inputs.user.tier = gold: edit' }).waitFor()
  await other.getByText('15 traces').waitFor()
})

test('text search highlights its matches', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}`)
  await rows(page).nth(3).waitFor()
  await applyFilter(page, 'zürich')
  await page
    .locator('mark', { hasText: /zürich/i })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Text zürich: remove' }).click()
  await page.locator('mark').first().waitFor({ state: 'detached' })
})

test('dragging over the histogram selects a time range', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}?range=24h`)
  const figure = page.getByRole('figure', { name: /Calls over time/ })
  await page.getByText(/6\d traces/).waitFor()
  const box = await figure.boundingBox()
  assert.ok(box !== null)
  await page.mouse.move(box.x + box.width * 0.85, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.95, box.y + 20, { steps: 4 })
  await page.mouse.up()
  await waitUntil('the time range is in the URL', async () => /range=\d{4}-/.test(page.url()))
  await waitUntil('fewer traces', async () => !/6\d traces/.test(await page.getByRole('main').innerText()))
})

test('any path can be a column', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}`)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('textbox', { name: 'New column path' }).fill('inputs.order')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('columnheader', { name: 'inputs.order' }).waitFor()
  // In the original spelling, although the number exceeds JavaScript's precision.
  await page.getByRole('gridcell', { name: '12345678901234567890' }).first().waitFor()
})

test('new calls appear automatically in live mode', async ({ page, url, api }) => {
  const project_id = 'admin/live'
  const start = (id: string) =>
    api.call('call_start', {
      start: {
        project_id,
        id,
        trace_id: id,
        op_name: id,
        started_at: new Date().toISOString(),
        attributes: RawJson.fromValue({}),
        inputs: RawJson.fromValue({ question: 'Now?' }),
      },
    })
  await start('before')
  await page.goto(`${url}/${project_id}/weave/traces`)
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await page.getByRole('row', { name: /before/ }).waitFor()
  // The live feed must be open before the next call starts.
  await page.waitForTimeout(500)
  await start('just_now')
  const row = page.getByRole('row', { name: /just_now/ })
  await row.getByRole('img', { name: 'running' }).waitFor()
  await api.call('call_end', {
    end: {
      project_id,
      id: 'just_now',
      ended_at: new Date().toISOString(),
      output: RawJson.fromValue('Yes'),
    },
  })
  await row.getByRole('img', { name: 'success' }).waitFor()
  await page.getByText('2 traces').waitFor()
  // Without live mode the rows stay, also while the list is loaded again.
  await page.route('**/calls', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await route.continue()
  })
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await page.waitForURL((each) => !each.searchParams.has('live'))
  for (let i = 0; i < 5; i++) {
    assert.equal(await row.count(), 1)
    await page.waitForTimeout(100)
  }
})

test('selected calls are deleted after confirmation', async ({ page, url, api }) => {
  await api.call('call_start', {
    start: {
      project_id: SHOP,
      id: 'shop-doomed',
      trace_id: 'shop-doomed',
      op_name: 'doomed',
      started_at: new Date().toISOString(),
      attributes: RawJson.fromValue({}),
      inputs: RawJson.fromValue({}),
    },
  })
  await page.goto(`${url}/${LIST}?filter=name+%3D+doomed`)
  await page.getByRole('checkbox', { name: 'Select doomed' }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected calls' })
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 call' }).click()
  await page.getByRole('heading', { name: 'No matching calls' }).waitFor()
})

test('selected calls are exported in their original spelling', async ({ page, url }) => {
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
})

test('scrolling loads more calls', async ({ page, url }) => {
  await page.goto(`${url}/${LIST}?show=calls`)
  await rows(page).nth(3).waitFor()
  const region = page.getByRole('region', { name: 'List of calls' })
  await waitUntil('the end of the list', async () => {
    await region.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    // Other journeys add calls to the project.
    return (await page.getByText(/^End of list: \d{3}/).count()) > 0
  })
})
