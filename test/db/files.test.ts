import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { contentDigest } from '../../src/core/objects/digest.ts'
import { basic, useServer } from '../harness.ts'

const server = useServer()
const project_id = 'acme/files'

/** Uploads as SDKs do: a form with the bytes under the name `blob`. */
async function upload(content: Uint8Array, fields: Record<string, string> = {}, path = '/file/create') {
  const form = new FormData()
  for (const [name, value] of Object.entries({ project_id, ...fields })) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(content)]), 'blob')
  const packed = new Response(form)
  const headers = { 'content-type': packed.headers.get('content-type') ?? '' }
  return server.send(path, Buffer.from(await packed.arrayBuffer()), { headers })
}

async function download(digest: string, project = project_id, path = '/file/content') {
  // Not `send`: it decodes text, which could hide a changed byte.
  const { authorization } = await credentials()
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ project_id: project, digest }),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

let known: string | undefined

async function credentials(): Promise<{ authorization: string }> {
  known ??= await server.user('reader', { acme: 'read' })
  return { authorization: known }
}

test('a file has the digest that clients compute, at both spellings of the path', async () => {
  for (const path of ['/file/create', '/files/create', '/traces/files/create']) {
    const response = await upload(Buffer.from('abc'), {}, path)
    expect(response.json).toEqual({ digest: 'ungWv48BzXpBQUDeXa4iI7ADYaOWF3qctBDYYfIAFa0' })
  }
  for (const path of ['/file/content', '/files/content']) {
    const response = await download('ungWv48BzXpBQUDeXa4iI7ADYaOWF3qctBDYYfIAFa0', project_id, path)
    expect([response.status, response.bytes.toString(), response.type]).toEqual([
      200,
      'abc',
      'application/octet-stream',
    ])
  }
})

test('an empty file can be stored', async () => {
  const { json } = await upload(Buffer.alloc(0))
  expect(json['digest']).toBe('47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU')
  expect((await download(json['digest'] as string)).bytes).toHaveLength(0)
})

test('files of any byte values and sizes are returned exactly', async () => {
  const all = Buffer.from(Array.from({ length: 512 }, (_, i) => i % 256))
  for (const content of [all, randomBytes(512 * 1024), randomBytes(512 * 1024 + 1), randomBytes(1_300_000)]) {
    const { json } = await upload(content)
    expect((await download(json['digest'] as string)).bytes.equals(content)).toBe(true)
  }
})

test('a file near the body limit is returned exactly', { timeout: 180_000 }, async () => {
  const content = randomBytes(60 * 1024 * 1024)
  const response = await upload(content)
  expect(response.status).toBe(200)
  expect((await download(response.json['digest'] as string)).bytes.equals(content)).toBe(true)
})

test('a digest other than the expected one is a conflict and stores nothing', async () => {
  expect((await upload(Buffer.from('never'), { expected_digest: 'other' })).status).toBe(409)
  expect((await download(contentDigest('never'))).status).toBe(404)
  const expected_digest = 'ungWv48BzXpBQUDeXa4iI7ADYaOWF3qctBDYYfIAFa0'
  expect((await upload(Buffer.from('abc'), { expected_digest })).status).toBe(200)
})

test('an unknown file is a 404, also when another project has it', async () => {
  expect((await download('nope')).status).toBe(404)
  const { json } = await upload(Buffer.from('secret of one project'))
  expect((await download(json['digest'] as string, 'acme/other')).status).toBe(404)
})

test('no URL is signed: there are no registered buckets', async () => {
  const none = await server.send('/files/resolve_url', { project_id, uris: [] })
  expect([none.status, none.json]).toEqual([200, { download_urls: [], expires_at: null }])
  const { status, text } = await server.send('/files/resolve_url', {
    project_id,
    uris: ['s3://frames/1.png'],
  })
  expect([status, text]).toEqual([404, expect.stringContaining('no registered bucket')])
})

test('a form without a file is rejected', async () => {
  const form = new FormData()
  form.append('project_id', project_id)
  const packed = new Response(form)
  const headers = { 'content-type': packed.headers.get('content-type') ?? '' }
  const response = await server.send('/file/create', Buffer.from(await packed.arrayBuffer()), { headers })
  expect(response.status).toBe(422)
  const wrong = await server.as(basic('api', 'x'.repeat(40)))('/file/content', { project_id, digest: 'x' })
  expect(wrong.status).toBe(401)
})
