import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'

/** The trace view: tree, transcript, timeline, find, heat. */

test('arrow keys move through the tree, collapse and expand', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  await page.getByRole('treeitem', { name: /search_orders/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.waitForURL(/shop-0-search/)
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL(/calls\/shop-0$/)
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('treeitem', { name: /search_orders/ }).waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowRight')
  await page.getByRole('treeitem', { name: /search_orders/ }).waitFor()
})

test('a call that is opened by its address is loaded once', async ({ page, url }) => {
  const reads: string[] = []
  page.context().on('request', (request) => {
    if (request.url().endsWith('/call/read')) reads.push(request.postData() ?? '')
  })
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0-llm`)
  await page.getByRole('treeitem', { name: /search_orders/ }).waitFor()
  await page.getByRole('list', { name: 'Conversation' }).waitFor()
  await page.waitForLoadState('networkidle')
  assert.equal(reads.filter((body) => body.includes('shop-0-llm')).length, 1)
})

test('model messages are shown as a conversation', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0-llm`)
  const conversation = page.getByRole('list', { name: 'Conversation' })
  await conversation.getByText('Where is my order?').waitFor()
  await conversation.getByText('{"q": "order 0"}').waitFor()
  await conversation.getByText('Answer 0: on its way.').waitFor()
})

test('the transcript shows the steps in order', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  await page.getByText('Transcript', { exact: true }).click()
  const story = page.getByRole('region', { name: 'Transcript' })
  await story.getByRole('button', { name: /^tool search_orders.*order 0/ }).click()
  await page.waitForURL(/shop-0-search\?view=transcript/)
})

test('find in trace dims calls that do not match', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  const item = page.getByRole('treeitem', { name: /openai/ })
  await item.waitFor()
  await page.getByRole('textbox', { name: 'Find in trace' }).fill('on its way')
  await waitUntil(
    'the others are dimmed',
    async () => (await page.locator('[role=treeitem][data-dimmed]').count()) === 2,
  )
  await page.keyboard.press('Enter')
  await page.waitForURL(/shop-0-llm/)
})

test('dragging over the timeline filters the tree', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  const strip = page.getByRole('img', { name: /Timeline of 3 calls/ })
  await strip.waitFor()
  const box = await strip.boundingBox()
  assert.ok(box !== null)
  await page.mouse.move(box.x + box.width * 0.6, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.8, box.y + 8, { steps: 4 })
  await page.mouse.up()
  await page.getByText('2 of 3 shown').waitFor()
  await page.getByRole('button', { name: 'Reset time window' }).click()
  await page.getByText('2 of 3 shown').waitFor({ state: 'detached' })
})

test('the cost tab shows its calculation', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0?tab=cost`)
  await page.getByRole('cell', { name: /820 × \$[\d.]+ \/ 1M tokens = <?\$0\.\d+/ }).waitFor()
  await page
    .getByRole('cell', { name: /Built-in price/ })
    .first()
    .waitFor()
})

test('a call is copied as curl, Python, TypeScript and JSON', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  const copies = async (name: string, expected: RegExp): Promise<void> => {
    await page.getByRole('button', { name: 'Copy call as' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await waitUntil(`the clipboard has ${expected}`, async () =>
      expected.test(await page.evaluate(() => navigator.clipboard.readText())),
    )
  }
  await copies('curl', /curl -u .*call\/read.*shop-0/)
  await copies('Python', /weave\.init\("admin\/shop"\)/)
  await copies('TypeScript', /await fetch/)
  await copies('JSON', /"order":\s*12345678901234567890/)
})

test('eight open traces do not use up the connections of the browser', async ({ page, url }) => {
  const others = await Promise.all(Array.from({ length: 8 }, () => page.context().newPage()))
  const feeds = new Set<unknown>()
  for (const other of others) {
    other.on('request', (request) => {
      if (request.url().includes('/live')) feeds.add(request)
    })
    other.on('requestfailed', (request) => feeds.delete(request))
    other.on('requestfinished', (request) => feeds.delete(request))
  }
  for (const [i, other] of others.entries()) {
    await other.goto(`${url}/${SHOP}/weave/calls/shop-${i + 1}`)
    await other.getByRole('treeitem', { name: /search_orders/ }).waitFor()
  }
  await waitUntil('no live feed is open', async () => feeds.size === 0)
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  await page.getByRole('treeitem', { name: /search_orders/ }).click()
  await page.getByRole('article').getByText('order 0').first().waitFor()
})

test('a hidden tab closes its live feed, and catches up when it is visible', async ({ page, url, api }) => {
  const [id, project_id] = ['behind', 'admin/behind']
  const started_at = new Date().toISOString()
  await api.call('call_start', {
    start: {
      project_id,
      id,
      trace_id: id,
      op_name: 'patient_agent',
      started_at,
      attributes: RawJson.fromValue({}),
      inputs: RawJson.fromValue({}),
    },
  })
  let feeds = 0
  page.on('request', (request) => void (request.url().includes('/live') && feeds++))
  page.on('requestfailed', (request) => void (request.url().includes('/live') && feeds--))
  await page.goto(`${url}/${project_id}/weave/calls/${id}`)
  await page.getByText('1 call · running').waitFor()
  await waitUntil('the live feed is open', async () => feeds === 1)
  // The driver treats every page as visible, so this one gets the visibility events by hand.
  const show = (state: 'visible' | 'hidden'): Promise<void> =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await show('hidden')
  await waitUntil('the live feed is closed', async () => feeds === 0)
  await api.call('call_end', {
    end: {
      project_id,
      id,
      ended_at: new Date(Date.parse(started_at) + 1234).toISOString(),
      output: RawJson.fromValue('done'),
      summary: RawJson.fromValue({}),
    },
  })
  await show('visible')
  await page.getByText('1 call · 1.23 s').waitFor()
  await waitUntil('the live feed is open again', async () => feeds === 1)
})

test('the timeline shows self time and self cost', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  const root = page.getByRole('treeitem', { name: /shop_agent/ })
  await root.waitFor()
  await page
    .getByRole('radiogroup', { name: /Timeline color/ })
    .getByText('Latency')
    .click()
  await page.waitForURL(/heat=latency/)
  // 900 ms, of which children took 210 ms and 500 ms.
  await page.getByRole('treeitem', { name: /shop_agent.*self 190 ms/ }).waitFor()
  await page.getByText('Self time').waitFor()
  await page.keyboard.press('h')
  await page.waitForURL(/heat=cost/)
  await page.getByText('Self cost').waitFor()
  await page.getByRole('treeitem', { name: /openai.*self \$0\.\d+/ }).waitFor()
  // The whole cost of the root is the cost of its model call.
  assert.doesNotMatch((await root.textContent()) ?? '', /self/)
})

test('keys select, resize, zoom and reset a time window', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  await page.getByRole('treeitem', { name: /search_orders/ }).waitFor()
  await page.keyboard.press('z')
  const time = page.getByRole('slider', { name: 'Time window' })
  await waitUntil('the timeline has the focus', () =>
    time.evaluate((element) => element === document.activeElement),
  )
  await page.keyboard.press('ArrowRight')
  await page.getByText('2 of 3 shown').waitFor()
  assert.equal(await time.getAttribute('aria-valuetext'), '+0 ms to +90 ms')
  for (let i = 0; i < 10; i++) await page.keyboard.press('Shift+ArrowRight')
  await page.getByText('2 of 3 shown').waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  await page.waitForURL(/time=585\.\.900/)
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  const strip = page.getByRole('img', { name: /Timeline of 3 calls/ })
  const box = await strip.boundingBox()
  assert.ok(box !== null)
  await page.mouse.move(box.x + box.width / 2, box.y + 8)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Reset time window' }).waitFor({ state: 'detached' })
  assert.doesNotMatch(page.url(), /time=/)
})

test('a shared URL shows the same trace state', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  await page.getByRole('treeitem', { name: /openai/ }).waitFor()
  await page.getByRole('textbox', { name: 'Find in trace' }).fill('order 0')
  await page.waitForURL(/find=order/)
  await page
    .getByRole('radiogroup', { name: /Timeline color/ })
    .getByText('Latency')
    .click()
  await page.getByRole('slider', { name: 'Time window' }).press('ArrowRight')
  await page.waitForURL(/time=0\.\.90/)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByText('2 of 3 shown').waitFor()
  await other.getByText('Self time').waitFor()
  assert.equal(await other.getByRole('textbox', { name: 'Find in trace' }).inputValue(), 'order 0')
  // The drawer of the list reads the same parameters.
  await other.goto(`${url}/${SHOP}/weave/traces?call=shop-0&heat=cost&time=0..90`)
  await other.getByText('Self cost').waitFor()
  await other.getByText('2 of 3 shown').waitFor()
  await other.getByRole('button', { name: 'Close trace' }).click()
  await waitUntil(
    'the parameters of the trace are removed',
    async () => !/heat|time|call/.test(new URL(other.url()).search),
  )
})

test('keys resize the trace drawer', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/traces?call=shop-0`)
  const drawer = page.getByRole('complementary', { name: 'Trace' })
  await drawer.getByRole('treeitem', { name: /search_orders/ }).waitFor()
  const width = async (): Promise<number> => (await drawer.boundingBox())?.width ?? 0
  const before = await width()
  const edge = page.getByRole('separator', { name: 'Trace panel width' })
  await edge.press('ArrowLeft')
  await waitUntil('the drawer is wider', async () => (await width()) === before + 24)
  await waitUntil(
    'the separator reports the width',
    async () => (await edge.getAttribute('aria-valuenow')) === String(before + 24),
  )
  await edge.press('Home')
  await waitUntil('the drawer has its minimum width', async () => (await width()) === 420)
})

test('inputs and output of any call are read as text and conversation, JSON is one key away', async ({
  page,
  url,
  api,
}) => {
  const call = {
    project_id: 'admin/readable',
    id: 'root',
    trace_id: 'root',
    op_name: 'support_agent',
    started_at: new Date(Date.now() - 60_000).toISOString(),
    ended_at: new Date(Date.now() - 59_000).toISOString(),
    attributes: RawJson.fromValue({}),
    inputs: RawJson.fromText(
      '{"question": "Where is it?\\nI wait.", "history": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi there"}], "temperature": 0.20, "options": [1, 2]}',
    ),
    output: RawJson.fromValue('It arrives on **Friday**.\n\n- by mail'),
    summary: RawJson.fromValue({}),
  }
  await api.call('calls_complete', { entity: 'admin', project: 'readable', batch: [call] })
  await page.goto(`${url}/admin/readable/weave/calls/root`)
  const article = page.getByRole('article', { name: 'Call support_agent' })
  await article.getByRole('list', { name: 'Conversation' }).getByText('Hi there').waitFor()
  await article.locator('strong', { hasText: 'Friday' }).waitFor()
  await article.getByText('0.20', { exact: true }).waitFor()
  assert.deepEqual(
    await article
      .locator('dt')
      .getByText(/^(question|history|temperature|options)$/)
      .allInnerTexts(),
    ['question', 'history', 'temperature', 'options'],
  )
  await page.keyboard.press('m')
  await article.getByRole('button', { name: 'Copy path of inputs.temperature' }).waitFor()
  assert.equal(await article.locator('strong', { hasText: 'Friday' }).count(), 0)
  await page.keyboard.press('m')
  await article.locator('strong', { hasText: 'Friday' }).waitFor()
  // Searching is for the document.
  await article.getByRole('button', { name: 'Search in inputs' }).click()
  await article.getByRole('textbox', { name: 'Search in inputs' }).fill('wait')
  await article.getByText('1 of 1').waitFor()
})
