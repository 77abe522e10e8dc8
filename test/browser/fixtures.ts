import { execFileSync } from 'node:child_process'
import { type BrowserContext, type Page, test as base } from '@playwright/test'
import type { Client } from '../../src/client/client.ts'
import { runAssistant } from './program/assistant.ts'
import { createOnce, type LargeSeeds, seedBig, seedMillion } from './seed.ts'
import { journeyServer, keyClient, signIn } from './server.ts'
import { runningScript } from './waits.ts'

interface ServerFixtures {
  readonly url: string
  readonly password: string
  readonly key: string
  readonly api: Client
  /** Runs the program of ./program/ in the project `ASSISTANT`, once for all journeys. */
  readonly assistant: () => Promise<void>
  readonly large: LargeSeeds
}

interface PageFixtures {
  /** CSP violations, uncaught exceptions and console errors of all pages. Any fails the journey. */
  readonly pageErrors: string[]
  /** Opens a page that is not signed in, in a context of its own. */
  readonly signedOutPage: () => Promise<Page>
  /** Creates another user with this role in a project, and opens a page signed in as that user. */
  readonly otherUserPage: (username: string, project_id: string, role: 'read' | 'write') => Promise<Page>
}

/** What a journey gets: a signed-in `page` and the server behind it. */
export type Fixtures = ServerFixtures & PageFixtures & { readonly page: Page }

const { url, password, key, data, signedIn } = journeyServer()

export const test = base.extend<PageFixtures, ServerFixtures>({
  url: [url, { scope: 'worker' }],
  password: [password, { scope: 'worker' }],
  key: [key, { scope: 'worker' }],
  api: [({ url, key }, use) => use(keyClient(url, key)), { scope: 'worker' }],
  assistant: [
    ({ url, key }, use) => use(() => createOnce(data, 'assistant', () => runAssistant(url, key))),
    { scope: 'worker' },
  ],
  large: [
    ({ api }, use) =>
      use({
        big: () => createOnce(data, 'big', () => seedBig(api)),
        million: () => createOnce(data, 'million', () => seedMillion(api, data)),
      }),
    { scope: 'worker' },
  ],
  storageState: signedIn,
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires a pattern.
  pageErrors: async ({}, use) => {
    const errors: string[] = []
    await use(errors)
    if (errors.length > 0) throw new Error(`page errors: ${errors.join('; ').slice(0, 800)}`)
  },
  context: async ({ context, pageErrors }, use) => {
    recordPageErrors(context, pageErrors)
    await use(context)
  },
  page: async ({ page }, use, testInfo) => {
    await use(page)
    if (testInfo.status === 'timedOut') console.log(`      ${await runningScript(page)}`)
  },
  signedOutPage: async ({ browser, pageErrors }, use) => {
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
      contexts.push(context)
      recordPageErrors(context, pageErrors)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },
  otherUserPage: ({ api, signedOutPage }, use) =>
    use(async (username, project_id, role) => {
      const args = ['users', 'create', username, '--password-stdin', '--data', data]
      execFileSync(process.execPath, ['dist/main.js', ...args], { input: password, stdio: 'pipe' })
      const [entity = '', project = ''] = project_id.split('/')
      await api.call('member_set', { entity, project, username, role })
      const page = await signedOutPage()
      await signIn(page.request, url, username, password)
      return page
    }),
})

function recordPageErrors(context: BrowserContext, errors: string[]): void {
  context.on('weberror', (each) => errors.push(`uncaught: ${each.error().message}`))
  context.on('console', (message) => {
    const text = message.text()
    if (/Content.Security.Policy/i.test(text)) errors.push(text)
    // The page reports failed requests itself; the console only repeats them.
    else if (message.type() === 'error' && !/Failed to load resource/.test(text)) errors.push(text)
  })
}
