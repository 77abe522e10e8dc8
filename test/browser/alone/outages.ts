import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServerProcess } from '../../server-process.ts'
import { test } from '../fixtures.ts'
import { seedShop, SHOP } from '../seed.ts'
import { keyClient, signIn } from '../server.ts'

/** Server outages. The server is its own: the others use theirs after this. */

test('the page reports that the server is unreachable, and recovers when it is back', async ({
  signedOutPage,
  password,
  key,
}) => {
  const data = mkdtempSync(join(tmpdir(), 'heddle-outages-'))
  const start = (port: number) =>
    startServerProcess({
      data,
      port,
      adminPassword: password,
      apiKey: key,
      command: [process.execPath, 'dist/main.js'],
    })
  let server = await start(0)
  const { url } = server
  try {
    await seedShop(keyClient(url, key))
    const page = await signedOutPage()
    await signIn(page.request, url, 'admin', password)
    await page.goto(`${url}/${SHOP}/weave/traces`)
    await page.getByRole('row').nth(5).waitFor()
    const banner = page.getByText('The server is unreachable')
    await server.kill()
    await page.getByText('All calls', { exact: true }).click()
    await banner.waitFor()
    server = await start(Number(new URL(url).port))
    await banner.waitFor({ state: 'hidden', timeout: 30_000 })
    await page
      .getByRole('row', { name: /search_orders/ })
      .first()
      .waitFor({ timeout: 30_000 })
  } finally {
    await server.stop()
    rmSync(data, { recursive: true, force: true })
  }
})
