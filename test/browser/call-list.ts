import type { Page } from '@playwright/test'

/** Steps on the list of calls. */

export const rows = (page: Page) => page.getByRole('grid', { name: 'Calls' }).getByRole('row')

export async function applyFilter(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Filter' })
  await box.fill(text)
  await box.press('Enter')
}
