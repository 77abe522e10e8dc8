import assert from 'node:assert/strict'
import { OLD, SHOP } from '../seed.ts'
import { journey } from '../environment.ts'

/** Signing in, finding one's way, and what is a matter of taste. */
export const frame = [
  journey('a wrong password is told, the right one leads on', async ({ stranger, url, password }) => {
    const page = await stranger()
    await page.goto(`${url}/${SHOP}/weave/traces?range=all`)
    await page.getByRole('textbox', { name: 'User name' }).fill('admin')
    const secret = page.getByLabel('Password', { exact: true }).last()
    await secret.fill('not it')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('No such user and password').waitFor()
    await secret.fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    // To where the link led in the first place.
    await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
    assert.match(page.url(), /range=all/)
  }),
  journey('a key signs in too, and signing out ends it', async ({ stranger, url, key }) => {
    const page = await stranger()
    await page.goto(`${url}/sign-in`)
    await page.getByText('API key', { exact: true }).click()
    await page.getByLabel('API key', { exact: true }).last().fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
    await page.goto(`${url}/projects`)
    await page.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
  }),
  journey('a link that was used says so', async ({ stranger, url }) => {
    const page = await stranger()
    await page.goto(`${url}/sign-in#code=${'0'.repeat(32)}`)
    await page.getByRole('alert').getByText('This link has been used already').waitFor()
    await page.getByRole('alert').getByText('heddle users password admin').waitFor()
    assert.doesNotMatch(page.url(), /code/)
  }),
  journey('from one project to another', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/traces`)
    await page.getByRole('button', { name: /^Project admin\/shop/ }).click()
    await page.getByRole('menuitem', { name: OLD }).click()
    await page.waitForURL(/\/admin\/old\/weave\/traces/)
  }),
  journey('the palette goes anywhere by typing', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/traces`)
    await page.getByRole('heading', { name: 'Traces', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Go to a page/ }).fill('old')
    await page.getByRole('option', { name: /admin\/old/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/admin\/old\//)
  }),
  journey('the sheet of shortcuts lists what works here', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/traces`)
    await page.getByRole('grid', { name: 'Calls' }).waitFor()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Next call', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
  }),
  journey('links of SDKs lead to the call', async ({ page, url }) => {
    for (const path of ['r/call/shop-0', 'weave/calls/shop-0', 'weave/traces/shop-0']) {
      await page.goto(`${url}/${SHOP}/${path}`)
      await page.getByRole('article', { name: 'Call shop_agent' }).waitFor()
      assert.match(page.url(), /\/weave\/calls\/shop-0$/)
    }
  }),
  journey('an address without a page says so', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/nowhere/at/all`)
    await page.getByRole('heading', { name: 'There is no page at this address' }).waitFor()
  }),
  journey('a call that is not there says so', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/calls/nobody`)
    await page.getByRole('heading', { name: 'It is not there' }).waitFor()
  }),
  journey('colours are chosen and remembered', async ({ page, url }) => {
    await page.goto(`${url}/projects`)
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    const scheme = (): Promise<string | null> =>
      page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'))
    assert.equal(await scheme(), 'dark')
    await page.reload()
    assert.equal(await scheme(), 'dark')
  }),
]
