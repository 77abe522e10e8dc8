import { expect, test } from 'vitest'
import { useServer } from '../harness.ts'

const server = useServer()

test('the SDK handshake needs no credentials, at / and under /traces', async () => {
  for (const path of ['/server_info', '/traces/server_info', '//server_info']) {
    const response = await server.send(path)
    expect(response.status).toBe(200)
    expect(response.json).toEqual({
      min_required_weave_python_version: '0.0.0',
      trace_server_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
  }
})
