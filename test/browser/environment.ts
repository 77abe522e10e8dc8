import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Client } from '../../src/client/client.ts'
import type { LargeSeeds } from './seed.ts'

/** What a journey gets: a signed-in page and the server behind it. */
export interface Environment {
  readonly page: Page
  readonly url: string
  readonly api: Client
  /** Opens a page that is not signed in. */
  readonly signedOutPage: () => Promise<Page>
  /** Creates another user with this role in a project, and opens a page signed in as that user. */
  readonly otherUserPage: (username: string, project_id: string, role: 'read' | 'write') => Promise<Page>
  readonly large: LargeSeeds
  /** Runs the program of ./program/ in the project `ASSISTANT`, once for all journeys. */
  readonly assistant: () => Promise<void>
  readonly password: string
  readonly key: string
  /** Takes a screenshot for docs/images if `--images` is given. */
  readonly screenshot: (page: Page, name: string) => Promise<void>
  readonly restart: (whileDown: () => Promise<void>) => Promise<void>
}

export interface Journey {
  readonly name: string
  readonly run: (environment: Environment) => Promise<void>
  /** It asserts a duration, which a busy machine can miss: it may be retried twice. No other journey is. */
  readonly assertsDuration: boolean
}

export function journey(name: string, run: Journey['run']): Journey {
  return { name, run, assertsDuration: false }
}

export function timedJourney(name: string, run: Journey['run']): Journey {
  return { name, run, assertsDuration: true }
}

/** Records page errors: Content-Security-Policy violations, uncaught exceptions and console errors. */
export function recordPageErrors(page: Page, pageErrors: string[]): void {
  page.on('pageerror', (error) => pageErrors.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    if (/Content.Security.Policy/i.test(text)) pageErrors.push(text)
    // The page reports failed requests itself; the console only repeats them.
    else if (message.type() === 'error' && !/Failed to load resource/.test(text)) pageErrors.push(text)
  })
}

/** Switches the theme of an open page. Its colors fade, and axe would measure the ones between. */
export async function switchTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor({ state: 'attached' })
  await page.waitForTimeout(300)
  await page.waitForFunction(() => document.getAnimations().length === 0)
}

/** For one step of a journey. Long, because other work on the machine can slow any step. */
export const ACTION_TIMEOUT_MS = 60_000

/** What a page that does not respond is executing, to tell an endless loop in it from a browser that waits. */
async function runningScript(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const paused = new Promise<string>((resolve) => {
    session.on('Debugger.paused', ({ callFrames }) => {
      const functions = callFrames.map(({ functionName, url }) => `${functionName || 'anonymous'} (${url})`)
      resolve(`the page executes ${functions.slice(0, 8).join(', ')}`)
    })
  })
  await session.send('Debugger.enable')
  await session.send('Debugger.pause')
  return paused
}

/** Fails work that has no limit of its own, such as a script in the page, and says what the page is doing. */
export async function withinLimit<T>(
  name: string,
  page: Page,
  work: Promise<T>,
  limitMs = ACTION_TIMEOUT_MS,
): Promise<T> {
  const finished = new AbortController()
  const expired = sleep(limitMs, undefined, { signal: finished.signal }).then(async () => {
    const script = await Promise.race([runningScript(page), sleep(5_000, 'the page executes no script')])
    throw new Error(`${name}: not finished within ${limitMs} ms; ${script}`)
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
