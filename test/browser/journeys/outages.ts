import { SHOP } from '../seed.ts'
import { journey } from '../environment.ts'

/** Server outages. Runs last, because it restarts the server. */
export const outages = [
  journey(
    'the page reports that the server is unreachable, and recovers when it is back',
    async ({ page, url, restart }) => {
      await page.goto(`${url}/${SHOP}/weave/traces`)
      await page.getByRole('row').nth(5).waitFor()
      const banner = page.getByText('The server is unreachable')
      await restart(async () => {
        await page.getByText('All calls', { exact: true }).click()
        await banner.waitFor()
      })
      await banner.waitFor({ state: 'hidden', timeout: 30_000 })
      await page
        .getByRole('row', { name: /search_orders/ })
        .first()
        .waitFor({ timeout: 30_000 })
    },
  ),
]
