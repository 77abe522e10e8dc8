import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { startReverseProxy } from '../../reverse-proxy.ts'
import { startServerProcess } from '../../server-process.ts'
import { test } from '../fixtures.ts'
import { keyClient } from '../server.ts'

const PROJECT = 'admin/below'

/** A server below a path of a reverse proxy. */

test('below a path of a reverse proxy: sign in, open a call, reload', async ({
  signedOutPage,
  password,
  key,
}) => {
  const data = mkdtempSync(join(tmpdir(), 'heddle-base-path-'))
  const server = await startServerProcess({
    data,
    adminPassword: password,
    apiKey: key,
    environment: { HEDDLE_BASE_PATH: '/tools/heddle' },
    command: [process.execPath, 'dist/main.js'],
  })
  const target = new URL(server.url).origin
  const proxy = await startReverseProxy({ target, path: '/tools/heddle', keepsPath: false })
  try {
    await keyClient(proxy.url, key).call('call_start', {
      start: {
        project_id: PROJECT,
        op_name: 'answer',
        started_at: new Date().toISOString(),
        attributes: RawJson.fromText('{}'),
        inputs: RawJson.fromText('{"question":"Which path is this?"}'),
      },
    })
    const page = await signedOutPage()
    const outside: string[] = []
    page.on('request', (request) => {
      const { protocol, pathname } = new URL(request.url())
      if (protocol.startsWith('http') && !pathname.startsWith('/tools/heddle')) outside.push(pathname)
    })
    await page.goto(`${proxy.url}/${PROJECT}/weave/traces`)
    await page.getByRole('textbox', { name: 'Username' }).fill('admin')
    assert.equal(new URL(page.url()).pathname, '/tools/heddle/sign-in')
    await page.getByLabel('Password', { exact: true }).last().fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'answer' }).first().click()
    await page.getByText('Which path is this?').first().waitFor()
    await page.reload()
    await page.getByText('Which path is this?').first().waitFor()
    assert.match(new URL(page.url()).pathname, /^\/tools\/heddle\/admin\/below\/weave\//)
    const reference = page.getByRole('link', { name: 'API reference' })
    assert.equal(await reference.getAttribute('href'), '/tools/heddle/docs')
    assert.deepEqual(outside, [])
    await page.close()
  } finally {
    await proxy.stop()
    await server.stop()
    rmSync(data, { recursive: true, force: true })
  }
})
