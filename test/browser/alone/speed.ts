import assert from 'node:assert/strict'
import type { Locator, Page } from '@playwright/test'
import { watchStolenTime } from '../../stolen-time.ts'
import { BIG, BIG_TRACE_CALLS, MILLION, SLOW_CALL } from '../seed.ts'
import { test } from '../fixtures.ts'

/** Records long tasks that block the page. The result returns the longest, in milliseconds. */
async function watchStalls(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen: number[] = []
    Object.assign(globalThis, { stalls: seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.push(entry.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  return () => page.evaluate(() => Math.max(0, ...(globalThis as unknown as { stalls: number[] }).stalls))
}

const rows = (page: Page) => page.getByRole('grid', { name: 'Calls' }).getByRole('row')

/**
 * Time from the first event of a kind until the page shows a result. Measured in the page, between frames, so that the
 * overhead of the browser driver is not included.
 */
async function shownAfter(
  page: Page,
  event: 'keydown' | 'scroll',
  act: () => Promise<unknown>,
  shown: { readonly row: number; readonly text: string } | { readonly rowsOver: number },
): Promise<number> {
  // Awaited before the act: an event that precedes its listener would never be measured.
  await page.evaluate(
    ([kind, wanted]) => {
      const isShown = (): boolean => {
        if ('rowsOver' in wanted) {
          const count = document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')
          return Number(count) > wanted.rowsOver
        }
        const row = document.querySelectorAll('[role=grid] [role=row]')[wanted.row]
        return [...(row?.children ?? [])].some((cell) => cell.textContent === wanted.text)
      }
      const shownAfterMs = new Promise<number>((resolve, reject) => {
        setTimeout(() => reject(new Error('not shown within 15 s')), 15_000)
        const onEvent = (): void => {
          const startedAt = performance.now()
          const check = (): void => {
            if (isShown()) resolve(performance.now() - startedAt)
            else requestAnimationFrame(check)
          }
          check()
        }
        addEventListener(kind, onEvent, { capture: true, once: true })
      })
      // Rejected only where it is awaited below.
      shownAfterMs.catch(() => undefined)
      Object.assign(globalThis, { shownAfterMs })
    },
    [event, shown] as const,
  )
  await act()
  return page.evaluate(() => (globalThis as unknown as { shownAfterMs: Promise<number> }).shownAfterMs)
}

/** Time from the start of the navigation to visible rows. */
async function listShownAfter(page: Page, address: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' })
  const time = await page.waitForFunction(
    () => document.querySelectorAll('[role=grid] [role=row]').length > 20 && performance.now(),
  )
  return Number(await time.jsonValue())
}

/** What a user does in every frame while its smoothness is measured. */
type FrameAction = 'scroll' | 'zoom'

/** The median time between frames while something is scrolled or zoomed for two seconds, one step per frame. */
async function medianFrameMs(target: Locator, action: FrameAction): Promise<number> {
  const frames = await target.evaluate(
    (element, kind) =>
      new Promise<number[]>((resolve) => {
        const { left, width, top } = element.getBoundingClientRect()
        const durations: number[] = []
        const start = performance.now()
        let last = start
        const step = (now: number): void => {
          if (now > last) durations.push(now - last)
          last = now
          const passed = now - start
          if (kind === 'scroll') {
            element.scrollTop += 400
          } else {
            // In and out.
            const deltaY = passed % 1000 < 500 ? -60 : 60
            const at = { clientX: left + width / 3, clientY: top + 4 }
            element.dispatchEvent(new WheelEvent('wheel', { deltaY, ...at, bubbles: true, cancelable: true }))
          }
          if (passed < 2000) requestAnimationFrame(step)
          else resolve(durations)
        }
        requestAnimationFrame(step)
      }),
    action,
  )
  return middle(frames)
}

/** The frames of a plain list of text in the same browser: how smooth anything can be on this machine now. */
async function plainFrameMs(page: Page): Promise<number> {
  const plain = await page.context().newPage()
  await plain.setContent(
    `<main style="height:100vh;overflow:auto">${'<p>a call of a trace</p>'.repeat(20_000)}</main>`,
  )
  const ms = await medianFrameMs(plain.locator('main'), 'scroll')
  await plain.close()
  return ms
}

/** At least 50 frames a second, or two thirds as many as a plain list gets. */
async function assertSmooth(page: Page, frameMs: number): Promise<void> {
  const plainMs = await plainFrameMs(page)
  console.log(`      a frame takes ${frameMs.toFixed(1)} ms, of a plain list ${plainMs.toFixed(1)} ms`)
  assert.ok(frameMs <= Math.max(20, 1.5 * plainMs), `${frameMs} ms a frame`)
}

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN

/** Performance with large traces and payloads. A busy machine can miss a duration. */
test.describe.configure({ retries: 2 })

test('a trace of 50,000 calls shows rows within 2 s and scrolls smoothly', async ({ page, url, large }) => {
  await large.big()
  await page.goto(`${url}/${BIG}/weave/traces`)
  await page.getByRole('row', { name: /plan/ }).waitFor()
  const slowdownSinceStart = watchStolenTime()
  const began = performance.now()
  await page.goto(`${url}/${BIG}/weave/calls/big-0`)
  await page.getByRole('treeitem').nth(10).waitFor()
  const firstMs = performance.now() - began
  const slowdown = slowdownSinceStart()
  await page
    .getByText(`${BIG_TRACE_CALLS.toLocaleString('en-US')} calls`, { exact: false })
    .waitFor({ timeout: 60_000 })
  await page.getByText('loading…').waitFor({ state: 'detached', timeout: 60_000 })
  const wholeMs = performance.now() - began
  // The call that the page was opened for is still in view.
  await page.getByRole('treeitem', { selected: true }).waitFor()
  const frameMs = await medianFrameMs(page.getByRole('region', { name: 'Calls in this trace' }), 'scroll')
  console.log(`      first rows ${Math.round(firstMs)} ms, all ${Math.round(wholeMs)} ms`)
  assert.ok(firstMs < 2000 * slowdown, `first rows after ${firstMs} ms`)
  await assertSmooth(page, frameMs)
})

test('the timeline of 50,000 calls zooms smoothly with heat colors', async ({ page, url, large }) => {
  await large.big()
  await page.goto(`${url}/${BIG}/weave/calls/big-0?heat=latency`)
  await page.getByText('loading…').waitFor({ state: 'detached', timeout: 60_000 })
  await page.getByText('Self time').waitFor()
  const frameMs = await medianFrameMs(page.getByRole('slider', { name: 'Time window' }), 'zoom')
  const began = performance.now()
  await page
    .getByRole('radiogroup', { name: /Timeline color/ })
    .getByText('Cost')
    .click()
  await page.getByText('No call in this trace has a price').waitFor({ timeout: 30_000 })
  console.log(`      costs of all calls after ${Math.round(performance.now() - began)} ms`)
  await assertSmooth(page, frameMs)
})

test('a payload of 20 MB opens without blocking the page for over 200 ms', async ({ page, url, large }) => {
  await large.big()
  const longest = await watchStalls(page)
  await page.goto(`${url}/${BIG}/weave/traces`)
  await page.getByRole('row', { name: /load_everything/ }).waitFor()
  // Long tasks of the page load are not counted.
  const slowdownSinceStart = watchStolenTime()
  await page.evaluate(() => (globalThis as unknown as { stalls: number[] }).stalls.splice(0))
  await page.getByRole('row', { name: /load_everything/ }).click()
  await page.getByRole('button', { name: 'rows: expand' }).click({ timeout: 60_000 })
  await page.getByRole('button', { name: '0: expand', exact: true }).click()
  await page.getByText(/^row 0 lorem/).waitFor()
  await page.getByRole('button', { name: 'Search in inputs' }).click()
  await page.getByRole('textbox', { name: 'Search in inputs' }).fill('row 99999 ')
  await page.getByText('1 of 1').waitFor()
  await page
    .getByText(/row 99999 lorem/)
    .first()
    .waitFor()
  const ms = await longest()
  const slowdown = slowdownSinceStart()
  console.log(`      longest stall ${Math.round(ms)} ms, the host slows us down ${slowdown.toFixed(1)} times`)
  assert.ok(ms <= 200 * slowdown, `stalled for ${ms} ms`)
})

/** Performance with a million calls. */
const LONG = { tag: '@long' }

test('the list of a million calls is usable within a second', LONG, async ({ page, url, large }) => {
  await large.million()
  const slowdownSinceStart = watchStolenTime()
  const opened: number[] = []
  // The first load has an empty browser cache, the others a warm one.
  for (let i = 0; i < 5; i++)
    opened.push(await listShownAfter(page, `${url}/${MILLION}/weave/traces?show=calls`))
  const region = page.getByRole('region', { name: 'List of calls' })
  const grid = page.getByRole('grid', { name: 'Calls' })
  const next: number[] = []
  for (let i = 0; i < 5; i++) {
    const rowsOver = Number(await grid.getAttribute('aria-rowcount'))
    const toEnd = () => region.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    next.push(await shownAfter(page, 'scroll', toEnd, { rowsOver }))
  }
  const filtered: number[] = []
  for (const text of ['user-9', 'user-17', 'user-37', 'user-4', 'user-22']) {
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: 'Filter' })
    // Edits the condition before, if there is one.
    await box.press('Backspace')
    await box.fill(`user = ${text}`)
    filtered.push(await shownAfter(page, 'keydown', () => box.press('Enter'), { row: 5, text }))
  }
  const line = (times: readonly number[]) => times.map((ms) => Math.round(ms)).join(' ')
  console.log(`      opened ${line(opened)} ms; next page ${line(next)} ms; filter ${line(filtered)} ms`)
  const slowdown = slowdownSinceStart()
  assert.ok(middle(opened) <= 1000 * slowdown, `opened after ${middle(opened)} ms`)
  assert.ok(middle(next) <= 300 * slowdown, `the next page after ${middle(next)} ms`)
  assert.ok(middle(filtered) <= 300 * slowdown, `filtered after ${middle(filtered)} ms`)
})

test('the slow call among a million is found by sorting, and opened', LONG, async ({ page, url, large }) => {
  await large.million()
  await page.goto(`${url}/${MILLION}/weave/traces?range=30d`)
  await rows(page).nth(5).waitFor()
  await page.getByRole('button', { name: 'Latency' }).click()
  await rows(page).nth(1).getByText(SLOW_CALL).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page
    .getByRole('article', { name: `Call ${SLOW_CALL}` })
    .getByText('17 m 0 s')
    .first()
    .waitFor()
})
