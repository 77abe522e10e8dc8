import assert from 'node:assert/strict'
import { ASSISTANT } from '../program/assistant.ts'
import { OLD, SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'

/** Sign-in, navigation, shortcuts and themes. */

test('a wrong password is reported, the right one signs in', async ({ signedOutPage, url, password }) => {
  const page = await signedOutPage()
  await page.goto(`${url}/${SHOP}/weave/traces?range=all`)
  await page.getByRole('textbox', { name: 'Username' }).fill('admin')
  const secret = page.getByLabel('Password', { exact: true }).last()
  await secret.fill('not it')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Incorrect username or password').waitFor()
  await secret.fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  // Sign-in returns to the requested page.
  await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
  assert.match(page.url(), /range=all/)
})

test('an API key signs in, and signing out ends the session', async ({ signedOutPage, url, key }) => {
  const page = await signedOutPage()
  await page.goto(`${url}/sign-in`)
  await page.getByText('API key', { exact: true }).click()
  await page.getByLabel('API key', { exact: true }).last().fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
  await page.goto(`${url}/projects`)
  await page.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
})

test('a used sign-in link is rejected', async ({ signedOutPage, url }) => {
  const page = await signedOutPage()
  await page.goto(`${url}/sign-in#code=${'0'.repeat(32)}`)
  await page.getByRole('alert').getByText('This link was already used').waitFor()
  await page.getByRole('alert').getByText('heddle users link admin').waitFor()
  assert.doesNotMatch(page.url(), /code/)
})

test('the project switcher opens another project', async ({ url, api, otherUserPage }) => {
  // Of two projects: it lists a limited number, and other journeys create projects.
  const page = await otherUserPage('switcher', SHOP, 'read')
  await api.call('member_set', { entity: 'admin', project: 'old', username: 'switcher', role: 'read' })
  await page.goto(`${url}/${SHOP}/weave/traces`)
  await page.getByRole('button', { name: /^Project admin\/shop/ }).click()
  await page.getByRole('menuitem', { name: OLD }).click()
  await page.waitForURL(/\/admin\/old\/weave\/traces/)
})

test('the command palette opens a project by typing', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/traces`)
  await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Go to a page/ }).fill('old')
  await page.getByRole('option', { name: /admin\/old/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/admin\/old\//)
})

test('the shortcut sheet lists the shortcuts of the page', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/traces`)
  await page.getByRole('grid', { name: 'Calls' }).waitFor()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Next call', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
})

test('links printed by SDKs open the call', async ({ page, url }) => {
  for (const path of ['r/call/shop-0', 'weave/calls/shop-0', 'weave/traces/shop-0']) {
    await page.goto(`${url}/${SHOP}/${path}`)
    await page.getByRole('article', { name: 'Call shop_agent' }).waitFor()
    assert.match(page.url(), /\/weave\/calls\/shop-0$/)
  }
})

test('an unknown URL shows page not found', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/nowhere/at/all`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByRole('link', { name: `Traces of ${SHOP}` }).click()
  await page.waitForURL(/\/admin\/shop\/weave\/traces/)
  // Paths of the UI and of no project are the same to a reader.
  for (const path of ['nowhere', 'some/long/path?q=1', 'favicon.html']) {
    const response = await page.goto(`${url}/${path}`)
    assert.equal(response?.status(), 404, path)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  }
  await page.getByRole('link', { name: 'All projects' }).last().click()
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  await page.goto(`${url}/${SHOP}`)
  await page.waitForURL(/\/admin\/shop\/weave\/traces/)
  // API clients get JSON.
  const response = await fetch(`${url}/nowhere`)
  assert.equal(response.status, 404)
  assert.match(response.headers.get('content-type') ?? '', /json/)
})

test('the sidebar marks the page that every sub-page belongs to', async ({ page, url, assistant }) => {
  await assistant()
  const base = `${url}/${ASSISTANT}/weave`
  const current = page.getByRole('navigation', { name: 'Project pages' }).locator('[aria-current=page]')
  const marks = async (name: string): Promise<void> => {
    await current.filter({ hasText: name }).waitFor()
    assert.equal(await current.count(), 1, `${page.url()} marks more than ${name}`)
  }
  await page.goto(`${base}/traces`)
  await marks('Traces')
  await page.getByRole('grid', { name: 'Calls' }).getByRole('row').nth(1).waitFor()
  for (const key of ['j', 'x', 'j', 'x', 'c']) await page.keyboard.press(key)
  await page.waitForURL(/weave\/compare\?/)
  await marks('Traces')
  await page
    .getByRole('link', { name: /Open trace|checkout|Assistant|openai|Evaluation/ })
    .first()
    .waitFor()
  await page.goto(`${base}/compare-evaluations`)
  await marks('Evaluations')
  await page.goto(`${base}/new-dataset`)
  await marks('Datasets')
  await page.goto(`${base}/ops`)
  await marks('Objects')
  await page.getByRole('link', { name: 'refund_order' }).first().click()
  await page.waitForURL(/versions/)
  await marks('Objects')
  await page.goto(`${base}/threads/chat-lena`)
  await marks('Threads')
  // Prompts are a page of their own.
  await page.getByRole('link', { name: 'Prompts', exact: true }).first().click()
  await marks('Prompts')
  await page
    .getByRole('table', { name: 'Objects' })
    .getByRole('link', { name: 'system-prompt', exact: true })
    .click()
  await page.getByText('You help customers of {shop}. Be brief and exact.').first().waitFor()
  await marks('Prompts')
  for (const group of ['Observe', 'Improve', 'Analyze', 'Project'])
    await page.getByRole('group', { name: group, exact: true }).waitFor()
  // Narrow, it has icons with names, and every page is reachable by keyboard.
  await page.setViewportSize({ width: 900, height: 560 })
  await marks('Prompts')
  const settings = page.getByRole('link', { name: 'Settings', exact: true })
  await settings.focus()
  assert.equal(await settings.evaluate((link) => link.getBoundingClientRect().bottom < innerHeight), true)
  await page.keyboard.press('Enter')
  await marks('Settings')
})

test('the command palette finds objects with their kind', async ({ page, url, assistant }) => {
  await assistant()
  await page.goto(`${url}/${ASSISTANT}/weave/traces`)
  await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
  const find = async (text: string, option: RegExp): Promise<void> => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Go to a page/ }).fill(text)
    await page.getByRole('option', { name: option }).first().click()
  }
  await find('system prompt', /system-prompt Prompt/)
  await page.waitForURL(/\/prompts\/system-prompt\/versions\//)
  await find('questions', /questions Dataset/)
  await page.waitForURL(/\/datasets\/questions\/versions\//)
  await find('assistant-mini', /assistant-mini Model/)
  await page.waitForURL(/\/models\/assistant-mini\/versions\//)
  await find('refund op', /refund_order Op/)
  await page.waitForURL(/\/ops\/refund_order\/versions\//)
  await find('quality', /quality Evaluation/)
  await page.waitForURL(/quality\/versions\//)
})

test('an unknown call shows not found', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/nobody`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
})

test('the theme is selected and remembered', async ({ page, url }) => {
  await page.goto(`${url}/projects`)
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  const scheme = (): Promise<string | null> =>
    page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'))
  assert.equal(await scheme(), 'dark')
  await page.reload()
  assert.equal(await scheme(), 'dark')
})

test('a page that cannot be loaded leaves the frame, and opens when the server is back', async ({
  page,
  url,
}) => {
  await page.goto(`${url}/${SHOP}/weave/traces?range=all`)
  await page.getByRole('grid', { name: 'Calls' }).getByRole('row').nth(1).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Costs', exact: true }).click()
  await page.getByRole('heading', { name: 'This page cannot be loaded now' }).waitFor()
  await page.getByText('The server is unreachable.').waitFor()
  // The frame is usable, and so are pages that were opened before.
  await page.getByRole('link', { name: 'Traces', exact: true }).click()
  await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Costs', exact: true }).click()
  await page.getByRole('heading', { name: 'This page cannot be loaded now' }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Costs', exact: true }).waitFor()
  // With its styles, which are another file.
  const unstyled = await page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(
        (each) => each.sheet === null,
      ).length,
  )
  assert.equal(unstyled, 0)
})

test('a new version on the server is offered, and loaded with the next new page', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/traces?range=all`)
  await page.getByRole('grid', { name: 'Calls' }).getByRole('row').nth(1).waitFor()
  // As after an upgrade: the page names other files, and those of this version are gone.
  await page.route('**/sign-in', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<script type="module" src="/assets/index-new.js"></script>',
    }),
  )
  const isOld = /assets\/(?:costs-page|users-page)[^/]*$/
  await page.route(isOld, (route) => route.fulfill({ status: 404 }))
  let reloads = 0
  page.on('load', () => reloads++)
  await page.getByRole('link', { name: 'Costs', exact: true }).hover()
  await page.getByText('A new version of Heddle is on the server.').waitFor()
  assert.equal(reloads, 0)
  await page.route('**/weave/costs*', async (route) => {
    await page.unroute(isOld)
    await route.fallback()
  })
  await page.getByRole('link', { name: 'Costs', exact: true }).click()
  await page.getByRole('heading', { name: 'Costs', exact: true }).waitFor()
  assert.equal(reloads, 1)
})

test('a page opens if its link is clicked again while its code is being loaded', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/traces?range=all`)
  await page.getByRole('grid', { name: 'Calls' }).getByRole('row').nth(1).waitFor()
  let isReleased = false
  await page.route(/assets\/costs-page/, async (route) => {
    await waitUntil('the code may arrive', () => Promise.resolve(isReleased))
    await route.continue()
  })
  const link = page.getByRole('link', { name: 'Costs', exact: true })
  await link.click()
  await page.getByRole('status', { name: 'Loading page' }).waitFor()
  await link.click()
  isReleased = true
  await link.click()
  await page.getByRole('heading', { name: 'Costs', exact: true }).waitFor()
})
