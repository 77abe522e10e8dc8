import assert from 'node:assert/strict'
import { OLD, SHOP } from '../seed.ts'
import { journey } from '../environment.ts'

/** Sign-in, navigation, shortcuts and themes. */
export const frame = [
  journey(
    'a wrong password is reported, the right one signs in',
    async ({ signedOutPage, url, password }) => {
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
    },
  ),
  journey('an API key signs in, and signing out ends the session', async ({ signedOutPage, url, key }) => {
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
  }),
  journey('a used sign-in link is rejected', async ({ signedOutPage, url }) => {
    const page = await signedOutPage()
    await page.goto(`${url}/sign-in#code=${'0'.repeat(32)}`)
    await page.getByRole('alert').getByText('This link was already used').waitFor()
    await page.getByRole('alert').getByText('heddle users password admin').waitFor()
    assert.doesNotMatch(page.url(), /code/)
  }),
  journey('the project switcher opens another project', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/traces`)
    await page.getByRole('button', { name: /^Project admin\/shop/ }).click()
    await page.getByRole('menuitem', { name: OLD }).click()
    await page.waitForURL(/\/admin\/old\/weave\/traces/)
  }),
  journey('the command palette opens a project by typing', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/traces`)
    await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Go to a page/ }).fill('old')
    await page.getByRole('option', { name: /admin\/old/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/admin\/old\//)
  }),
  journey('the shortcut sheet lists the shortcuts of the page', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/traces`)
    await page.getByRole('grid', { name: 'Calls' }).waitFor()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Next call', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
  }),
  journey('links printed by SDKs open the call', async ({ page, url }) => {
    for (const path of ['r/call/shop-0', 'weave/calls/shop-0', 'weave/traces/shop-0']) {
      await page.goto(`${url}/${SHOP}/${path}`)
      await page.getByRole('article', { name: 'Call shop_agent' }).waitFor()
      assert.match(page.url(), /\/weave\/calls\/shop-0$/)
    }
  }),
  journey('an unknown URL shows page not found', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/nowhere/at/all`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  }),
  journey('an unknown call shows not found', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/nobody`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  }),
  journey('the theme is selected and remembered', async ({ page, url }) => {
    await page.goto(`${url}/projects`)
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    const scheme = (): Promise<string | null> =>
      page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'))
    assert.equal(await scheme(), 'dark')
    await page.reload()
    assert.equal(await scheme(), 'dark')
  }),
]
