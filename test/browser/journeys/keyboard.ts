import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'

const PATHS = [
  `/${SHOP}/weave/traces`,
  `/${SHOP}/weave/calls/shop-1`,
  `/${SHOP}/weave/dashboard?range=24h`,
  `/${SHOP}/weave/settings?tab=keys`,
] as const

interface Focused {
  readonly name: string
  readonly isSeen: boolean
  readonly isDrawn: boolean
}

/** The focused element, and whether its focus is visible. */
function focused(page: Page): Promise<Focused> {
  return page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    if (element === null) return { name: '', isSeen: false, isDrawn: false }
    // A radio button is a hidden field; its sibling label shows the focus.
    const sizes = [element, element.nextElementSibling].map((each) => each?.getBoundingClientRect())
    const isSeen = sizes.some((box) => box !== undefined && box.width > 0 && box.height > 0)
    // A container can draw the focus of the field within it, such as the filter box.
    const around = [
      element,
      element.parentElement,
      element.parentElement?.parentElement,
      element.nextElementSibling,
    ]
    const isDrawn = around.some((each) => {
      if (!each) return false
      const { outlineStyle, boxShadow } = getComputedStyle(each)
      return outlineStyle !== 'none' || boxShadow !== 'none'
    })
    const text = element.getAttribute('aria-label') ?? element.getAttribute('title') ?? element.textContent
    return { name: `${element.tagName} ${text.slice(0, 40)}`, isSeen, isDrawn }
  })
}

/** Keyboard focus and reduced motion. */

for (const path of PATHS)
  test(`the focus is visible on every Tab stop: ${path}`, async ({ page, url }) => {
    await page.goto(url + path)
    await page.getByRole('main').waitFor()
    await page.waitForTimeout(1000)
    const names = new Set<string>()
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab')
      const { name, isSeen, isDrawn } = await focused(page)
      if (name.startsWith('BODY')) continue
      assert.ok(isSeen, `${name} has the focus and is not there`)
      assert.ok(isDrawn, `${name} has the focus and does not show it`)
      names.add(name)
    }
    assert.ok(names.size > 12, `only ${names.size} stops`)
  })
test('nothing moves with reduced motion', async ({ page, url }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const path of [
    `/${SHOP}/weave/calls/shop-running`,
    `/${SHOP}/weave/traces`,
    '/admin/nothing-yet/weave',
  ]) {
    await page.goto(url + path)
    await page.getByRole('main').waitFor()
    await page.waitForTimeout(1000)
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => {
          const { duration, iterations } = effect?.getComputedTiming() ?? {}
          return playState === 'running' && (Number(duration) > 50 || iterations === Infinity)
        })
        .map((each) => ('animationName' in each ? String(each.animationName) : 'a transition')),
    )
    assert.deepEqual(moving, [], path)
  }
})
