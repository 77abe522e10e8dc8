import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'

/** Journeys through the settings of the server and of the user's own account. */

async function signIn(page: Page, url: string, username: string, password: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByLabel('Password', { exact: true }).last().fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const isSignedIn = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'Projects', exact: true }).waitFor()

test('a server administrator creates a user, resets the password, disables and enables', async ({
  page,
  url,
  signedOutPage,
}) => {
  await page.goto(`${url}/projects`)
  await page.getByRole('button', { name: 'Account: admin' }).click()
  await page.getByRole('menuitem', { name: 'Server settings' }).click()
  const form = page.getByRole('form', { name: 'Create user' })
  await form.getByRole('textbox', { name: 'Username' }).fill('Bad Name')
  await form.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('alert').waitFor()
  await form.getByRole('textbox', { name: 'Username' }).fill('grace')
  await form.getByRole('button', { name: 'Create user' }).click()
  await page.getByText('it is not shown again').waitFor()
  await page.getByRole('button', { name: 'Copy password' }).click()
  const first = await page.evaluate(() => navigator.clipboard.readText())
  const row = page.getByRole('row', { name: /^grace/ })
  await row.getByText('No recent sign-in').waitFor()

  const other = await signedOutPage()
  await signIn(other, url, 'grace', first)
  await isSignedIn(other)
  await other.getByRole('button', { name: 'Account: grace' }).click()
  assert.equal(await other.getByRole('menuitem', { name: 'Server settings' }).count(), 0)
  await other.goto(`${url}/server`)
  await other.getByText('Only server administrators can manage users.').waitFor()

  const act = async (action: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for grace' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await act('Reset password')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Copy password' }).click()
  const second = await page.evaluate(() => navigator.clipboard.readText())
  assert.notEqual(second, first)
  await other.goto(`${url}/account`)
  await other.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
  await signIn(other, url, 'grace', second)
  await isSignedIn(other)

  await act('Disable')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable user' }).click()
  await row.getByText('Disabled').waitFor()
  await other.goto(`${url}/account`)
  await other.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
  await signIn(other, url, 'grace', second)
  await other.getByText(/this user is disabled/i).waitFor()
  await act('Enable')
  await row.getByText('Active').waitFor()
  await other.getByRole('button', { name: 'Sign in' }).click()
  await isSignedIn(other)

  await page.getByRole('button', { name: 'Actions for admin' }).click()
  for (const name of ['Reset password', 'Disable'])
    assert.ok(await page.getByRole('menuitem', { name }).isDisabled())
})

test('a user changes the password, and sees and ends sessions', async ({
  otherUserPage,
  signedOutPage,
  url,
  password,
}) => {
  const page = await otherUserPage('hopper', SHOP, 'read')
  const [second, third] = [await signedOutPage(), await signedOutPage()]
  for (const other of [second, third]) {
    await signIn(other, url, 'hopper', password)
    await isSignedIn(other)
  }
  await page.goto(`${url}/projects`)
  await page.getByRole('button', { name: 'Account: hopper' }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  const sessions = page.getByRole('table', { name: 'Sessions' })
  await sessions
    .getByRole('row', { name: /this browser/ })
    .getByText('Now')
    .waitFor()
  assert.equal(await sessions.getByRole('rowheader', { name: /^Chrome on / }).count(), 3)
  await sessions
    .getByRole('button', { name: /^Sign out/ })
    .first()
    .click()
  await sessions
    .getByRole('button', { name: /^Sign out/ })
    .nth(1)
    .waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sign out all others' }).click()
  await page.getByText('1 session ended.').waitFor()
  for (const other of [second, third]) {
    await other.goto(`${url}/account`)
    await other.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
  }
  await signIn(second, url, 'hopper', password)
  await isSignedIn(second)

  const form = page.getByRole('form', { name: 'Change password' })
  const change = async (current: string, next: string): Promise<void> => {
    await form.getByLabel('Current password').fill(current)
    await form.getByLabel('New password', { exact: true }).fill(next)
    await form.getByLabel('Repeat new password').fill(next)
    await form.getByRole('button', { name: 'Change password' }).click()
  }
  await change('not my password', 'correct horse battery')
  await form.getByText('The current password is wrong').waitFor()
  await change(password, 'correct horse battery')
  await page.getByText('Password changed.').waitFor()
  await page.reload()
  await sessions.getByRole('row', { name: /this browser/ }).waitFor()
  await second.goto(`${url}/account`)
  await second.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
  await signIn(second, url, 'hopper', 'correct horse battery')
  await isSignedIn(second)
})
