import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, type HttpOptions, type HttpServer } from '../../src/http/server.ts'
import { readWebFiles } from '../../src/http/web-files.ts'

/** Static files of the web UI: each is served as built, and no other file of the machine. */

const PAGE = `<!doctype html><title>Heddle</title><script src="/assets/main-B7fK2x9Q.js"></script>`
const SCRIPT = 'console.log(1);'.repeat(100)

let directory: string
let server: HttpServer
let url: string

function serve(web: string | undefined): HttpServer {
  return createServer({
    handlers: {},
    log: pino({ level: 'silent' }),
    version: '0',
    bodyLimitBytes: 1,
    inFlightLimitBytes: 1,
    memoryWaitMs: 1,
    notReadyReason: async () => undefined,
    web: readWebFiles(web),
  } as unknown as HttpOptions)
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'heddle-web-'))
  const web = join(directory, 'web')
  mkdirSync(join(web, 'assets'), { recursive: true })
  writeFileSync(join(directory, 'secret'), 'of the machine')
  writeFileSync(join(web, 'index.html'), PAGE)
  writeFileSync(join(web, 'heddle.svg'), '<svg/>')
  writeFileSync(join(web, 'assets/main-B7fK2x9Q.js'), SCRIPT)
  writeFileSync(join(web, 'assets/main-B7fK2x9Q.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(web, 'assets/main-B7fK2x9Q.js.gz'), gzipSync(SCRIPT))
  writeFileSync(join(web, 'assets/style-Ab_-12cd.css'), 'a{}')
  symlinkSync(join(directory, 'secret'), join(web, 'linked.txt'))
  server = serve(web)
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Sends the path unchanged; `fetch` would normalize it. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url)
    const outgoing = request({ host: '127.0.0.1', port, path, headers, method }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

describe('an unknown path', () => {
  const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  test.each(['/nowhere', '/admin/shop', '/a/b/c/d?e=f', '/index.htm'])(
    '%s shows the page to a browser',
    async (path) => {
      const response = await get(path, BROWSER)
      expect(response).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } })
      expect(response.body.toString()).toBe(PAGE)
      expect(response.headers['content-security-policy']).toContain("default-src 'none'")
    },
  )

  test.each([
    ['of an API client', '/nowhere', {}],
    ['that accepts anything', '/nowhere', { accept: '*/*' }],
    ['of the API', '/api/v1/nowhere', BROWSER],
    ['of the trace API', '/calls/nowhere', BROWSER],
    ['of the trace API under /traces', '/traces/nowhere', BROWSER],
    ['of OTLP', '/v1/nowhere', BROWSER],
  ])('%s gets JSON: %s', async (_, path, headers) => {
    const response = await get(path, headers)
    expect(response.status).toBe(404)
    expect(response.headers['content-type']).toMatch(/json/)
  })
})

describe('the page', () => {
  test.each([
    '/',
    '/sign-in',
    '/sign-in?next=%2Fprojects',
    '/projects',
    '/acme/demo/weave',
    '/acme/demo/weave/',
    '/acme/chat%20bot/weave/traces',
    '/acme/demo/weave/calls/0190c5b0-3f4e?view=x',
    '/acme/demo/weave/objects/my%20m%C3%B6del/versions/abc',
    '/acme/demo/weave/agents/conversations/c1',
    '/acme/demo/weave/any/depth/at/all/of/it',
    '/acme/demo/r/call/0190c5b0-3f4e',
  ])('is served at %s', async (path) => {
    const { status, headers, body } = await get(path)
    expect([status, headers['content-type'], body.toString()]).toEqual([
      200,
      'text/html; charset=utf-8',
      PAGE,
    ])
    expect(headers['cache-control']).toBe('no-cache')
  })

  test('has a policy without other hosts, inline scripts and frames', async () => {
    const { headers } = await get('/acme/demo/weave')
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' blob:",
        'media-src blob:',
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]),
    )
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  test('does not depend on the URL', async () => {
    const script = encodeURIComponent('<script>alert(1)</script>')
    const { status, body } = await get(`/${script}/${script}/weave/calls/${script}`)
    expect([status, body.toString()]).toEqual([200, PAGE])
  })

  test('is not sent again while its ETag matches', async () => {
    const { etag } = (await get('/')).headers
    const again = await get('/projects', { 'if-none-match': String(etag) })
    expect([again.status, again.body.length]).toEqual([304, 0])
    expect((await get('/', { 'if-none-match': '"another"' })).status).toBe(200)
  })

  test('supports HEAD, and rejects methods that modify', async () => {
    const head = await get('/projects', {}, 'HEAD')
    expect([head.status, head.body.length]).toEqual([200, 0])
    for (const path of ['/', '/acme/demo/weave', '/acme/demo/weave/calls/x', '/assets/main-B7fK2x9Q.js'])
      for (const method of ['POST', 'PUT', 'DELETE'])
        expect([path, (await get(path, {}, method)).status]).toEqual([path, 405])
  })
})

describe('an asset', () => {
  test('is cached forever if its name contains a hash, and revalidated otherwise', async () => {
    const script = await get('/assets/main-B7fK2x9Q.js')
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(script.body.toString()).toBe(SCRIPT)
    const style = await get('/assets/style-Ab_-12cd.css')
    expect(style.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const icon = await get('/heddle.svg')
    expect(icon.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' })
  })

  test('is compressed as the browser accepts it', async () => {
    const sent = async (accepted: string) => {
      const { headers, body } = await get('/assets/main-B7fK2x9Q.js', { 'accept-encoding': accepted })
      expect(headers['vary']).toBe('accept-encoding')
      return [headers['content-encoding'], body] as const
    }
    const [brotli, small] = await sent('gzip, deflate, br, zstd')
    expect([brotli, brotliDecompressSync(small).toString()]).toEqual(['br', SCRIPT])
    const [gzip, larger] = await sent('gzip;q=0.5, br;q=0')
    expect([gzip, gunzipSync(larger).toString()]).toEqual(['gzip', SCRIPT])
    for (const none of ['', 'identity', 'brx', 'br;q=0.000, gzip;q=0', 'deflate'])
      expect(await sent(none)).toEqual([undefined, Buffer.from(SCRIPT)])
    const { headers } = await get('/heddle.svg', { 'accept-encoding': 'br' })
    expect(headers['content-encoding']).toBeUndefined()
  })
})

test('no other file is served, however the path is written', async () => {
  for (const path of [
    '/secret',
    '/../secret',
    '/assets/../../secret',
    '/assets/..%2f..%2fsecret',
    '/%2e%2e/secret',
    '/assets/%2e%2e/%2e%2e/secret',
    String.raw`/assets/..\..\secret`,
    '/assets/main-B7fK2x9Q.js%00.css',
    '/assets/main-B7fK2x9Q.js.br',
    '/assets',
    '/assets/',
    '/assets/gone-12345678.js',
    '/linked.txt',
    '/index.html',
    '/acme/demo',
    '/acme/demo/workspace',
    '//etc/passwd',
    '/file:///etc/passwd',
  ]) {
    const { status, body } = await get(path)
    expect([path, status, body.includes('of the machine')]).toEqual([path, 404, false])
  }
  expect((await get('/acme/%zz/weave')).status).toBe(400)
})

test('without a built UI, links return the plain page and / returns 404', async () => {
  expect(readWebFiles(undefined)).toBeUndefined()
  expect(readWebFiles(join(directory, 'nowhere'))).toBeUndefined()
  expect(readWebFiles(join(directory, 'web/assets'))).toBeUndefined()
  const bare = serve(undefined)
  const at = await bare.listen({ host: '127.0.0.1', port: 0 })
  try {
    expect((await fetch(`${at}/`)).status).toBe(404)
    expect(await (await fetch(`${at}/acme/demo/weave`)).text()).toContain('curl')
  } finally {
    await bare.close()
  }
})
