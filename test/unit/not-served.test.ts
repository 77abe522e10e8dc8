import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  unimplementedEndpoints,
  servedEndpoints,
  pathTemplate,
  weaveApi,
} from '../../src/contract/weave-api.ts'
import { createServer, type HttpOptions } from '../../src/http/server.ts'

const logged: string[] = []
const server = createServer({
  handlers: {},
  log: pino({}, { write: (line) => void logged.push(line) }),
  version: '0',
  bodyLimitBytes: 1,
  inFlightLimitBytes: 1,
  memoryWaitMs: 1,
  notReadyReason: async () => undefined,
} as unknown as HttpOptions)
let url: string

beforeAll(async () => {
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

const route = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${pathTemplate(path)}`

describe("endpoints of Weave's API that Heddle does not implement", () => {
  test('the list is well-formed and has each endpoint once', () => {
    const lines = weaveApi().map(route)
    expect(lines.length).toBeGreaterThan(120)
    expect(new Set(lines).size).toBe(lines.length)
    for (const line of lines) expect(line).toMatch(/^(GET|POST|PUT|DELETE) (\/([\w-]+|\{\}))+$/)
  })

  test("every operation exists in Weave's API, so that no path is misspelled on either side", () => {
    const known = new Set(weaveApi().map(route))
    const others = servedEndpoints()
      .map(route)
      .filter((line) => !known.has(line))
    // Paths of OpenTelemetry that Weave does not serve.
    expect(others).toEqual([
      'POST /v1/traces',
      'POST /api/public/otel/v1/traces',
      'POST /otel/v1/logs',
      'POST /v1/logs',
      'POST /otel/v1/metrics',
      'POST /v1/metrics',
    ])
    expect(servedEndpoints().length + unimplementedEndpoints().length).toBe(known.size + others.length)
  })

  test('have a reason, and only they', () => {
    const missing = unimplementedEndpoints().map(route)
    const unexplained = weaveApi().filter((each) => (each.reason !== '') !== missing.includes(route(each)))
    expect(unexplained).toEqual([])
  })

  test.each(['', '/traces'])('return 501 with a reason, without credentials, at "%s"', async (prefix) => {
    expect(unimplementedEndpoints().length).toBeGreaterThan(0)
    for (const { method, path, reason } of unimplementedEndpoints()) {
      const response = await fetch(url + prefix + path.replaceAll(/\{\w+\}/g, 'x'), {
        method,
        ...(method === 'GET' ? {} : { body: '{}' }),
      })
      expect([method, path, response.status, await response.json()]).toEqual([
        method,
        path,
        501,
        {
          reason: expect.stringContaining(
            `Heddle does not implement ${method} ${path} of Weave's API: ${reason}.`,
          ),
          code: 'not_implemented',
          request_id: expect.any(String),
        },
      ])
    }
    // One line for each request, none of them an error with a stack trace.
    expect(logged.length).toBeGreaterThan(0)
    expect(logged.filter((line) => !line.includes('"level":30') || line.includes('stack'))).toEqual([])
  })

  test('a path that is served with another method returns 405', async () => {
    const response = await fetch(`${url}/objs/x/aliases`, { method: 'DELETE' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'PUT, OPTIONS'])
  })
})
