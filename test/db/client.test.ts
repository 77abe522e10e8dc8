import { beforeAll, expect, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { ApiError } from '../../src/contract/api-error.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { useServer } from '../harness.ts'

const server = useServer()
const project_id = 'acme/demo'
let client: Client

beforeAll(() => {
  client = createClient({ url: `${server.url}/traces/`, authorization: server.authorization })
})

test('payloads are sent and returned byte for byte', async () => {
  const inputs = '{"one":1.0,"big":123456789012345678901234567890,"a":1,"a":2,"half":"\\ud800"}'
  const { id } = await client.call('call_start', {
    start: { project_id, op_name: 'op', inputs: RawJson.fromText(inputs) },
  })
  const { call } = await client.call('call_read', { project_id, id })
  expect(call?.inputs?.text).toBe(inputs)
})

test('lines arrive one by one, and breaking out of the loop ends the request', async () => {
  const op_name = 'streamed'
  await client.call('call_upsert_batch', {
    batch: Array.from({ length: 300 }, (_, i) => ({
      mode: 'start' as const,
      req: {
        start: {
          project_id,
          op_name,
          id: `line-${i}`,
          inputs: RawJson.fromValue({ text: 'é'.repeat(2_000), i }),
        },
      },
    })),
  })
  const seen = new Set<string>()
  const request = { project_id, filter: { op_names: [op_name] } }
  for await (const call of await client.call('calls_query_stream', request)) seen.add(call.id ?? '')
  expect(seen.size).toBe(300)
  let count = 0
  for await (const _ of await client.call('calls_query_stream', request)) if (++count === 3) break
  expect(count).toBe(3)
})

test('files are uploaded as a form and downloaded as bytes', async () => {
  const file = Buffer.from([0, 255, 13, 10, 45, 45, 0])
  const { digest } = await client.call('file_create', { project_id, file })
  expect(await client.call('file_content', { project_id, digest })).toEqual(file)
})

test('an error response is thrown as the ApiError of the server', async () => {
  const missing = client.call('obj_read', { project_id, object_id: 'none', digest: 'none' })
  await expect(missing).rejects.toMatchObject({
    name: 'ApiError',
    code: 'not_found',
    extra: { request_id: expect.any(String) },
  })
  const wrong = client.call('call_read', { project_id: 'no-slash', id: 'x' })
  await expect(wrong).rejects.toMatchObject({
    code: 'unprocessable',
    detail: [{ loc: ['body', 'project_id'] }],
  })
  const anonymous = createClient({ url: server.url }).call('call_read', { project_id, id: 'x' })
  await expect(anonymous).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('an unreachable server is an ApiError', async () => {
  await expect(createClient({ url: 'http://127.0.0.1:9' }).call('health', {})).rejects.toBeInstanceOf(
    ApiError,
  )
})

test('a request can be aborted', async () => {
  await expect(client.call('health', {}, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
})
