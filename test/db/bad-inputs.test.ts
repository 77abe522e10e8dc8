import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startTestServer, useServer } from '../harness.ts'
import { HOSTILE_STRINGS } from '../hostile-values.ts'
import { Shares } from '../share.ts'
import { waitUntil } from '../wait-until.ts'
import { assertsDuration } from '../duration.ts'

/** Hostile input: rejected with 4xx or stored as data, never a 5xx, and the server keeps running. */

const MIB = 1024 * 1024
const server = useServer({ bodyLimitBytes: 32 * MIB })
const project_id = 'acme/demo'

let serial = 0
const unique = (): string => `bad-${serial++}`

/** Stores a payload as the inputs of a call, as raw text. */
async function store(inputs: string): Promise<{ status: number; id: string; text: string }> {
  const id = unique()
  const body = `{"start":{"project_id":"${project_id}","id":"${id}","op_name":"op","inputs":${inputs}}}`
  const { status, text } = await server.send('/call/start', body)
  return { status, id, text }
}

/** The inputs of a call as the server returns them, and the rest of the response. */
async function readInputs(id: string): Promise<string> {
  const { text } = await server.send('/call/read', { project_id, id })
  const from = text.indexOf('"inputs":') + '"inputs":'.length
  return text.slice(from)
}

describe('large and deep', () => {
  test.each([
    ['arrays 10,000 deep', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['objects 10,000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['objects 201 deep with the request around them', `${'{"a":'.repeat(199)}1${'}'.repeat(199)}`],
  ])('%s are too large', async (_name, inputs) => {
    expect((await store(inputs)).status).toBe(413)
  })

  test('the deepest permitted document is returned unchanged', async () => {
    const inputs = `${'{"a":'.repeat(198)}1${'}'.repeat(198)}`
    const { status, id } = await store(inputs)
    expect(status).toBe(200)
    expect((await readInputs(id)).startsWith(inputs)).toBe(true)
  })

  test('a million keys are stored unchanged', async () => {
    const inputs = `{${Array.from({ length: 1_000_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`
    const { status, id } = await store(inputs)
    expect(status).toBe(200)
    expect((await readInputs(id)).startsWith(inputs)).toBe(true)
  })

  test('an array of ten million numbers is stored', async () => {
    const inputs = `{"a":[${'1,'.repeat(9_999_999)}1]}`
    expect((await store(inputs)).status).toBe(200)
  })

  test('an array of ten million numbers in a text field is rejected quickly', assertsDuration, async () => {
    const start = performance.now()
    const response = await server.send(
      '/call/start',
      `{"start":{"project_id":"${project_id}","op_name":[${'1,'.repeat(9_999_999)}1]}}`,
    )
    expect(response.status).toBe(422)
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  test('a batch of more than 100,000 items is too large', async () => {
    const response = await server.send('/call/upsert_batch', `{"batch":[${'{},'.repeat(100_000)}{}]}`)
    expect(response.status).toBe(413)
  })
})

describe('compressed bodies', () => {
  const bomb = Buffer.alloc(200 * MIB, ' ')
  const body = Buffer.from(JSON.stringify({ project_id, id: 'nothing' }))
  const codings: [string, (input: Buffer) => Buffer][] = [
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    [
      'br',
      (input) => zlib.brotliCompressSync(input, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
    ...('zstdCompressSync' in zlib
      ? [['zstd', zlib.zstdCompressSync as (input: Buffer) => Buffer] as [string, (input: Buffer) => Buffer]]
      : []),
  ]

  test.each(codings)('%s is decoded', async (coding, compress) => {
    const headers = { 'content-encoding': coding }
    expect((await server.send('/call/read', compress(body), { headers })).json).toEqual({ call: null })
  })

  test.each(codings)(
    'a %s bomb is too large, and is decompressed only up to the limit',
    async (coding, compress) => {
      const response = await server.send('/call/read', compress(bomb), {
        headers: { 'content-encoding': coding },
      })
      expect(response.status).toBe(413)
    },
  )

  test.each([...codings.map(([coding]) => coding), 'lzma', 'gzip, gzip', '\u00e9'])(
    'bytes that are not valid %s are rejected',
    async (coding) => {
      const response = await server.send('/call/read', body, { headers: { 'content-encoding': coding } })
      expect([response.status, response.json['code']]).toEqual([400, 'invalid_request'])
    },
  )

  test('a truncated gzip body is rejected', async () => {
    const response = await server.send('/call/read', zlib.gzipSync(body).subarray(0, -6), {
      headers: { 'content-encoding': 'gzip' },
    })
    expect(response.status).toBe(400)
  })
})

describe('unusual text', () => {
  const read = JSON.stringify({ project_id, id: 'nothing' })

  test.each([
    ['a byte order mark', 200, Buffer.from(`\ufeff${read}`)],
    ['UTF-16', 400, Buffer.from(`\ufeff${read}`, 'utf16le')],
    ['UTF-16 without a mark', 400, Buffer.from(read, 'utf16le')],
    [
      'bytes that are not UTF-8',
      400,
      Buffer.concat([Buffer.from(read.slice(0, -2)), Buffer.from([0xff, 0x22, 0x7d])]),
    ],
    [
      'repeated keys: the last counts',
      200,
      Buffer.from(`{"project_id":"x","project_id":"${project_id}","id":1,"id":"nothing"}`),
    ],
    ['a NUL after the end', 400, Buffer.from(`${read}\u0000`)],
    ['a second document', 400, Buffer.from(read + read)],
    ['NaN outside of a payload', 400, Buffer.from(`{"project_id":"${project_id}","id":NaN}`)],
    ['a comment', 400, Buffer.from(`/* hello */${read}`)],
    ['single quotes', 400, Buffer.from(read.replaceAll('"', "'"))],
  ])('%s: %i', async (_name, status, body) => {
    expect((await server.send('/call/read', body)).status).toBe(status)
  })

  test('the position of invalid UTF-8 is named, however the body is sent', async () => {
    const before = Buffer.from(`\ufeff{"project_id":"${project_id}","id":"日本🎉${'é'.repeat(100_000)}`)
    const broken = Buffer.concat([before, Buffer.from([0xe2, 0x82]), Buffer.from('"}')])
    // Chunks that begin and end inside of characters.
    const chunks = async function* () {
      for (let at = 0; at < broken.length; at += 33_331) yield broken.subarray(at, at + 33_331)
    }
    const bodies: RequestInit[] = [
      { body: broken },
      { body: ReadableStream.from(chunks()), duplex: 'half' },
      { body: zlib.gzipSync(broken), headers: { 'content-encoding': 'gzip' } },
    ]
    for (const sent of bodies) {
      const { status, json } = await server.send('/call/read', undefined, { method: 'POST', ...sent })
      const reason = `the body is not valid JSON: invalid UTF-8 at byte ${before.length}`
      expect([status, json['reason']]).toEqual([400, reason])
    }
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
    '',
    'a b;;c=',
  ])('the content type %j is ignored: the body is parsed as JSON', async (type) => {
    const response = await server.send('/call/read', read, { headers: { 'content-type': type } })
    expect(response.json).toEqual({ call: null })
  })

  test.each([
    '{"n":NaN,"i":[Infinity,-Infinity],"x":1.0}',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null}',
    '{"big":123456789012345678901234567890,"one":1.0,"neg":-0,"exp":1e400,"half":"\\ud800","nul":"\\u0000"}',
    '{"a":1,"a":2,"":3}',
    '{ "spaced" : [ 1 , 2 ] }',
  ])('%s is returned as it was sent', async (inputs) => {
    const { status, id } = await store(inputs)
    expect(status).toBe(200)
    expect((await readInputs(id)).startsWith(inputs.replace(/-?Infinity|NaN/g, 'null'))).toBe(true)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('hostile keys and values are returned as they were sent', async () => {
    const payload = JSON.stringify(
      Object.fromEntries(HOSTILE_STRINGS.map((text, i) => [`${text.slice(0, 300)} ${i}`, text])),
    )
    const { status, id } = await store(payload)
    expect(status).toBe(200)
    expect((await readInputs(id)).startsWith(payload)).toBe(true)
  })
})

/** Field names for `fields`, `columns`, `sort_by` and `$getField`: allow-listed, or bound as values. */
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'inputs.__proto__.x',
  'payload.constructor',
  'id; DROP TABLE calls',
  "id' OR '1'='1",
  'id`',
  'id--',
  'calls.id',
  'system.users',
  'inputs.a") OR 1=1 --',
  "inputs.a') UNION ALL SELECT 1 --",
  'payload.`x`',
  'payload.x::String',
  'feedback.[x].payload.a',
  '*',
  '',
  '.',
  '..',
  'inputs..a',
  'project_id',
  'inputs.' + 'a.'.repeat(500),
  'summary.weave.latency_ms',
  'a\u0000b',
]

const QUERIES = [
  '/calls/query',
  '/calls/stream_query',
  '/feedback/query',
  '/cost/query',
  '/objs/query',
] as const

const shares = new Shares(4)

describe('field names in queries', () => {
  /** Without the large calls of the tests above. */
  const project_id = 'acme/small'

  test.each(QUERIES)(
    '%s returns 4xx or 200 for each name at every position of a field name',
    async (path) => {
      const failures: unknown[] = []
      for (const name of shares.next(NAMES)) {
        const bodies = [
          { fields: [name] },
          { columns: [name] },
          { expand_columns: [name] },
          { sort_by: [{ field: name, direction: 'asc' }] },
          { query: { $expr: { $eq: [{ $getField: name }, { $literal: 'x' }] } } },
          {
            query: {
              $expr: { $gt: [{ $convert: { input: { $getField: name }, to: 'double' } }, { $literal: 1 }] },
            },
          },
          { query: { $expr: { [name]: [{ $literal: 1 }, { $literal: 1 }] } } },
        ]
        for (const body of bodies) {
          const response = await server.send(path, { project_id, limit: 1, ...body })
          if (response.status >= 500) failures.push([name, body, response.status, response.text])
        }
      }
      expect(failures).toEqual([])
    },
  )

  test.each([
    ['always true', { $expr: { $eq: [{ $literal: 1 }, { $literal: 1 }] } }],
    [
      'or',
      {
        $expr: {
          $or: [
            { $eq: [{ $literal: 1 }, { $literal: 1 }] },
            { $eq: [{ $getField: 'id' }, { $literal: '' }] },
          ],
        },
      },
    ],
    ['not', { $expr: { $not: [{ $eq: [{ $literal: 1 }, { $literal: 2 }] }] } }],
    [
      'another project by name',
      { $expr: { $eq: [{ $getField: 'project_id' }, { $literal: 'other/canary' }] } },
    ],
  ])('a query that is %s returns nothing of another project', async (_name, query) => {
    const other = 'other/canary'
    await server.post('/call/start', {
      start: { project_id: other, op_name: 'canary-4711', inputs: { a: 'canary-4711' } },
    })
    await server.post('/cost/create', {
      project_id: other,
      costs: { 'canary-4711': { prompt_token_cost: 1, completion_token_cost: 1 } },
    })
    await server.post('/feedback/create', {
      project_id: other,
      weave_ref: `weave:///${other}/call/x`,
      feedback_type: 'canary-4711',
      payload: { a: 'canary-4711' },
    })
    for (const path of ['/calls/query', '/calls/stream_query', '/feedback/query', '/cost/query']) {
      const response = await server.send(path, { project_id, query, limit: 1000 })
      expect([path, response.status < 500, response.text.includes('canary-4711')]).toEqual([
        path,
        true,
        false,
      ])
    }
  })

  test.each(['/calls/query', '/calls/query_stats', '/feedback/query', '/cost/query'])(
    '%s returns 4xx or 200 for very large expressions',
    async (path) => {
      const equal = { $eq: [{ $getField: 'id' }, { $literal: 'x' }] }
      const deep = (levels: number): string =>
        `${'{"$and":['.repeat(levels)}${JSON.stringify(equal)}${']}'.repeat(levels)}`
      const bodies = [
        `{"$expr":${deep(90)}}`,
        `{"$expr":${deep(500)}}`,
        JSON.stringify({ $expr: { $or: Array.from({ length: 10_000 }, () => equal) } }),
        JSON.stringify({
          $expr: {
            $in: [{ $getField: 'id' }, Array.from({ length: 10_000 }, (_, i) => ({ $literal: `id${i}` }))],
          },
        }),
        JSON.stringify({
          $expr: { $contains: { input: { $getField: 'id' }, substr: { $literal: '%_\\'.repeat(1_000) } } },
        }),
        '{"$expr":{"$eq":[{"$getField":"id"},{"$literal":"\\ud800"}]}}',
        '{"$expr":{"$eq":[{"$getField":"inputs.\\ud800"},{"$literal":1e400}]}}',
      ]
      for (const query of bodies) {
        const response = await server.send(path, `{"project_id":"${project_id}","limit":1,"query":${query}}`)
        expect([query.slice(0, 60), response.status < 500, response.text.slice(0, 200)]).toEqual([
          query.slice(0, 60),
          true,
          expect.any(String),
        ])
      }
    },
  )

  test('filters of 10,000 ids get 200 or 400', async () => {
    const call_ids = Array.from({ length: 10_000 }, (_, i) => `id-${i}`)
    for (const filter of [
      { call_ids },
      { trace_ids: call_ids },
      { op_names: call_ids },
      { parent_ids: call_ids },
    ]) {
      expect([200, 400]).toContain((await server.send('/calls/query_stats', { project_id, filter })).status)
    }
  })
})

describe('clients that misbehave', () => {
  test('an incomplete body holds no memory after the client has disconnected', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /call/read HTTP/1.1\r\nhost: x\r\nauthorization: ${server.authorization}\r\ncontent-length: ${MIB}\r\n\r\n{"a":`,
    )
    // Not the announced length.
    await waitBriefly(async () => (await inFlightBytes(server)) === '{"a":'.length)
    socket.destroy()
    await waitBriefly(async () => (await inFlightBytes(server)) === 0)
  })

  test('an endless chunked body holds its bytes, and none after the client has disconnected', async () => {
    const request = httpRequest(`${server.url}/call/read`, {
      method: 'POST',
      headers: { authorization: server.authorization },
    })
    request.on('error', () => {})
    request.write(Buffer.alloc(100_000, ' '))
    await waitBriefly(async () => (await inFlightBytes(server)) >= 100_000)
    request.destroy()
    await waitBriefly(async () => (await inFlightBytes(server)) === 0)
  })

  test('beyond its share of memory a caller waits until its other request has released some', async () => {
    const small = await startTestServer({ inFlightLimitBytes: 1_000_000, memoryWaitMs: 30_000 })
    const holder = connect(Number(new URL(small.url).port), '127.0.0.1')
    try {
      const body = JSON.stringify({ project_id, id: 'nothing', padding: 'x'.repeat(900_000) })
      await once(holder, 'connect')
      holder.write(
        `POST /call/read HTTP/1.1\r\nhost: x\r\nauthorization: ${small.authorization}\r\ncontent-length: 900000\r\n\r\n${' '.repeat(700_000)}`,
      )
      // More than half of the budget, so this request is the one that may exceed the share of its caller.
      await waitBriefly(async () => (await inFlightBytes(small)) === 700_000)
      const waiting = small.send('/call/read', body)
      await waitBriefly(async () =>
        (await (await fetch(`${small.url}/metrics`)).text()).includes('waiting_requests 1\n'),
      )
      holder.destroy()
      expect((await waiting).status).toBe(200)
      await waitBriefly(async () => (await inFlightBytes(small)) === 0)
    } finally {
      holder.destroy()
      await small.stop()
    }
  })

  test('a hundred pipelined requests on one connection get responses in order', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    for (let i = 0; i < 100; i++)
      socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\nx-request-id: n${i}\r\n\r\n`)
    await waitBriefly(async () => text.split('{"status":"ok"}').length === 101)
    expect([...text.matchAll(/x-request-id: (n\d+)/g)].map((match) => match[1])).toEqual(
      Array.from({ length: 100 }, (_, i) => `n${i}`),
    )
    socket.destroy()
  })
})

const waitBriefly = (isTrue: () => Promise<boolean>): Promise<void> => waitUntil(isTrue, 5_000)

async function inFlightBytes(target: { url: string }): Promise<number> {
  const text = await (await fetch(`${target.url}/metrics`)).text()
  return Number(/^heddle_http_in_flight_bytes (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
}
