import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/store/query/sql.ts'
import { useServer } from '../harness.ts'
import { type SqlResponse, sqlRunner } from '../sql.ts'
import { waitUntil } from '../wait-until.ts'

/** SQL queries over the views of a project. sql-confinement.test.ts tests what they must not access. */
const server = useServer()
const runSql = (query: string, more: object = {}): Promise<SqlResponse> =>
  sqlRunner(server)('acme/demo', query, more)

const ref = (id: string): string => `weave:///acme/demo/call/${id}`
const BIG = '9007199254740993'

beforeAll(async () => {
  const at = (second: number): string => `2026-03-01T10:00:${String(second).padStart(2, '0')}.123456Z`
  const call = (id: string, second: number, more: object = {}): object => ({
    project_id: 'acme/demo',
    id,
    trace_id: `t-${id.slice(0, 1)}`,
    op_name: 'weave:///acme/demo/op/answer:abc',
    started_at: at(second),
    attributes: {},
    inputs: { model: 'm1', n: second },
    ...more,
  })
  const starts = [
    call('a1', 1, { thread_id: 'th', display_name: 'First' }),
    call('a2', 2, { parent_id: 'a1', op_name: 'tool' }),
    call('b1', 3),
    call('gone', 4),
  ]
  const end = (id: string, second: number, more: object = {}): object => ({
    project_id: 'acme/demo',
    id,
    ended_at: at(second),
    output: { ok: true },
    summary: { usage: { m1: { requests: 1, prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } } },
    ...more,
  })
  const ends = [end('a1', 3), end('a2', 4, { exception: 'ValueError: no', summary: {} })]
  const batch = [
    ...starts.map((start) => ({ mode: 'start', req: { start } })),
    ...ends.map((one) => ({ mode: 'end', req: { end: one } })),
  ]
  // Sent twice: each call must appear once.
  for (let i = 0; i < 2; i++) await server.post('/call/upsert_batch', { batch })
  await server.post('/calls/delete', { project_id: 'acme/demo', call_ids: ['gone'] })
  await server.post('/feedback/create', {
    project_id: 'acme/demo',
    weave_ref: ref('a1'),
    feedback_type: 'wandb.note.1',
    payload: { note: 'fine' },
  })
  for (const answer of ['one', 'two'])
    await server.post('/obj/create', {
      obj: { project_id: 'acme/demo', object_id: 'prompt', val: { answer } },
    })
  await server.post('/table/create', {
    table: { project_id: 'acme/demo', rows: [{ q: 'x' }, { q: 'y' }, { q: 'x' }] },
  })
})

test('a call sent twice is one row, and a deleted call is not listed', async () => {
  const { columns, rows } =
    await runSql(`SELECT id, parent_id, name, display_name, op_name, status, latency_ms, exception,
    wb_user_id, thread_id, started_at, ended_at FROM calls ORDER BY id`)
  expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    'id String',
    'parent_id Nullable(String)',
    'name String',
    'display_name Nullable(String)',
    'op_name String',
    'status String',
    'latency_ms Nullable(Int64)',
    'exception Nullable(String)',
    'wb_user_id Nullable(String)',
    'thread_id Nullable(String)',
    "started_at DateTime64(6, 'UTC')",
    "ended_at Nullable(DateTime64(6, 'UTC'))",
  ])
  const op = 'weave:///acme/demo/op/answer:abc'
  const [from, to] = ['2026-03-01T10:00:01.123456Z', '2026-03-01T10:00:03.123456Z']
  expect(rows).toEqual([
    ['a1', null, 'First', 'First', op, 'success', '2000', null, 'admin', 'th', from, to],
    ['a2', 'a1', 'tool', null, 'tool', 'error', '2000', 'ValueError: no', 'admin', null, ...times(2, 4)],
    ['b1', null, 'answer', null, op, 'running', null, null, 'admin', null, to, null],
  ])
})

function times(start: number, end: number): string[] {
  return [start, end].map((second) => `2026-03-01T10:00:0${second}.123456Z`)
}

test('documents are the text that was sent, and ClickHouse JSON functions can read them', async () => {
  const { rows } = await runSql(`SELECT inputs, output, JSONExtractString(inputs, 'model') AS model,
    sum(JSONExtractInt(inputs, 'n')) OVER (ORDER BY started_at) AS running_sum
    FROM calls WHERE id IN ('a1', 'a2') ORDER BY id`)
  expect(rows).toEqual([
    ['{"model":"m1","n":1}', '{"ok":true}', 'm1', '1'],
    ['{"model":"m1","n":2}', '{"ok":true}', 'm1', '3'],
  ])
})

test('groups, windows, unions, CTEs and joins between the views work', async () => {
  const { rows } =
    await runSql(`WITH errors AS (SELECT trace_id, countIf(status = 'error') AS n FROM calls GROUP BY trace_id)
    SELECT calls.id, errors.n, count(feedback.id), rank() OVER (ORDER BY calls.id DESC)
    FROM calls INNER JOIN errors USING (trace_id) LEFT JOIN feedback ON feedback.call_id = calls.id
    GROUP BY calls.id, errors.n ORDER BY calls.id`)
  expect(rows).toEqual([
    ['a1', '1', '1', '3'],
    ['a2', '1', '0', '2'],
    ['b1', '0', '0', '1'],
  ])
  expect((await runSql("SELECT 'a' AS x UNION ALL SELECT 'b' AS x")).rows).toEqual(
    expect.arrayContaining([['a'], ['b']]),
  )
})

test('usage has one row per call and model', async () => {
  const { rows } =
    await runSql(`SELECT call_id, model, requests, prompt_tokens, completion_tokens, total_tokens,
    uncached_prompt_tokens FROM usage ORDER BY call_id`)
  expect(rows).toEqual([['a1', 'm1', '1', '10', '5', '15', '10']])
})

test('feedback, object versions and table rows can be queried', async () => {
  const feedback = await runSql(
    "SELECT call_id, feedback_type, JSONExtractString(payload, 'note') FROM feedback",
  )
  expect(feedback.rows).toEqual([['a1', 'wandb.note.1', 'fine']])
  const objects = await runSql(
    'SELECT object_id, version_index, is_latest, val FROM objects ORDER BY version_index',
  )
  expect(objects.rows).toEqual([
    ['prompt', 0, 0, '{"answer":"one"}'],
    ['prompt', 1, 1, '{"answer":"two"}'],
  ])
  const table = await runSql('SELECT row_index, val FROM table_rows ORDER BY row_index')
  expect(table.rows).toEqual([
    ['0', '{"q":"x"}'],
    ['1', '{"q":"y"}'],
    ['2', '{"q":"x"}'],
  ])
})

test('numbers are exact, in the response and in parameters', async () => {
  const { rows, columns } = await runSql(
    `SELECT {big:UInt64} AS a, {list:Array(UInt64)} AS b, {text:String} AS c, {none:Nullable(String)} AS d,
      {yes:Bool} AS e, {real:Float64} AS f, toDecimal64('1.50', 2) AS g, nan AS h, 18446744073709551615 AS i, 7 AS j`,
    {
      parameters: `{"big":${BIG},"list":[${BIG},1],"text":"it's \\\\ \\"so\\"\\n\\t日本","none":null,"yes":true,"real":1e-7}`,
    },
  )
  expect(columns.map(({ type }) => type)).toEqual([
    'UInt64',
    'Array(UInt64)',
    'String',
    'Nullable(String)',
    'Bool',
    'Float64',
    'Decimal(18, 2)',
    'Float64',
    'UInt64',
    'UInt8',
  ])
  expect(rows).toEqual([
    [BIG, [BIG, '1'], `it's \\ "so"\n\t日本`, null, true, 1e-7, '1.5', 'nan', '18446744073709551615', 7],
  ])
})

test('a result ends at the limit and is marked as cut', async () => {
  const cut = await runSql('SELECT number FROM numbers(1000000000)', { limit: 3 })
  expect([cut.rows.length, cut.end]).toEqual([3, { rows: 3, is_cut: true }])
  const whole = await runSql('SELECT number FROM numbers(3)', { limit: 3 })
  expect([whole.rows.length, whole.end]).toEqual([3, { rows: 3, is_cut: false }])
  const byDefault = await runSql('SELECT number FROM numbers(20000)')
  expect(byDefault.end).toEqual({ rows: 10_000, is_cut: true })
})

test('an invalid query gets 400 with the error of ClickHouse', async () => {
  for (const [query, message] of [
    ['SELEC 1', /Syntax error/],
    ['SELECT nope FROM calls', /nope/],
    ['SELECT * FROM callz', /callz/],
    ['SELECT {x:UInt8}', /x/],
    ['SELECT 1 FORMAT CSV', /remove the FORMAT clause/],
  ] as const) {
    const response = await runSql(query)
    expect([query, response.status, response.text]).toEqual([query, 400, expect.stringMatching(message)])
  }
  const odd = await runSql('SELECT 1', { parameters: '{"a b":1}' })
  expect([odd.status, odd.text]).toEqual([422, expect.stringContaining('is not a valid name')])
})

test('SQL needs the right to read the project', async () => {
  const path = '/api/v1/projects/acme/demo/sql'
  const reader = await server.user('reader', { 'acme/demo': 'read' })
  const stranger = await server.user('stranger', { 'other/project': 'admin' })
  expect((await server.as(reader)(path, { query: 'SELECT count() FROM calls' })).text).toContain(
    '{"row":["3"]}',
  )
  expect((await server.as(stranger)(path, { query: 'SELECT 1' })).status).toBe(403)
})

test('a project with special characters in its name sees its own calls', async () => {
  const project_id = "zoë's/日 本-%27"
  await server.post('/call/start', {
    start: {
      project_id,
      id: 'x',
      op_name: 'op',
      started_at: '2026-03-01T00:00:00Z',
      attributes: {},
      inputs: {},
    },
  })
  expect((await sqlRunner(server)(project_id, 'SELECT id FROM calls')).rows).toEqual([['x']])
})

test('every example of docs/sql.md runs', async () => {
  const page = readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8')
  const block = /## Examples\n\n```sql\n([^`]*)```/.exec(page)?.[1] ?? ''
  const json = Array.from(
    page.matchAll(/```json\n([^`]*)```/g),
    (match) => JSON.parse(match[1] ?? '') as object,
  )
  const inShell = /-d '(\{[^']*\})'/.exec(page)?.[1]
  const requests = [
    ...block.split('\n\n').map((query) => ({ query })),
    ...json,
    JSON.parse(inShell ?? '') as object,
  ]
  expect(requests.length).toBe(6)
  for (const request of requests) {
    const response = await server.send('/api/v1/projects/acme/demo/sql', request)
    expect([request, response.status, response.text.split('\n').at(-2)]).toEqual([
      request,
      200,
      expect.stringContaining('is_cut'),
    ])
  }
})

test.each([
  ['before its first row', "SELECT '', count() FROM numbers(900000000) WHERE sipHash64(number) = 7", 0],
  [
    'after some rows',
    `SELECT repeat('x', 1000), number FROM numbers(3000)
UNION ALL SELECT '', count() FROM numbers(900000000) WHERE sipHash64(number) = 7`,
    1_000_000,
  ],
])(
  'a query is cancelled in ClickHouse when the client disconnects %s',
  { timeout: 60_000 },
  async (_when, query, bytes) => {
    const { db } = server.heddle.deps
    const running = async (): Promise<number> => {
      const row = await db.first<{ n: string }>(
        sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash64(number) = 7' AND query_id LIKE 'heddle-sql-%'`,
        { name: 'processes', kind: 'point' },
      )
      return Number(row?.n)
    }
    await runSql('SELECT 1')
    const abort = new AbortController()
    const read = async (): Promise<void> => {
      const response = await fetch(`${server.url}/api/v1/projects/acme/demo/sql`, {
        method: 'POST',
        headers: { authorization: server.authorization },
        body: JSON.stringify({ query }),
        signal: abort.signal,
      })
      let seen = 0
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
        seen += part.length
        if (seen >= bytes) hasSeenEnough()
      }
    }
    let hasSeenEnough = (): void => {}
    const enough = new Promise<void>((resolve) => (hasSeenEnough = resolve))
    if (bytes === 0) hasSeenEnough()
    const reading = read().catch(() => 'aborted')
    await enough
    await expect.poll(running, { timeout: 20_000 }).toBe(1)
    abort.abort()
    expect(await reading).toBe('aborted')
    await expect.poll(running, { timeout: 5_000 }).toBe(0)
  },
)

test('a user has two running queries over all projects; some wait, further ones get 429', async () => {
  const eve = await server.user('eve', { acme: 'read' })
  const run = (project: string, query: string, signal?: AbortSignal) =>
    server
      .as(eve)(
        `/api/v1/projects/acme/${project}/sql`,
        { query },
        signal === undefined ? {} : { signal, method: 'POST' },
      )
      .catch(() => undefined)
  const abort = new AbortController()
  const slow = 'SELECT count() FROM numbers(900000000) WHERE sipHash64(toString(number)) = 1'
  const running = ['one', 'two'].map((project) => run(project, slow, abort.signal))
  await waitUntil(async () => (await runningQueries('numbers(900000000)')) === 2)
  const waiting = Array.from({ length: 8 }, (_, i) => run(`waiting-${i}`, 'SELECT 1'))
  await waitUntil(async () => (await run('rejected', 'SELECT 1', AbortSignal.timeout(500)))?.status === 429)
  const rejected = await run('rejected', 'SELECT 1')
  expect([rejected?.status, rejected?.headers.get('retry-after')]).toEqual([429, '5'])
  expect(rejected?.json['reason']).toContain('2 SQL queries of this user are running')
  expect((await runSql('SELECT 1')).status).toBe(200)
  expect(await runningQueries('numbers(900000000)')).toBe(2)
  abort.abort()
  await Promise.all(running)
  expect((await Promise.all(waiting)).map((response) => response?.status)).toEqual(Array(8).fill(200))
}, 60_000)

async function runningQueries(text: string): Promise<number> {
  const row = await server.heddle.deps.db.first<{ n: string }>(
    sql`SELECT count() AS n FROM system.processes WHERE position(query, ${text}) > 0 AND user != currentUser()`,
    { name: 'processes', kind: 'point' },
  )
  return Number(row?.n ?? 0)
}
