import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { ASSISTANT_PAGES } from '../assistant-pages.ts'
import { PAGES } from '../pages.ts'
import { ASSISTANT } from '../program/assistant.ts'
import { journey, switchTheme, withinLimit, type Environment } from '../environment.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/** The serious and critical violations that axe finds on a page, of all rules or of these. */
export async function seriousViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Injected through the debugger, which the Content-Security-Policy does not restrict.
  const { readFileSync } = await import('node:fs')
  await page.evaluate(readFileSync(AXE, 'utf8'))
  const found = await withinLimit(
    'axe',
    page,
    page.evaluate(
      async (options) => {
        const { axe } = globalThis as unknown as {
          axe: { run(options: object): Promise<{ violations: unknown[] }> }
        }
        return (await axe.run(options)).violations
      },
      rules === undefined ? {} : { runOnly: [...rules] },
    ),
  )
  return (found as Violation[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 4)
        .map(
          (node) => `${id}: ${String(node.target[0])} ${(node.failureSummary ?? '').split('\n')[1] ?? ''}`,
        ),
    )
}

/** No page is wider than its window: wide content scrolls inside its own container. */
async function assertNoHorizontalScroll(page: Page): Promise<void> {
  const [needed, given] = await page.evaluate(() => [document.body.scrollWidth, window.innerWidth])
  assert.ok((needed ?? 0) <= (given ?? 0), `the page is ${needed} px wide in a window of ${given} px`)
}

const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 900, height: 720 }

/** Runs axe on a page in both themes, narrow and wide, and takes its screenshots. In dark only the colors differ. */
async function checkPage(page: Page, environment: Environment, screenshot?: string): Promise<void> {
  // Ends hover states.
  await page.mouse.move(0, 0)
  for (const theme of ['light', 'dark'] as const) {
    await switchTheme(page, theme)
    for (const size of [NARROW, WIDE]) {
      await page.setViewportSize(size)
      await page.waitForTimeout(300)
      await assertNoHorizontalScroll(page)
      const rules = theme === 'light' ? undefined : ['color-contrast']
      assert.deepEqual(await seriousViolations(page, rules), [], `${theme}, ${size.width} px wide`)
    }
    if (screenshot !== undefined) await environment.screenshot(page, `${screenshot}-${theme}`)
  }
}

/** axe on every page. */
export const accessibility = [
  ...[...PAGES, ...ASSISTANT_PAGES].map(({ name, path, ready, screenshot }) =>
    journey(`axe finds no serious violation: ${name}`, async (environment) => {
      const { page, url } = environment
      if (path.startsWith(`/${ASSISTANT}/`)) await environment.assistant()
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(url + path)
      await ready(page, environment)
      await checkPage(page, environment, screenshot)
    }),
  ),
  journey('axe finds no serious violation: sign-in', async (environment) => {
    const page = await environment.signedOutPage()
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${environment.url}/sign-in`)
    await page.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
    await checkPage(page, environment, 'sign-in')
  }),
]
