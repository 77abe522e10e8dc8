import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import { ASSISTANT_PAGES } from '../assistant-pages.ts'
import { seriousViolations } from '../axe.ts'
import { docsImage } from '../docs-image.ts'
import { test } from '../fixtures.ts'
import { PAGES } from '../pages.ts'
import { ASSISTANT } from '../program/assistant.ts'
import { switchTheme } from '../waits.ts'

/** axe on every page. No journey builds on another. */
test.describe.configure({ mode: 'parallel' })

/** No page is wider than its window: wide content scrolls inside its own container. */
async function assertNoHorizontalScroll(page: Page): Promise<void> {
  const [needed, given] = await page.evaluate(() => [document.body.scrollWidth, window.innerWidth])
  assert.ok((needed ?? 0) <= (given ?? 0), `the page is ${needed} px wide in a window of ${given} px`)
}

const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 900, height: 720 }
/** Nightly: each theme in each width. Every change: each page light and narrow, some also dark and wide. */
const isLong = process.env['HEDDLE_JOURNEYS_LONG'] === '1'
const WIDTHS = isLong ? { light: [NARROW, WIDE], dark: [NARROW, WIDE] } : { light: [NARROW], dark: [WIDE] }
const DARK_PAGES =
  isLong || process.env['HEDDLE_JOURNEY_IMAGES'] !== undefined
    ? /./
    : /^(?:list|trace|feedback|dashboard|SQL|sign-in|exception|compared)/

/** Runs axe on a page in its themes, narrow and wide, and takes its screenshots. In dark only the colors differ. */
async function checkPage(page: Page, name: string, image?: string): Promise<void> {
  // Ends hover states.
  await page.mouse.move(0, 0)
  for (const theme of DARK_PAGES.test(name) ? (['light', 'dark'] as const) : (['light'] as const)) {
    await switchTheme(page, theme)
    for (const size of WIDTHS[theme]) {
      await page.setViewportSize(size)
      await page.waitForTimeout(300)
      await assertNoHorizontalScroll(page)
      const rules = theme === 'light' ? undefined : ['color-contrast']
      assert.deepEqual(await seriousViolations(page, rules), [], `${theme}, ${size.width} px wide`)
    }
    await page.setViewportSize(WIDE)
    if (image !== undefined) await docsImage(page, `${image}-${theme}`)
  }
}

for (const { name, path, ready, screenshot } of [...PAGES, ...ASSISTANT_PAGES])
  test(`axe finds no serious violation: ${name}`, async ({ page, url, api, assistant }) => {
    if (path.startsWith(`/${ASSISTANT}/`)) await assistant()
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(url + path)
    await ready(page, api)
    await checkPage(page, name, screenshot)
  })

test('axe finds no serious violation: sign-in', async ({ signedOutPage, url }) => {
  const page = await signedOutPage()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`${url}/sign-in`)
  await page.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
  await checkPage(page, 'sign-in', 'sign-in')
})
