import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { PAGES } from '../pages.ts'
import { journey, type World } from '../environment.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Fault {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

export async function faults(page: Page): Promise<string[]> {
  // By the debugger, which the policy of the page does not bind.
  const { readFileSync } = await import('node:fs')
  await page.evaluate(readFileSync(AXE, 'utf8'))
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: unknown[] }> } }
    return (await axe.run()).violations
  })
  return (found as Fault[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 4)
        .map(
          (node) => `${id}: ${String(node.target[0])} ${(node.failureSummary ?? '').split('\n')[1] ?? ''}`,
        ),
    )
}

/** No page is wider than its window: what is wide scrolls in a part of it. */
async function fits(page: Page): Promise<void> {
  const [needed, given] = await page.evaluate(() => [document.body.scrollWidth, window.innerWidth])
  assert.ok((needed ?? 0) <= (given ?? 0), `the page is ${needed} px wide in a window of ${given} px`)
}

const WIDTHS = [1440, 900] as const

/** As axe sees it, wide and narrow, and as people see it. */
async function lookAt(page: Page, world: World, picture: string | undefined): Promise<void> {
  // What the mouse has been used for is over.
  await page.mouse.move(0, 0)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 1440 ? 900 : 720 })
    await page.waitForTimeout(300)
    await fits(page)
    assert.deepEqual(await faults(page), [], `${width} px wide`)
    if (picture !== undefined) await world.picture(page, `${picture}${width === 1440 ? '' : `-${width}`}`)
  }
}

/** Every page, in both themes, wide and narrow. */
export const accessibility = (['light', 'dark'] as const).flatMap((colorScheme) => [
  ...PAGES.map(({ name, path, ready, picture }) =>
    journey(`axe finds no serious fault: ${name}, ${colorScheme}`, async (world) => {
      const { page, url } = world
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(url + path)
      await ready(page, world)
      await lookAt(page, world, picture === undefined ? undefined : `${picture}-${colorScheme}`)
    }),
  ),
  journey(`axe finds no serious fault: sign-in, ${colorScheme}`, async (world) => {
    const page = await world.stranger()
    await page.emulateMedia({ colorScheme })
    await page.goto(`${world.url}/sign-in`)
    await page.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
    await lookAt(page, world, `sign-in-${colorScheme}`)
  }),
])
