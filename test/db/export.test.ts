import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ReadSlot } from '../../src/core/concurrency/read-slot.ts'
import { inRequest } from '../../src/core/concurrency/request-scope.ts'
import { contentDigest } from '../../src/core/objects/digest.ts'
import { revokeRole } from '../../src/service/access/member-admin.ts'
import { clusterDatabaseName } from '../../src/store/cluster/cluster-names.ts'
import { identifier, inlineText, type Sql, sql } from '../../src/store/query/sql.ts'
import { useServer } from '../harness.ts'

/** An export contains what readers see, in every format, in one response or in pages. */
const server = useServer()
const project_id = 'acme/demo'

const at = (second: number): string => new Date(Date.UTC(2026, 0, 31, 23, 0, second)).toISOString()

function exportPath(query: Record<string, unknown>, project = project_id, more = ''): string {
  const fields = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    fields.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  return `/api/v1/projects/${project}/export${more}?${fields.toString()}`
}

async function exportAs(query: Record<string, unknown>) {
  const response = await server.send(exportPath(query))
  expect([query, response.status, response.status === 200 ? '' : response.text]).toEqual([query, 200, ''])
  return response
}

const splitLines = (text: string): string[] => text.split('\n').slice(0, -1)
const lines = async (query: Record<string, unknown>): Promise<string[]> =>
  splitLines((await exportAs(query)).text)

type Row = Record<string, unknown>

async function parquet(query: Record<string, unknown>): Promise<{ rows: Row[]; headers: Headers }> {
  const response = await fetch(server.url + exportPath({ ...query, format: 'parquet' }), {
    headers: { authorization: server.authorization },
  })
  const file = Buffer.from(await response.arrayBuffer())
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/vnd.apache.parquet',
  ])
  expect(file.subarray(-4).toString()).toBe('PAR1')
  return { rows: await readBack(file, SCHEMAS[query['what'] as string] ?? ''), headers: response.headers }
}

/** The Parquet schemas, as documented in docs/export.md. */
const text = (...names: string[]): string => names.map((name) => `${name} String`).join(', ')
const nullable = (...names: string[]): string => names.map((name) => `${name} Nullable(String)`).join(', ')
const SCHEMAS: Record<string, string> = {
  calls: [
    text('id', 'project_id', 'op_name'),
    nullable('display_name'),
    text('trace_id'),
    nullable('parent_id', 'thread_id', 'turn_id'),
    `started_at DateTime64(6, 'UTC'), ended_at Nullable(DateTime64(6, 'UTC'))`,
    `status String, latency_ms Nullable(Int64)`,
    text('attributes', 'inputs'),
    nullable('output', 'exception', 'summary', 'wb_user_id', 'wb_run_id'),
    `wb_run_step Nullable(UInt64), wb_run_step_end Nullable(UInt64)`,
    nullable('otel_dump'),
  ].join(', '),
  tables: `digest String, row_count UInt32, original_index UInt32, row_digest Nullable(String), val Nullable(String), created_at DateTime64(6, 'UTC')`,
}

async function readBack(file: Buffer, schema: string): Promise<Row[]> {
  const { db } = server.heddle.deps
  const table = `parquet_${Math.random().toString(36).slice(2)}`
  await db.ddl(`CREATE TABLE ${table} (${schema}) ENGINE = MergeTree ORDER BY tuple()`)
  const url = new URL(process.env['HEDDLE_TEST_CLICKHOUSE_URL'] ?? '')
  url.searchParams.set('database', db.name)
  // ClickHouse rejects missing and extra columns.
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
  return db.firstShard.rows<Row>(sql`SELECT * FROM ${identifier(table)}`, { name: 'test', kind: 'scan' })
}

/** Export statements of this file's server, selected by their log comment. In a cluster, without those it sends to shards. */
function exportStatements(): Sql {
  const { name } = server.heddle.deps.db
  const database = sql`current_database IN (${name}, ${clusterDatabaseName(name)})`
  return sql`(Settings['log_comment'] LIKE 'export %' OR Settings['log_comment'] = 'calls') AND is_initial_query AND ${database}`
}

async function runningExports(): Promise<number> {
  const found = await server.heddle.deps.db.first<{ n: string }>(
    sql`SELECT count() AS n FROM system.processes WHERE ${exportStatements()}`,
    { name: 'test', kind: 'point' },
  )
  return Number(found?.n)
}

/** Payloads that must be exported byte for byte: number notation, key order, line breaks between tokens. */
const EXACT_JSON = '{"b":1.0,"a":12345678901234567890,"e":1E+2,"u":"\\u00e9\u2028"}'
const PRETTY = '{\n  "a": [1,\r\n 2]\n}'
const HOSTILE_TEXTS = [`=cmd|' /C calc'!A0`, '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'a"b,c\nd', '']

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
  // In the next month, which is another partition, and with equal start times.
  await server.post(
    `/v2/${project_id}/calls/complete`,
    batch([
      whole('odd', 4_000, EXACT_JSON),
      whole('pretty', 4_000, PRETTY),
      whole('failed', 4_001, '-1', '{}'),
      whole('a,b', 4_001, '"x"', '{}'),
    ]),
  )
  await server.post('/call/update', { project_id, call_id: 'c001', display_name: '=renamed' })
  await server.post('/calls/delete', { project_id, call_ids: ['c005', 'c050'] })
  await server.post('/calls/delete', { project_id, call_ids: ['c007'] })
  for (const note of HOSTILE_TEXTS)
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
      tagged_digest: second,
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
  // Another project with the same ids.
  await server.post('/call/start', {
    start: { project_id: 'other/one', id: 'c002', op_name: 'theirs', started_at: at(2) },
  })
})

const queriedCalls = async (request: object = {}): Promise<string[]> =>
  splitLines((await server.send('/calls/stream_query', { project_id, ...request })).text)

interface Call extends Row {
  readonly id: string
  readonly started_at: string
}

const parse = (line: string): Call => JSON.parse(line) as Call

describe('calls', () => {
  test('JSONL equals the lines of calls/stream_query: each call once, without deleted ones', async () => {
    const exported = await lines({ what: 'calls' })
    expect(exported.map(parse)).toEqual((await queriedCalls()).map(parse))
    expect(exported).toHaveLength(60 - 3 + 4)
    expect(new Set(exported.map((line) => parse(line).id)).size).toBe(exported.length)
  })

  test('payloads are exported byte for byte; only line breaks between tokens become spaces', async () => {
    const [odd, pretty] = (await lines({ what: 'calls', filter: { call_ids: ['odd', 'pretty'] } })).toSorted()
    expect(odd).toContain(`"inputs":${EXACT_JSON}`)
    expect(odd).toContain(`"output":${EXACT_JSON}`)
    expect(pretty).toContain(`"inputs":${PRETTY.replaceAll(/[\r\n]/g, ' ')}`)
  })

  test('filter and query select the same calls as calls/stream_query', async () => {
    const filter = { op_names: ['op'], trace_ids: ['t-c001', 't-c005', 't-c041'] }
    const query = { $expr: { $eq: [{ $getField: 'ended_at' }, { $literal: null }] } }
    const ids = async (request: object) =>
      (await lines({ what: 'calls', ...request })).map((l) => parse(l).id)
    expect(await ids({ filter })).toEqual(['c001', 'c041'])
    expect(await ids({ filter, query })).toEqual(['c041'])
    const running = (await queriedCalls({ query })).map((line) => parse(line).id)
    expect(await ids({ query })).toEqual(running)
    expect(running).toHaveLength(19)
  })

  test('Parquet has the same calls, with payloads as JSON text and times as timestamps', async () => {
    const shown = (await queriedCalls()).map(parse)
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
    expect([odd['inputs'], odd['output'], odd['status']]).toEqual([
      EXACT_JSON,
      EXACT_JSON,
      'descendant_error',
    ])
    expect(rows.find((row) => row['id'] === 'pretty')?.['inputs']).toBe(PRETTY)
    const running = rows.find((row) => row['id'] === 'c045')!
    expect([running['output'], running['summary'], running['status']]).toEqual([null, null, 'running'])
    expect(rows.find((row) => row['id'] === 'c001')?.['summary']).toBe('{"mine":1}')
  })

  test('CSV has the columns of Parquet, and no cell that a spreadsheet would evaluate', async () => {
    const { text: csv, headers } = await exportAs({ what: 'calls', format: 'csv' })
    expect(headers.get('content-type')).toContain('text/csv')
    const rows = parseCsv(csv)
    expect(rows[0]?.slice(0, 4)).toEqual(['id', 'project_id', 'op_name', 'display_name'])
    expect(rows).toHaveLength(1 + 61)
    const cell = (id: string, name: string) => rows.find((row) => row[0] === id)?.[rows[0]!.indexOf(name)]
    expect(cell('c001', 'display_name')).toBe("'=renamed")
    expect(cell('failed', 'exception')).toBe("'=E")
    expect(cell('failed', 'output')).toBe("'-1")
    expect(cell('odd', 'inputs')).toBe(EXACT_JSON)
    expect(cell('pretty', 'inputs')).toBe(PRETTY)
    expect(cell('c002', 'display_name')).toBe('')
    for (const row of rows) for (const each of row) expect(each).not.toMatch(/^[=+\-@\t\r]/)
  })

  test('only the requested columns and the key are exported; an unknown column is rejected by name', async () => {
    const [first] = await lines({ what: 'calls', columns: 'inputs', limit: '1' })
    expect(Object.keys(parse(first!))).toEqual(['id', 'started_at', 'inputs'])
    const csv = (await exportAs({ what: 'calls', format: 'csv', columns: 'status', limit: '1' })).text
    expect(splitLines(csv)[0]).toBe('"id","started_at","status"')
    const response = await server.send(exportPath({ what: 'calls', format: 'csv', columns: 'id,secret' }))
    expect([response.status, response.json['reason']]).toEqual([
      422,
      expect.stringContaining('no column "secret"; choose from id, '),
    ])
  })
})

/** An independent CSV parser: cells in quotes, quotes inside doubled. */
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

describe('other records', () => {
  test('feedback equals feedback/query, with all columns; in CSV, text that a spreadsheet would evaluate is prefixed', async () => {
    const exported = (await lines({ what: 'feedback' })).map(parse)
    // Without `fields`, columns that are empty in all records would be left out.
    const fields = Object.keys(exported[0] ?? {})
    const { result } = await server.post<{ result: Row[] }>('/feedback/query', { project_id, fields })
    expect(exported).toEqual(result)
    expect(exported.map((row) => row['creator'])).toEqual(HOSTILE_TEXTS)
    const rows = parseCsv((await exportAs({ what: 'feedback', format: 'csv', columns: 'creator' })).text)
    const guarded = HOSTILE_TEXTS.map((note) => (/^[=+\-@\t\r]/.test(note) ? `'${note}` : note))
    expect(rows.slice(1).map((row) => row[rows[0]!.indexOf('creator')])).toEqual(guarded)
    const query = { $expr: { $eq: [{ $getField: 'payload.note' }, { $literal: '+1' }] } }
    expect(await lines({ what: 'feedback', query })).toHaveLength(1)
  })

  test('objects equal objs/query, with tags and aliases', async () => {
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

  test('tables are exported as ordered rows, with repeated rows; an empty table is one record', async () => {
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

  test('files are exported as chunks that concatenate to the file', async () => {
    const chunks = (await lines({ what: 'files' })).map(parse)
    expect(chunks.map((piece) => [piece['chunk'], piece['chunks']])).toEqual([
      [0, 2],
      [1, 2],
    ])
    const content = Buffer.concat(chunks.map((piece) => Buffer.from(piece['base64'] as string, 'base64')))
    expect(contentDigest(content)).toBe(chunks[0]?.['digest'])
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

  test.each(Object.keys(keys))('%s resume after any row, by the key of that row', async (what) => {
    const whole = await lines({ what })
    for (const [i, line] of whole.entries()) {
      const row = parse(line)
      const after = keys[what]!.map((name) => String(row[name])).join(',')
      expect(await lines({ what, after })).toEqual(whole.slice(i + 1))
    }
  })

  test.each(Object.keys(keys))(
    '%s in pages equal the whole export; each page names the start of the next',
    async (what) => {
      const whole = await lines({ what })
      for (const format of ['jsonl', 'parquet'] as const) {
        let count = 0
        let after: string | undefined
        for (let n = 0; n <= whole.length; n++) {
          const query = { what, limit: '7', format, ...(after === undefined ? {} : { after }) }
          const { headers, text: piece } = await exportAs(query)
          const rows = Number(headers.get('x-export-rows'))
          if (format === 'jsonl') expect(splitLines(piece)).toEqual(whole.slice(count, count + rows))
          count += rows
          const next = headers.get('x-export-next')
          if (next === null || rows < 7) break
          after = decodeURIComponent(next)
        }
        expect([format, count]).toEqual([format, whole.length])
      }
    },
  )

  test('after the last row the export is empty: no line, only a header, or a file without rows', async () => {
    const after = `${at(9_999)},z`
    const { text: none, headers } = await exportAs({ what: 'calls', after, limit: '7' })
    expect([none, headers.get('x-export-rows'), headers.get('x-export-next')]).toEqual(['', '0', null])
    expect(
      splitLines((await exportAs({ what: 'calls', after, format: 'csv', limit: '7' })).text),
    ).toHaveLength(1)
    expect((await parquet({ what: 'calls', after, limit: '7' })).rows).toEqual([])
    expect((await parquet({ what: 'calls', after })).rows).toEqual([])
  })

  test('a call written between two pages is neither lost nor repeated', async () => {
    const query = { what: 'calls', limit: '10' }
    const first = await exportAs(query)
    const after = decodeURIComponent(first.headers.get('x-export-next') ?? '')
    await server.post('/call/start', { start: { project_id, id: 'late', op_name: 'op', started_at: at(30) } })
    const rest = await lines({ what: 'calls', after })
    const ids = [...splitLines(first.text), ...rest].map((line) => parse(line).id)
    expect(ids.filter((id) => id === 'late')).toHaveLength(1)
    expect(new Set(ids).size).toBe(ids.length)
    await server.post('/calls/delete', { project_id, call_ids: ['late'] })
  })

  test('the count endpoint returns the number of rows of the export', async () => {
    for (const what of Object.keys(keys)) {
      const response = await server.send(exportPath({ what }, project_id, '/count'))
      expect([what, response.json]).toEqual([what, { count: (await lines({ what })).length }])
    }
    const rest = await server.send(exportPath({ what: 'calls', after: `${at(58)},z` }, project_id, '/count'))
    expect(rest.json).toEqual({ count: 5 })
  })
})

describe('rejections', () => {
  test('an invalid parameter is named', async () => {
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
      [{ what: 'feedback', filter: {} }, 422, /select feedback with `query`/],
      [{ what: 'objects', query: {} }, 422, /select objects with `filter`/],
      [{ what: 'files', query: {} }, 422, /select tables and files with `filter`/],
    ]
    for (const [query, status, reason] of cases) {
      const response = await server.send(exportPath(query))
      expect([query, response.status, response.json['reason']]).toEqual([
        query,
        expect.toBeOneOf([status, 400, 422]),
        expect.stringMatching(reason),
      ])
    }
  })

  test('an export needs the right to read, and contains nothing of another project', async () => {
    const stranger = await server.user('stranger', { 'other/one': 'read' })
    expect((await server.as(stranger)(exportPath({ what: 'calls' }))).status).toBe(403)
    expect((await server.as('')(exportPath({ what: 'calls' }))).status).toBe(401)
    const theirs = splitLines((await server.as(stranger)(exportPath({ what: 'calls' }, 'other/one'))).text)
    expect(theirs.map((line) => parse(line).op_name)).toEqual(['theirs'])
    const always = { $expr: { $eq: [{ $literal: 1 }, { $literal: 1 }] } }
    for (const format of ['jsonl', 'csv'])
      expect((await exportAs({ what: 'calls', query: always, format })).text).not.toContain('theirs')
  })

  test('HEAD returns the headers and no rows', async () => {
    const response = await server.send(exportPath({ what: 'calls', format: 'parquet' }), undefined, {
      method: 'HEAD',
    })
    expect([response.status, response.headers.get('content-type'), response.text]).toEqual([
      200,
      'application/vnd.apache.parquet',
      '',
    ])
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="acme-demo-calls.parquet"')
  })
})

describe('streams', () => {
  const big = 'acme/big'
  const opened: IncomingMessage[] = []
  const open = async (query: Row, authorization = server.authorization): Promise<IncomingMessage> => {
    const request = get(server.url + exportPath(query, big), { headers: { authorization } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    opened.push(response)
    return response
  }
  // A failed test must not leave an open response: the server would wait for its reader.
  afterEach(() => {
    for (const response of opened.splice(0)) response.destroy()
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
    'a paused reader stops the %s export, and a disconnected one cancels the query in ClickHouse',
    async (format) => {
      const response = await open({ what: 'calls', format })
      response.pause()
      await expect.poll(runningExports, { timeout: 20_000 }).toBe(1)
      await new Promise((wait) => setTimeout(wait, 500))
      // Of 50 MB, only as much as the buffers hold has been read.
      expect(await runningExports()).toBe(1)
      response.destroy()
      await expect.poll(runningExports, { timeout: 20_000 }).toBe(0)
    },
    60_000,
  )

  test.each(['jsonl', 'csv', 'parquet'])(
    'a %s export that fails midway is aborted, never ended normally',
    async (format) => {
      const response = await open({ what: 'calls', format })
      response.pause()
      await expect.poll(runningExports, { timeout: 20_000 }).toBe(1)
      const { db } = server.heddle.deps
      // KILL QUERY waits for ClickHouse to write, and ClickHouse waits for this reader.
      const killing = db.ddl(`KILL QUERY WHERE ${inlineText(exportStatements())} ASYNC`)
      await expect(readText(response)).rejects.toThrow('aborted')
      await killing
    },
    60_000,
  )

  test('a query without any output yet is cancelled too', { timeout: 60_000 }, async () => {
    const { db } = server.heddle.deps
    const slow = sql`SELECT count() FROM numbers(1900000000) WHERE sipHash64(number) = 7 SETTINGS max_threads = 1`
    const caller = { request_id: 'r', user_id: 'ann', project_id: undefined }
    for (const method of ['parquet', 'stream'] as const) {
      const abort = new AbortController()
      const response = db[method](slow, { name: 'export slow', kind: 'list' })
      const scope = { ...caller, signal: abort.signal, slot: new ReadSlot() }
      const first = inRequest(scope, () => response[Symbol.asyncIterator]().next())
      first.catch(() => undefined)
      await expect.poll(runningExports, { timeout: 20_000 }).toBe(1)
      abort.abort()
      await expect(first).rejects.toThrow('not responding')
      await expect.poll(runningExports, { timeout: 5_000 }).toBe(0)
    }
  })

  test('revoking the right to read ends the stream', { timeout: 60_000 }, async () => {
    const leaver = await server.user('leaver', { acme: 'read' })
    const response = await open({ what: 'calls' }, leaver)
    response.pause()
    await revokeRole(server.heddle.deps, 'leaver', 'acme')
    server.heddle.access.invalidate()
    await expect.poll(runningExports, { timeout: 20_000 }).toBe(0)
    await expect(readText(response)).rejects.toThrow('aborted')
  })
})
