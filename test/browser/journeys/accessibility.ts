import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { PAGES } from '../pages.ts'
import { journey, type Environment } from '../environment.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/** The serious and critical violations that axe finds on a page. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Injected through the debugger, which the Content-Security-Policy does not restrict.
  const { readFileSync } = await import('node:fs')
  await page.evaluate(readFileSync(AXE, 'utf8'))
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: unknown[] }> } }
    return (await axe.run()).violations
  })
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

const WIDTHS = [1440, 900] as const

/** Runs axe on a page at each width, and takes its screenshots. */
async function checkPage(
  page: Page,
  environment: Environment,
  screenshot: string | undefined,
): Promise<void> {
  // Ends hover states.
  await page.mouse.move(0, 0)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 1440 ? 900 : 720 })
    await page.waitForTimeout(300)
    await assertNoHorizontalScroll(page)
    assert.deepEqual(await seriousViolations(page), [], `${width} px wide`)
    if (screenshot !== undefined) {
      await environment.screenshot(page, `${screenshot}${width === 1440 ? '' : `-${width}`}`)
    }
  }
}

/** axe on every page, in both themes, wide and narrow. */
export const accessibility = (['light', 'dark'] as const).flatMap((colorScheme) => [
  ...PAGES.map(({ name, path, ready, screenshot }) =>
    journey(`axe finds no serious violation: ${name}, ${colorScheme}`, async (environment) => {
      const { page, url } = environment
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(url + path)
      await ready(page, environment)
      await checkPage(
        page,
        environment,
        screenshot === undefined ? undefined : `${screenshot}-${colorScheme}`,
      )
    }),
  ),
  journey(`axe finds no serious violation: sign-in, ${colorScheme}`, async (environment) => {
    const page = await environment.signedOutPage()
    await page.emulateMedia({ colorScheme })
    await page.goto(`${environment.url}/sign-in`)
    await page.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
    await checkPage(page, environment, `sign-in-${colorScheme}`)
  }),
])
