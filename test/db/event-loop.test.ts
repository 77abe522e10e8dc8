import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assertsDuration } from '../duration.ts'
import { basic, testSettings } from '../harness.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'

/**
 * No request keeps the main thread busy for more than 50 ms at a time. Measured in CPU time (test/event-loop-probe.ts):
 * first the largest requests, then those that the main thread executes just about itself.
 */

const MAX_BLOCK_MS = 50
const KIB = 1024
const MIB = 1024 * KIB
const PROJECT = 'acme/loop'
const API_KEY = 'hd_the-key-of-the-event-loop-test-000000000000'

const directory = mkdtempSync(join(tmpdir(), 'heddle-loop-'))
const probeFile = join(directory, 'probe')
let server: ServerProcess

beforeAll(async () => {
  const settings = testSettings()
  writeFileSync(probeFile, '')
  server = await startServerProcess({
    data: directory,
    adminPassword: 'unused-password',
    apiKey: API_KEY,
    clickhouseUrl: settings.clickhouseUrl ?? '',
    environment: {
      HEDDLE_CLICKHOUSE_USER: settings.clickhouseUser,
      HEDDLE_CLICKHOUSE_PASSWORD: settings.clickhousePassword,
      HEDDLE_CLICKHOUSE_DATABASE: settings.clickhouseDatabase,
      EVENT_LOOP_PROBE_FILE: probeFile,
    },
    command: [process.execPath, '--import', 'tsx', '--import', './test/event-loop-probe.ts', 'src/main.ts'],
  })
})

afterAll(async () => {
  await server.stop()
  rmSync(directory, { recursive: true })
})

interface Request {
  readonly path: string
  readonly body: unknown
  readonly headers?: Record<string, string>
}

async function send({ path, body, headers = {} }: Request): Promise<Response> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: basic('api', API_KEY), ...headers },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

async function post<T>(path: string, body: unknown): Promise<T> {
  return (await (await send({ path, body })).json()) as T
}

/** The first runs compile code, and what the host takes from a virtual machine counts as CPU time of the thread. */
const MAX_RUNS = 6

/** The longest turn of the event loop during a request, in the first run that is within the limit or else the best. */
async function longestTurn(request: Request): Promise<number> {
  let best = Infinity
  for (let n = 0; n < MAX_RUNS && best >= MAX_BLOCK_MS; n++) {
    const before = readFileSync(probeFile, 'latin1').length
    await (await send(request)).arrayBuffer()
    await sleep(50)
    const turns = readFileSync(probeFile, 'latin1').slice(before).split('\n').map(Number)
    best = Math.min(best, Math.max(0, ...turns))
  }
  return best
}

const start = (id: string, inputs: object) => ({
  project_id: PROJECT,
  id,
  trace_id: 't',
  op_name: 'o',
  inputs,
})
const members = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`k${n}`, { a: [1, 2.5, 'text'], b: { c: 'd' } }]),
  )
const starts = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    mode: 'start',
    req: { start: { project_id: PROJECT, trace_id: 't', op_name: 'o', inputs: { n } } },
  }))
const object = (object_id: string, val: unknown) => ({ obj: { project_id: PROJECT, object_id, val } })
const comparisons = (count: number) => ({
  $or: Array.from({ length: count }, (_, n) => ({ $eq: [{ $getField: `inputs.k${n}` }, { $literal: n }] })),
})

describe.skipIf(!existsSync('/proc/self/schedstat'))('the main thread is not blocked', () => {
  let ref = ''

  beforeAll(async () => {
    const { digest } = await post<{ digest: string }>(
      '/obj/create',
      object('five', { k: 'A'.repeat(5 * MIB) }),
    )
    ref = `weave:///${PROJECT}/object/five:${digest}`
    const refs = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`a${n}`, ref]))
    await post('/call/start', { start: start('refs', refs) })
    await post('/call/start', { start: start('large', { text: 'A'.repeat(20 * MIB) }) })
    await post('/call/upsert_batch', { batch: starts(400) })
  })

  const largest: [string, () => Request][] = [
    [
      'a payload of many values',
      () => ({ path: '/call/start', body: { start: start('c', members(200_000)) } }),
    ],
    ['a batch of 10,000 calls', () => ({ path: '/call/upsert_batch', body: { batch: starts(10_000) } })],
    ['a large object', () => ({ path: '/obj/create', body: object('large', members(50_000)) })],
    [
      'a table of 50,000 rows',
      () => ({
        path: '/table/create',
        body: { table: { project_id: PROJECT, rows: Array.from({ length: 50_000 }, (_, n) => ({ n })) } },
      }),
    ],
    [
      'reading a payload of 20 MiB',
      () => ({ path: '/call/read', body: { project_id: PROJECT, id: 'large' } }),
    ],
    ['streaming all calls', () => ({ path: '/calls/stream_query', body: { project_id: PROJECT } })],
    [
      'expanding 20 refs to 5 MiB',
      () => ({
        path: '/calls/stream_query',
        body: {
          project_id: PROJECT,
          filter: { call_ids: ['refs'] },
          expand_columns: Array.from({ length: 20 }, (_, n) => `inputs.a${n}`),
        },
      }),
    ],
    [
      '20 refs to 5 MiB',
      () => ({ path: '/refs/read_batch', body: { refs: Array.from({ length: 20 }, () => ref) } }),
    ],
    [
      'a query of 300 comparisons',
      () => ({
        path: '/calls/query_stats',
        body: { project_id: PROJECT, filter: { call_ids: ['refs'] }, query: { $expr: comparisons(300) } },
      }),
    ],
    [
      'a body of 60 MiB',
      () => ({ path: '/call/start', body: { start: start('a', { x: 'A'.repeat(60 * MIB) }) } }),
    ],
    [
      'a body of 60 MiB, compressed',
      () => ({
        path: '/call/start',
        body: gzipSync(JSON.stringify({ start: start('b', { x: 'A'.repeat(60 * MIB) }) }), { level: 1 }),
        headers: { 'content-encoding': 'gzip' },
      }),
    ],
  ]

  test.each(largest)('by %s', assertsDuration, async (_name, request) => {
    expect(await longestTurn(request())).toBeLessThan(MAX_BLOCK_MS)
  })

  const medium: [string, () => Request][] = [
    ['a text', () => ({ path: '/call/start', body: { start: start('d', { x: 'A'.repeat(390 * KIB) }) } })],
    ['many values', () => ({ path: '/call/start', body: { start: start('e', members(8_500)) } })],
    ['a batch', () => ({ path: '/call/upsert_batch', body: { batch: starts(500) } })],
    ['an object', () => ({ path: '/obj/create', body: object('medium', members(2_900)) })],
    [
      'a page of calls',
      () => ({ path: '/calls/query', body: { project_id: PROJECT, limit: 300, columns: ['id'] } }),
    ],
    [
      'a query',
      () => ({
        path: '/calls/query_stats',
        body: { project_id: PROJECT, filter: { call_ids: ['refs'] }, query: { $expr: comparisons(120) } },
      }),
    ],
  ]

  test.each(medium)('by %s that is just not large', assertsDuration, async (_name, request) => {
    expect(await longestTurn(request())).toBeLessThan(MAX_BLOCK_MS)
  })
})
