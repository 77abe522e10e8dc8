import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notServed, servedEndpoints, shapeOfPath, weaveApi } from '../../src/contract/weave-api.ts'
import { createServer, type HttpOptions } from '../../src/http/server.ts'

const server = createServer({
  handlers: {},
  log: pino({ level: 'silent' }),
  version: '0',
  bodyLimitBytes: 1,
  inFlightLimitBytes: 1,
  memoryWaitMs: 1,
  notReady: async () => undefined,
} as unknown as HttpOptions)
let url: string

beforeAll(async () => {
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const spelt = ({ method, path }: { method: string; path: string }): string => `${method} ${shapeOfPath(path)}`

describe("what Weave's API has and Heddle has not", () => {
  test('the list of it is well-formed and has each endpoint once', () => {
    const lines = weaveApi().map(spelt)
    expect(lines.length).toBeGreaterThan(120)
    expect(new Set(lines).size).toBe(lines.length)
    for (const line of lines) expect(line).toMatch(/^(GET|POST|PUT|DELETE) (\/([\w-]+|\{\}))+$/)
  })

  test('every operation of the table is one of that API, so that nothing is spelt wrong on either side', () => {
    const known = new Set(weaveApi().map(spelt))
    expect(
      servedEndpoints()
        .map(spelt)
        .filter((line) => !known.has(line)),
    ).toEqual([])
    expect(servedEndpoints().length + notServed().length).toBe(known.size)
  })

  test.each(['', '/traces'])(
    'is answered with 501 and a sentence, without credentials, at "%s"',
    async (prefix) => {
      expect(notServed().length).toBeGreaterThan(0)
      for (const { method, path } of notServed()) {
        const response = await fetch(url + prefix + path.replaceAll(/\{\w+\}/g, 'x'), {
          method,
          ...(method === 'GET' ? {} : { body: '{}' }),
        })
        expect([method, path, response.status, await response.json()]).toEqual([
          method,
          path,
          501,
          {
            reason: expect.stringContaining(`Heddle does not have ${method} ${path}`),
            code: 'not_implemented',
            request_id: expect.any(String),
          },
        ])
      }
    },
  )

  test('a path of it that is served by another method says so', async () => {
    const response = await fetch(`${url}/objs/x/aliases`, { method: 'DELETE' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'PUT, OPTIONS'])
  })
})
