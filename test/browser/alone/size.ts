import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'

/** Size of the web bundle. */

test('the first page needs at most 300 KB of JavaScript', async ({ page, url }) => {
  const files = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) files.add(pathname)
  })
  await page.goto(`${url}/${SHOP}/weave/traces`)
  await page.getByRole('row').nth(5).waitFor()
  const bytes = [...files].reduce((sum, path) => sum + gzipSync(readFileSync(`dist/web${path}`)).length, 0)
  console.log(`      ${files.size} files, ${Math.round(bytes / 1000)} kB gzipped for the list`)
  assert.ok(files.size > 0 && bytes <= 300_000, `${bytes} bytes`)
})

test('the bundle contains no server schemas', async () => {
  for (const name of readdirSync('dist/web/assets').filter((file) => file.endsWith('.js'))) {
    assert.ok(!readFileSync(`dist/web/assets/${name}`, 'utf8').includes('ZodError'), name)
  }
})

test('no other host is contacted', async ({ page, url }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto(`${url}/${SHOP}/weave/calls/shop-hostile`)
  await page.getByRole('article').waitFor()
  assert.deepEqual([...hosts], [new URL(url).host])
})
