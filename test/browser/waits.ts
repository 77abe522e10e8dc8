import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'

/**
 * Switches the theme of an open page. Its colors fade, and axe would measure the ones between. Chromium can leave a
 * transition unfinished while it draws no frame, so they are finished here.
 */
export async function switchTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor({ state: 'attached' })
  await page.waitForTimeout(300)
  await finishTransitions(page)
}

export async function finishTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const each of document.getAnimations())
      if (each.effect?.getComputedTiming().endTime !== Infinity) each.finish()
  })
}

/** For one step of a journey. Long, because other work on the machine can slow any step. */
const ACTION_TIMEOUT_MS = 60_000

/** What a page that does not respond is executing, to tell an endless loop in it from a browser that waits. */
export async function runningScript(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const paused = new Promise<string>((resolve) => {
    session.on('Debugger.paused', ({ callFrames }) => {
      const functions = callFrames.map(({ functionName, url }) => `${functionName || 'anonymous'} (${url})`)
      resolve(`the page executes ${functions.slice(0, 8).join(', ')}`)
    })
  })
  const pause = session.send('Debugger.enable').then(() => session.send('Debugger.pause'))
  pause.catch(() => undefined)
  return Promise.race([paused, sleep(5_000, 'the page executes no script')])
}

/** Fails work that has no limit of its own, such as a script in the page, and says what the page is doing. */
export async function withinLimit<T>(name: string, page: Page, work: Promise<T>): Promise<T> {
  const finished = new AbortController()
  const expired = sleep(ACTION_TIMEOUT_MS, undefined, { signal: finished.signal }).then(async () => {
    throw new Error(`${name}: not finished within ${ACTION_TIMEOUT_MS} ms; ${await runningScript(page)}`)
  })
  try {
    return await Promise.race([work, expired])
  } finally {
    finished.abort()
  }
}

/** Polls until a condition holds. For conditions that no locator can wait for. */
export async function waitUntil(
  condition: string,
  holds: () => Promise<boolean>,
  timeoutMs = ACTION_TIMEOUT_MS,
): Promise<void> {
  const startMs = performance.now()
  while (!(await holds())) {
    assert.ok(performance.now() - startMs < timeoutMs, `timed out: ${condition}`)
    await sleep(50)
  }
}
