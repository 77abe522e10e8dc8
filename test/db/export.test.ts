import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { contentDigest } from '../../src/core/objects/digest.ts'
import { revokeRole } from '../../src/service/access/projects.ts'
import { compile, identifier, sql } from '../../src/store/query/sql.ts'
import { useServer } from '../harness.ts'

/** What leaves a project is what its readers see, in every format, whole or in pieces. */
const server = useServer()
const project_id = 'acme/demo'

const at = (second: number): string => new Date(Date.UTC(2026, 0, 31, 23, 0, second)).toISOString()

function pathOf(query: Record<string, unknown>, project = project_id, more = ''): string {
  const fields = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    fields.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  return `/api/v1/projects/${project}/export${more}?${fields.toString()}`
}

async function take(query: Record<string, unknown>) {
  const answer = await server.send(pathOf(query))
  expect([query, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([query, 200, ''])
  return answer
}

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1)
const lines = async (query: Record<string, unknown>): Promise<string[]> => linesOf((await take(query)).text)

type Row = Record<string, unknown>

async function parquet(query: Record<string, unknown>): Promise<{ rows: Row[]; headers: Headers }> {
  const answer = await fetch(server.url + pathOf({ ...query, format: 'parquet' }), {
    headers: { authorization: server.authorization },
  })
  const file = Buffer.from(await answer.arrayBuffer())
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.apache.parquet'])
  expect(file.subarray(-4).toString()).toBe('PAR1')
  return { rows: await readBack(file, SCHEMAS[query['what'] as string] ?? ''), headers: answer.headers }
}

/** docs/export.md has the same. */
const text = (...names: string[]): string => names.map((name) => `${name} String`).join(', ')
const maybe = (...names: string[]): string => names.map((name) => `${name} Nullable(String)`).join(', ')
const SCHEMAS: Record<string, string> = {
  calls: [
    text('id', 'project_id', 'op_name'),
    maybe('display_name'),
    text('trace_id'),
    maybe('parent_id', 'thread_id', 'turn_id'),
    `started_at DateTime64(6, 'UTC'), ended_at Nullable(DateTime64(6, 'UTC'))`,
    `status String, latency_ms Nullable(Int64)`,
    text('attributes', 'inputs'),
    maybe('output', 'exception', 'summary', 'wb_user_id', 'wb_run_id'),
    `wb_run_step Nullable(UInt64), wb_run_step_end Nullable(UInt64)`,
    maybe('otel_dump'),
  ].join(', '),
  tables: `digest String, row_count UInt32, original_index UInt32, row_digest Nullable(String), val Nullable(String), created_at DateTime64(6, 'UTC')`,
}

async function readBack(file: Buffer, schema: string): Promise<Row[]> {
  const { db } = server.heddle.deps
  const table = `parquet_${Math.random().toString(36).slice(2)}`
  await db.ddl(`CREATE TABLE ${table} (${schema}) ENGINE = MergeTree ORDER BY tuple()`)
  const url = new URL(process.env['HEDDLE_TEST_CLICKHOUSE_URL'] ?? '')
  url.searchParams.set('database', db.name)
  // A column more or less than the schema says is refused.
  url.searchParams.set('input_format_parquet_allow_missing_columns', '0')
  url.searchParams.set('input_format_skip_unknown_fields', '0')
  url.searchParams.set('query', `INSERT INTO ${table} FORMAT Parquet`)
  const user = process.env['HEDDLE_TEST_CLICKHOUSE_USER'] ?? ''
  const key = process.env['HEDDLE_TEST_CLICKHOUSE_PASSWORD'] ?? ''
  const stored = await fetch(url, {
    method: 'POST',
    headers: { 'x-clickhouse-user': user, 'x-clickhouse-key': key },
    body: new Uint8Array(file),
  })
  expect([stored.status, await stored.text()]).toEqual([200, ''])
  return db.rows<Row>(sql`SELECT * FROM ${identifier(table)}`, { name: 'test', kind: 'scan' })
}

/** Statements say of themselves what they are. */
const OURS = sql`(Settings['log_comment'] LIKE 'export %' OR Settings['log_comment'] = 'calls')`

async function runningExports(): Promise<number> {
  const { db } = server.heddle.deps
  const found = await db.first<{ n: string }>(
    sql`SELECT count() AS n FROM system.processes WHERE ${OURS} AND current_database = ${db.name}`,
    { name: 'test', kind: 'point' },
  )
  return Number(found?.n)
}

/** Payloads that must leave as they came: spelling, order of keys, line ends between tokens. */
const ODD = '{"b":1.0,"a":12345678901234567890,"e":1E+2,"u":"\\u00e9\u2028"}'
const PRETTY = '{\n  "a": [1,\r\n 2]\n}'
const NASTY = [`=cmd|' /C calc'!A0`, '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'a"b,c\nd', '']

beforeAll(async () => {
  const start = (id: string, second: number, inputs = '{}'): string =>
    `{"project_id":"${project_id}","id":"${id}","trace_id":"t-${id}","op_name":"op","started_at":"${at(second)}","attributes":{},"inputs":${inputs}}`
  const end = (id: string): string =>
    `{"project_id":"${project_id}","id":"${id}","ended_at":"${at(3_600)}","output":{"id":"${id}"},"summary":{"mine":1}}`
  const batch = (items: string[]): string => `{"batch":[${items.join(',')}]}`
  const starts = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, i) => {
      const n = from + i
      return `{"mode":"start","req":{"start":${start(`c${String(n).padStart(3, '0')}`, n)}}}`
    })
  await server.post('/call/upsert_batch', batch(starts(0, 60)))
  await server.post('/call/upsert_batch', batch(starts(10, 30)))
  const ends = Array.from(
    { length: 40 },
    (_, n) => `{"mode":"end","req":{"end":${end(`c${String(n).padStart(3, '0')}`)}}}`,
  )
  await server.post('/call/upsert_batch', batch([...ends, ...ends.slice(0, 10)]))
  const whole = (id: string, second: number, output: string, inputs = output): string =>
    `${start(id, second, inputs).slice(0, -1)},"ended_at":"${at(second + 1)}","output":${output},"exception":${id === 'failed' ? '"=E"' : 'null'},"summary":{"status_counts":{"error":${id === 'odd' ? 1 : 0}}}}`
  // Across the end of a month, which is another partition, and at one and the same time.
  await server.post(
    `/v2/${project_id}/calls/complete`,
    batch([
      whole('odd', 4_000, ODD),
      whole('pretty', 4_000, PRETTY),
      whole('failed', 4_001, '-1', '{}'),
      whole('a,b', 4_001, '"x"', '{}'),
    ]),
  )
  await server.post('/call/update', { project_id, call_id: 'c001', display_name: '=renamed' })
  await server.post('/calls/delete', { project_id, call_ids: ['c005', 'c050'] })
  await server.post('/calls/delete', { project_id, call_ids: ['c007'] })
  for (const note of NASTY)
    await server.post('/feedback/create', {
      project_id,
      weave_ref: `weave:///${project_id}/call/c001`,
      feedback_type: 'custom',
      payload: { note },
      creator: note,
    })
  const publish = async (object_id: string, val: unknown): Promise<string> =>
    (
      await server.post<{ digest: string }>('/obj/create', {
        obj: { project_id, object_id, val },
      })
    ).digest
  await publish('model', { v: 1 })
  const second = await publish('model', { v: 2 })
  await publish('model', { v: 3 })
  await server.post('/obj/delete', { project_id, object_id: 'model', digests: ['v2'] })
  await publish('other', { x: `=1+1` })
  await server.heddle.deps.db.insert('object_labels', [
    {
      project_id,
      object_id: 'model',
      kind: 'tag',
      label: 'good',
      tagged: second,
      digest: second,
      created_at: '2036-01-01T00:00:00.000000Z',
    },
  ])
  await server.post('/table/create', { table: { project_id, rows: [{ a: 1 }, { a: 2 }, { a: 1 }] } })
  await server.post('/table/create', { table: { project_id, rows: [] } })
  const form = new FormData()
  form.append('project_id', project_id)
  form.append('file', new Blob([new Uint8Array(600_000).fill(255)]), 'big')
  await server.send('/files/create', undefined, { method: 'POST', body: form })
  // Somebody else's, with the same ids.
  await server.post('/call/start', {
    start: { project_id: 'other/one', id: 'c002', op_name: 'theirs', started_at: at(2) },
  })
})

const shownCalls = async (request: object = {}): Promise<string[]> =>
  linesOf((await server.send('/calls/stream_query', { project_id, ...request })).text)

interface Call extends Row {
  readonly id: string
  readonly started_at: string
}

const parse = (line: string): Call => JSON.parse(line) as Call

describe('calls', () => {
  test('as JSONL they are the lines of calls/stream_query: each once, without the deleted', async () => {
    const exported = await lines({ what: 'calls' })
    expect(exported.map(parse)).toEqual((await shownCalls()).map(parse))
    expect(exported).toHaveLength(60 - 3 + 4)
    expect(new Set(exported.map((line) => parse(line).id)).size).toBe(exported.length)
  })

  test('payloads leave byte for byte; only line ends between tokens become spaces', async () => {
    const [odd, pretty] = (await lines({ what: 'calls', filter: { call_ids: ['odd', 'pretty'] } })).toSorted()
    expect(odd).toContain(`"inputs":${ODD}`)
    expect(odd).toContain(`"output":${ODD}`)
    expect(pretty).toContain(`"inputs":${PRETTY.replaceAll(/[\r\n]/g, ' ')}`)
  })

  test('filter and query choose what they choose in calls/stream_query', async () => {
    const filter = { op_names: ['op'], trace_ids: ['t-c001', 't-c005', 't-c041'] }
    const query = { $expr: { $eq: [{ $getField: 'ended_at' }, { $literal: null }] } }
    const ids = async (asked: object) => (await lines({ what: 'calls', ...asked })).map((l) => parse(l).id)
    expect(await ids({ filter })).toEqual(['c001', 'c041'])
    expect(await ids({ filter, query })).toEqual(['c041'])
    const running = (await shownCalls({ query })).map((line) => parse(line).id)
    expect(await ids({ query })).toEqual(running)
    expect(running).toHaveLength(19)
  })

  test('Parquet holds the same calls, payloads as JSON text and times as timestamps', async () => {
    const shown = (await shownCalls()).map(parse)
    const { rows } = await parquet({ what: 'calls' })
    expect(rows.map((row) => row['id'])).toEqual(shown.map((call) => call.id))
    for (const [i, row] of rows.entries()) {
      const call = shown[i]!
      const weave = (call['summary'] as { weave: Row }).weave
      for (const name of ['project_id', 'op_name', 'display_name', 'trace_id', 'parent_id', 'wb_user_id'])
        expect([name, row[name]]).toEqual([name, call[name]])
      for (const name of ['started_at', 'ended_at', 'exception'])
        expect([name, row[name]]).toEqual([name, call[name]])
      expect(row['status']).toBe(weave['status'])
      expect(row['latency_ms'] === null ? undefined : Number(row['latency_ms'])).toBe(weave['latency_ms'])
    }
    const odd = rows.find((row) => row['id'] === 'odd')!
    expect([odd['inputs'], odd['output'], odd['status']]).toEqual([ODD, ODD, 'descendant_error'])
    expect(rows.find((row) => row['id'] === 'pretty')?.['inputs']).toBe(PRETTY)
    const running = rows.find((row) => row['id'] === 'c045')!
    expect([running['output'], running['summary'], running['status']]).toEqual([null, null, 'running'])
    expect(rows.find((row) => row['id'] === 'c001')?.['summary']).toBe('{"mine":1}')
  })

  test('CSV has the columns of Parquet, and no cell that a spreadsheet would run', async () => {
    const { text: csv, headers } = await take({ what: 'calls', format: 'csv' })
    expect(headers.get('content-type')).toContain('text/csv')
    const rows = parseCsv(csv)
    expect(rows[0]?.slice(0, 4)).toEqual(['id', 'project_id', 'op_name', 'display_name'])
    expect(rows).toHaveLength(1 + 61)
    const cell = (id: string, name: string) => rows.find((row) => row[0] === id)?.[rows[0]!.indexOf(name)]
    expect(cell('c001', 'display_name')).toBe("'=renamed")
    expect(cell('failed', 'exception')).toBe("'=E")
    expect(cell('failed', 'output')).toBe("'-1")
    expect(cell('odd', 'inputs')).toBe(ODD)
    expect(cell('pretty', 'inputs')).toBe(PRETTY)
    expect(cell('c002', 'display_name')).toBe('')
    for (const row of rows) for (const each of row) expect(each).not.toMatch(/^[=+\-@\t\r]/)
  })

  test('only the columns that were asked for, and the key; an unknown one is named', async () => {
    const [first] = await lines({ what: 'calls', columns: 'inputs', limit: '1' })
    expect(Object.keys(parse(first!))).toEqual(['id', 'started_at', 'inputs'])
    const csv = (await take({ what: 'calls', format: 'csv', columns: 'status', limit: '1' })).text
    expect(linesOf(csv)[0]).toBe('"id","started_at","status"')
    const answer = await server.send(pathOf({ what: 'calls', format: 'csv', columns: 'id,secret' }))
    expect([answer.status, answer.json['reason']]).toEqual([
      422,
      expect.stringContaining('no column "secret"; there are id, '),
    ])
  })
})

/** A reader of its own: quotes around cells, doubled inside. */
function parseCsv(csv: string): string[][] {
  const rows: string[][] = [[]]
  let at = 0
  while (at < csv.length) {
    let cell = ''
    if (csv[at] === '"') {
      for (at++; csv[at] !== '"' || csv[at + 1] === '"'; at++) {
        cell += csv[at]
        if (csv[at] === '"') at++
      }
      at++
    } else {
      while (csv[at] !== ',' && csv[at] !== '\n') cell += csv[at++]
    }
    rows.at(-1)!.push(cell)
    if (csv[at++] === '\n') rows.push([])
  }
  return rows.slice(0, -1)
}

describe('the other nouns', () => {
  test('feedback is what feedback/query shows, with nasty text kept and guarded', async () => {
    const { result } = await server.post<{ result: Row[] }>('/feedback/query', { project_id })
    const exported = (await lines({ what: 'feedback' })).map(parse)
    expect(exported).toEqual(result)
    expect(exported.map((row) => row['creator'])).toEqual(NASTY)
    const rows = parseCsv((await take({ what: 'feedback', format: 'csv', columns: 'creator' })).text)
    const guarded = NASTY.map((note) => (/^[=+\-@\t\r]/.test(note) ? `'${note}` : note))
    expect(rows.slice(1).map((row) => row[rows[0]!.indexOf('creator')])).toEqual(guarded)
    const query = { $expr: { $eq: [{ $getField: 'payload.note' }, { $literal: '+1' }] } }
    expect(await lines({ what: 'feedback', query })).toHaveLength(1)
  })

  test('objects are what objs/query shows, with tags and aliases', async () => {
    const { objs } = await server.post<{ objs: Row[] }>('/objs/query', {
      project_id,
      include_tags_and_aliases: true,
      include_storage_size: true,
    })
    const exported = (await lines({ what: 'objects' })).map(parse)
    expect(exported).toEqual(objs)
    expect(
      exported.map((row) => [row['object_id'], row['version_index'], row['tags'], row['aliases']]),
    ).toEqual([
      ['model', 0, [], []],
      ['model', 1, ['good'], ['latest']],
      ['other', 0, [], ['latest']],
    ])
    const latest = await lines({ what: 'objects', filter: { latest_only: true, object_ids: ['model'] } })
    expect(latest.map((line) => parse(line)['val'])).toEqual([{ v: 2 }])
  })

  test('tables are their rows in order, also twice the same; an empty one is there too', async () => {
    const exported = (await lines({ what: 'tables' })).map(parse)
    const full = exported.filter((row) => row['row_count'] === 3)
    expect(full.map((row) => [row['original_index'], row['val']])).toEqual([
      [0, { a: 1 }],
      [1, { a: 2 }],
      [2, { a: 1 }],
    ])
    expect(exported.filter((row) => row['row_count'] === 0)).toMatchObject([
      { original_index: 0, row_digest: null, val: null },
    ])
    expect((await parquet({ what: 'tables' })).rows).toHaveLength(4)
    const digest = full[0]?.['digest']
    expect(await lines({ what: 'tables', filter: { digests: [digest] } })).toHaveLength(3)
  })

  test('files are their pieces, whose bytes together are the file', async () => {
    const pieces = (await lines({ what: 'files' })).map(parse)
    expect(pieces.map((piece) => [piece['chunk'], piece['chunks']])).toEqual([
      [0, 2],
      [1, 2],
    ])
    const content = Buffer.concat(pieces.map((piece) => Buffer.from(piece['base64'] as string, 'base64')))
    expect(contentDigest(content)).toBe(pieces[0]?.['digest'])
  })
})

describe('resuming', () => {
  const keys: Record<string, string[]> = {
    calls: ['started_at', 'id'],
    feedback: ['created_at', 'id'],
    objects: ['created_at', 'object_id', 'digest'],
    tables: ['digest', 'original_index'],
    files: ['digest', 'chunk'],
  }

  test.each(Object.keys(keys))('%s go on after any row, told by the row itself', async (what) => {
    const whole = await lines({ what })
    for (const [i, line] of whole.entries()) {
      const row = parse(line)
      const after = keys[what]!.map((name) => String(row[name])).join(',')
      expect(await lines({ what, after })).toEqual(whole.slice(i + 1))
    }
  })

  test.each(Object.keys(keys))(
    '%s in pieces are the whole; each says where the next begins',
    async (what) => {
      const whole = await lines({ what })
      for (const format of ['jsonl', 'parquet'] as const) {
        let count = 0
        let after: string | undefined
        for (let n = 0; n <= whole.length; n++) {
          const query = { what, limit: '7', format, ...(after === undefined ? {} : { after }) }
          const { headers, text: piece } = await take(query)
          const rows = Number(headers.get('x-export-rows'))
          if (format === 'jsonl') expect(linesOf(piece)).toEqual(whole.slice(count, count + rows))
          count += rows
          const next = headers.get('x-export-next')
          if (next === null || rows < 7) break
          after = decodeURIComponent(next)
        }
        expect([format, count]).toEqual([format, whole.length])
      }
    },
  )

  test('after the last row there is nothing: no line, a header, or a file without rows', async () => {
    const after = `${at(9_999)},z`
    const { text: none, headers } = await take({ what: 'calls', after, limit: '7' })
    expect([none, headers.get('x-export-rows'), headers.get('x-export-next')]).toEqual(['', '0', null])
    expect(linesOf((await take({ what: 'calls', after, format: 'csv', limit: '7' })).text)).toHaveLength(1)
    expect((await parquet({ what: 'calls', after, limit: '7' })).rows).toEqual([])
    expect((await parquet({ what: 'calls', after })).rows).toEqual([])
  })

  test('what comes in between is neither lost nor told twice', async () => {
    const query = { what: 'calls', limit: '10' }
    const first = await take(query)
    const after = decodeURIComponent(first.headers.get('x-export-next') ?? '')
    await server.post('/call/start', { start: { project_id, id: 'late', op_name: 'op', started_at: at(30) } })
    const rest = await lines({ what: 'calls', after })
    const ids = [...linesOf(first.text), ...rest].map((line) => parse(line).id)
    expect(ids.filter((id) => id === 'late')).toHaveLength(1)
    expect(new Set(ids).size).toBe(ids.length)
    await server.post('/calls/delete', { project_id, call_ids: ['late'] })
  })

  test('the count is known before', async () => {
    for (const what of Object.keys(keys)) {
      const answer = await server.send(pathOf({ what }, project_id, '/count'))
      expect([what, answer.json]).toEqual([what, { count: (await lines({ what })).length }])
    }
    const rest = await server.send(pathOf({ what: 'calls', after: `${at(58)},z` }, project_id, '/count'))
    expect(rest.json).toEqual({ count: 5 })
  })
})

describe('refusals', () => {
  test('what is wrong is named', async () => {
    const cases: [Row, number, RegExp][] = [
      [{}, 422, /what/],
      [{ what: 'secrets' }, 422, /what/],
      [{ what: 'calls', format: 'xlsx' }, 422, /format/],
      [{ what: 'calls', filter: '{' }, 422, /filter: must be a JSON object/],
      [{ what: 'calls', filter: '[]' }, 422, /filter/],
      [{ what: 'calls', filter: { trace_ids: 'x' } }, 422, /filter\.trace_ids/],
      [{ what: 'calls', query: '{' }, 400, /JSON/],
      [{ what: 'calls', query: { $expr: { $eq: [] } } }, 400, /./],
      [{ what: 'calls', after: 'yesterday' }, 422, /after: must be started_at,id of the last row/],
      [{ what: 'calls', limit: '0' }, 422, /limit/],
      [{ what: 'calls', limit: 'many' }, 422, /limit/],
      [{ what: 'feedback', filter: {} }, 422, /narrowed by a query/],
      [{ what: 'objects', query: {} }, 422, /narrowed by a filter/],
      [{ what: 'files', query: {} }, 422, /narrowed by a filter/],
    ]
    for (const [query, status, reason] of cases) {
      const answer = await server.send(pathOf(query))
      expect([query, answer.status, answer.json['reason']]).toEqual([
        query,
        expect.toBeOneOf([status, 400, 422]),
        expect.stringMatching(reason),
      ])
    }
  })

  test('nobody takes out what he may not read, and nothing of another project comes along', async () => {
    const stranger = await server.user('stranger', { 'other/one': 'read' })
    expect((await server.as(stranger)(pathOf({ what: 'calls' }))).status).toBe(403)
    expect((await server.as('')(pathOf({ what: 'calls' }))).status).toBe(401)
    const theirs = linesOf((await server.as(stranger)(pathOf({ what: 'calls' }, 'other/one'))).text)
    expect(theirs.map((line) => parse(line).op_name)).toEqual(['theirs'])
    const always = { $expr: { $eq: [{ $literal: 1 }, { $literal: 1 }] } }
    for (const format of ['jsonl', 'csv'])
      expect((await take({ what: 'calls', query: always, format })).text).not.toContain('theirs')
  })

  test('HEAD answers the headers and takes nothing out', async () => {
    const answer = await server.send(pathOf({ what: 'calls', format: 'parquet' }), undefined, {
      method: 'HEAD',
    })
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      200,
      'application/vnd.apache.parquet',
      '',
    ])
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="acme-demo-calls.parquet"')
  })
})

describe('streams', () => {
  const big = 'acme/big'
  const opened: IncomingMessage[] = []
  const open = async (query: Row, authorization = server.authorization): Promise<IncomingMessage> => {
    const request = get(server.url + pathOf(query, big), { headers: { authorization } })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    opened.push(answer)
    return answer
  }
  // A test that failed must not leave a server that waits for its reader.
  afterEach(() => {
    for (const answer of opened.splice(0)) answer.destroy()
  })

  beforeAll(async () => {
    const noise = (): string => randomBytes(18_000).toString('base64')
    for (let n = 0; n < 20; n++) {
      const batch = Array.from({ length: 100 }, (_, i) => ({
        project_id: big,
        id: `b${n * 100 + i}`,
        trace_id: 't',
        op_name: 'op',
        started_at: at(n * 100 + i),
        ended_at: at(n * 100 + i),
        inputs: { noise: noise() },
        summary: {},
      }))
      await server.post(`/v2/${big}/calls/complete`, { batch })
    }
  }, 120_000)

  test.each(['jsonl', 'parquet'])(
    'a reader that does not read stops the %s, and one that leaves ends the query in the engine',
    async (format) => {
      const answer = await open({ what: 'calls', format })
      answer.pause()
      await expect.poll(runningExports, { timeout: 20_000 }).toBe(1)
      await new Promise((wait) => setTimeout(wait, 500))
      // 50 MB are waiting; no more of them than buffers hold has been read.
      expect(await runningExports()).toBe(1)
      answer.destroy()
      await expect.poll(runningExports, { timeout: 20_000 }).toBe(0)
    },
    60_000,
  )

  test.each(['jsonl', 'csv', 'parquet'])(
    'a %s that fails on the way is cut off, never complete',
    async (format) => {
      const answer = await open({ what: 'calls', format })
      answer.pause()
      await expect.poll(runningExports, { timeout: 20_000 }).toBe(1)
      const { db } = server.heddle.deps
      // It waits for the engine to write, and that for us to read.
      const killing = db.ddl(
        `KILL QUERY WHERE ${compile(OURS).text} AND current_database = '${db.name}' ASYNC`,
      )
      await expect(textOf(answer)).rejects.toThrow('aborted')
      await killing
    },
    60_000,
  )

  test('a query that has not said anything yet is cancelled too', { timeout: 60_000 }, async () => {
    const { db } = server.heddle.deps
    const slow = sql`SELECT count() FROM numbers(1900000000) WHERE sipHash64(number) = 7 SETTINGS max_threads = 1`
    for (const way of ['parquet', 'stream'] as const) {
      const leaving = new AbortController()
      const answer = db[way](slow, { name: 'export slow', kind: 'list', signal: leaving.signal })
      const first = answer[Symbol.asyncIterator]().next()
      first.catch(() => undefined)
      await expect.poll(runningExports, { timeout: 20_000 }).toBe(1)
      leaving.abort()
      await expect(first).rejects.toThrow('not answering')
      await expect.poll(runningExports, { timeout: 5_000 }).toBe(0)
    }
  })

  test('a right that is taken away ends the stream', { timeout: 60_000 }, async () => {
    const leaver = await server.user('leaver', { acme: 'read' })
    const answer = await open({ what: 'calls' }, leaver)
    answer.pause()
    await revokeRole(server.heddle.deps, 'leaver', 'acme')
    server.heddle.access.forget()
    await expect.poll(runningExports, { timeout: 20_000 }).toBe(0)
    await expect(textOf(answer)).rejects.toThrow('aborted')
  })
})
