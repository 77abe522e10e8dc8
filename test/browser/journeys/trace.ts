import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { SHOP } from '../seed.ts'
import { journey, until } from '../environment.ts'

/** Reading a trace. */
export const trace = [
  journey('arrow keys go through the tree, fold and unfold', async ({ page, url }) => {
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
  }),
  journey('what was said to the model reads as a conversation', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0-llm`)
    const conversation = page.getByRole('list', { name: 'Conversation' })
    await conversation.getByText('Where is my order?').waitFor()
    await conversation.getByText('{"q": "order 0"}').waitFor()
    await conversation.getByText('Answer 0: on its way.').waitFor()
  }),
  journey('the transcript tells the story', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
    await page.getByText('Transcript', { exact: true }).click()
    const story = page.getByRole('region', { name: 'Transcript' })
    await story.getByRole('button', { name: /^tool search_orders.*order 0/ }).click()
    await page.waitForURL(/shop-0-search\?view=transcript/)
  }),
  journey('finding within the trace marks what matches', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
    const item = page.getByRole('treeitem', { name: /openai/ })
    await item.waitFor()
    await page.getByRole('textbox', { name: 'Find in the trace' }).fill('on its way')
    await until(
      'others are faint',
      async () => (await page.locator('[role=treeitem][data-faint]').count()) === 2,
    )
    await page.keyboard.press('Enter')
    await page.waitForURL(/shop-0-llm/)
  }),
  journey('drawing over the timeline narrows the tree', async ({ page, url }) => {
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
    await page.getByRole('button', { name: 'Show the whole time' }).click()
    await page.getByText('2 of 3 shown').waitFor({ state: 'detached' })
  }),
  journey('the cost explains itself', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0?tab=cost`)
    await page.getByRole('cell', { name: /820 × 0\.\d+ = 0\.\d+/ }).waitFor()
    await page
      .getByRole('cell', { name: /built in/ })
      .first()
      .waitFor()
  }),
  journey('a call is copied as curl, Python, TypeScript and JSON', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('button', { name: 'Copy the call as' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
      await page.waitForTimeout(300)
      return page.evaluate(() => navigator.clipboard.readText())
    }
    assert.match(await copied('curl'), /curl -u .*call\/read.*shop-0/)
    assert.match(await copied('Python'), /weave\.init\("admin\/shop"\)/)
    assert.match(await copied('TypeScript'), /await fetch/)
    assert.match(await copied('JSON'), /"order":\s*12345678901234567890/)
  }),
  journey('eight open traces leave the ninth its connections', async ({ page, url }) => {
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
    await until('nothing is followed', async () => feeds.size === 0)
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
    await page.getByRole('treeitem', { name: /search_orders/ }).click()
    await page.getByRole('article').getByText('order 0').first().waitFor()
  }),
  journey('a trace behind another tab is let go, and shows what it missed', async ({ page, url, api }) => {
    const [id, project_id] = ['behind', 'admin/behind']
    const started_at = new Date().toISOString()
    await api.call('call_start', {
      start: {
        project_id,
        id,
        trace_id: id,
        op_name: 'patient_agent',
        started_at,
        attributes: RawJson.of({}),
        inputs: RawJson.of({}),
      },
    })
    let feeds = 0
    page.on('request', (request) => void (request.url().includes('/live') && feeds++))
    page.on('requestfailed', (request) => void (request.url().includes('/live') && feeds--))
    await page.goto(`${url}/${project_id}/weave/calls/${id}`)
    await page.getByText('1 call · running').waitFor()
    await until('it is followed', async () => feeds === 1)
    // To the driver every page is seen; so this one is told by hand what a browser would tell it.
    const show = (state: 'visible' | 'hidden'): Promise<void> =>
      page.evaluate((now) => {
        Object.defineProperty(document, 'visibilityState', { value: now, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await show('hidden')
    await until('it is let go', async () => feeds === 0)
    await api.call('call_end', {
      end: {
        project_id,
        id,
        ended_at: new Date(Date.parse(started_at) + 1234).toISOString(),
        output: RawJson.of('done'),
        summary: RawJson.of({}),
      },
    })
    await show('visible')
    await page.getByText('1 call · 1.23 s').waitFor()
    await until('it is followed again', async () => feeds === 1)
  }),
  journey('the timeline shows where the time and the money went', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
    const root = page.getByRole('treeitem', { name: /shop_agent/ })
    await root.waitFor()
    await page
      .getByRole('radiogroup', { name: /colours of the timeline/ })
      .getByText('Latency')
      .click()
    await page.waitForURL(/heat=latency/)
    // 900 ms, of which 210 and 500 were spent in what it called.
    await page.getByRole('treeitem', { name: /shop_agent.*own 190 ms/ }).waitFor()
    await page.getByText('Own time').waitFor()
    await page.keyboard.press('h')
    await page.waitForURL(/heat=cost/)
    await page.getByText('Own cost').waitFor()
    await page.getByRole('treeitem', { name: /openai.*own \$0\.\d+/ }).waitFor()
    // Its cost is that of the model that it called.
    assert.doesNotMatch((await root.textContent()) ?? '', /own/)
  }),
  journey('a time is chosen, widened, zoomed and cleared by keys', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
    await page.getByRole('treeitem', { name: /search_orders/ }).waitFor()
    await page.keyboard.press('z')
    const time = page.getByRole('slider', { name: 'Time that is shown' })
    await until('it has the focus', () => time.evaluate((element) => element === document.activeElement))
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
    await page.getByRole('button', { name: 'Show the whole time' }).waitFor({ state: 'detached' })
    assert.doesNotMatch(page.url(), /time=/)
  }),
  journey('a view of a trace is shared by its address', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
    await page.getByRole('treeitem', { name: /openai/ }).waitFor()
    await page.getByRole('textbox', { name: 'Find in the trace' }).fill('order 0')
    await page.waitForURL(/find=order/)
    await page
      .getByRole('radiogroup', { name: /colours of the timeline/ })
      .getByText('Latency')
      .click()
    await page.getByRole('slider', { name: 'Time that is shown' }).press('ArrowRight')
    await page.waitForURL(/time=0\.\.90/)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByText('2 of 3 shown').waitFor()
    await other.getByText('Own time').waitFor()
    assert.equal(await other.getByRole('textbox', { name: 'Find in the trace' }).inputValue(), 'order 0')
    // Beside the list it is the same.
    await other.goto(`${url}/${SHOP}/weave/traces?call=shop-0&heat=cost&time=0..90`)
    await other.getByText('Own cost').waitFor()
    await other.getByText('2 of 3 shown').waitFor()
    await other.getByRole('button', { name: 'Close the trace' }).click()
    await until('its state is gone too', async () => !/heat|time|call/.test(new URL(other.url()).search))
  }),
  journey('the trace beside the list is made wider by keys', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/traces?call=shop-0`)
    const drawer = page.getByRole('complementary', { name: 'Trace' })
    await drawer.getByRole('treeitem', { name: /search_orders/ }).waitFor()
    const width = async (): Promise<number> => (await drawer.boundingBox())?.width ?? 0
    const before = await width()
    const edge = page.getByRole('separator', { name: 'Width of the trace' })
    await edge.press('ArrowLeft')
    await until('it is wider', async () => (await width()) === before + 24)
    await until('it says so', async () => (await edge.getAttribute('aria-valuenow')) === String(before + 24))
    await edge.press('Home')
    await until('it is narrow', async () => (await width()) === 420)
  }),
]
