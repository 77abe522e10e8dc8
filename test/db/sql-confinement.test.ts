import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqlPassword } from '../../src/clickhouse/config.ts'
import { sql } from '../../src/store/query/sql.ts'
import { useServer } from '../harness.ts'
import { type SqlResponse, sqlRunner } from '../sql.ts'
import { assertsDuration } from '../duration.ts'
import { waitUntil } from '../wait-until.ts'

/**
 * Hostile SQL: a user who may read one project tries to read another one, to write, to access files, the network and
 * system tables, and to exhaust ClickHouse. Heddle passes every query to ClickHouse unchanged, so ClickHouse must
 * reject it; docs/decisions/0012-sql.md describes how.
 */
const server = useServer()
const CANARY = 'canary-7f3a'
const MINE = 'acme/demo'
const THEIRS = 'other/secret'
const OUTFILE = `/tmp/heddle-${CANARY}`
const HEX = Buffer.from(THEIRS).toString('hex')

let listener: Server
let visits = 0
let url = ''

beforeAll(async () => {
  listener = createServer((_request, response) => {
    visits++
    response.end('1\n')
  }).listen(0, '127.0.0.1')
  await new Promise((ready) => listener.once('listening', ready))
  url = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  const start = (project_id: string, i: number): object => ({
    mode: 'start',
    req: {
      start: {
        project_id,
        id: `${project_id}-${i}`,
        trace_id: 't',
        op_name: project_id === MINE ? 'mine' : `op-${CANARY}`,
        started_at: new Date(Date.UTC(2026, 2, 1, 0, 0, i)).toISOString(),
        attributes: {},
        inputs: { text: project_id === MINE ? 'mine' : CANARY },
      },
    },
  })
  // One insert, so that rows of both projects are in the same granules of the table.
  const batch = Array.from({ length: 400 }, (_, i) => start(i % 2 === 0 ? MINE : THEIRS, i))
  await server.post('/call/upsert_batch', { batch })
  for (const project_id of [MINE, THEIRS]) {
    const text = project_id === MINE ? 'mine' : CANARY
    await server.post('/feedback/create', {
      project_id,
      weave_ref: `weave:///${project_id}/call/1`,
      feedback_type: 'custom',
      payload: { text },
    })
    await server.post('/obj/create', { obj: { project_id, object_id: text, val: { text } } })
    await server.post('/table/create', { table: { project_id, rows: [{ text }] } })
  }
})

afterAll(() => {
  listener.close()
})

const runSql = (query: string, more: object = {}): Promise<SqlResponse> =>
  sqlRunner(server)(MINE, query, more)
/** The qualified name of a table in the database of this test. */
const raw = (table = 'calls'): string => `${server.heddle.deps.db.name}.${table}`

/** The prefixes of reasons that come from ClickHouse. */
const FROM_CLICKHOUSE =
  /^(this SQL is not allowed: |ClickHouse cannot run this query|the query (took|reads|needs))/

async function expectRejected(query: string, status: readonly number[] = [400, 403]): Promise<string> {
  const response = await runSql(query)
  expect([query, response.status], response.text).toEqual([
    query,
    expect.toSatisfy((is: number) => status.includes(is)),
  ])
  expect(response.text).not.toContain(CANARY)
  const { reason } = JSON.parse(response.text) as { reason: string }
  expect([query, reason]).toEqual([query, expect.stringMatching(FROM_CLICKHOUSE)])
  return reason
}

/** The query may succeed, but the response must not contain data of the other project. */
async function expectMineOnly(query: string): Promise<SqlResponse> {
  const response = await runSql(query)
  expect(response.text).not.toContain(CANARY)
  expect(response.text).not.toContain(HEX)
  return response
}

describe('reading another project', () => {
  test('a user with access to the other project sees its data', async () => {
    const { rows } = await sqlRunner(server)(THEIRS, 'SELECT count(), uniq(inputs), any(inputs) FROM calls')
    expect(rows).toEqual([['200', '1', `{"text":"${CANARY}"}`]])
    expect((await runSql('SELECT count(), uniq(inputs), any(inputs) FROM calls')).rows).toEqual([
      ['200', '1', '{"text":"mine"}'],
    ])
  })

  test.each(['calls', 'usage', 'feedback', 'objects', 'table_rows'])(
    '%s returns rows of one project',
    async (view) => {
      const response = await expectMineOnly(`SELECT * FROM ${view}`)
      expect(response.status).toBe(200)
      expect(response.rows.length).toBe(
        { calls: 200, usage: 0, feedback: 1, objects: 1, table_rows: 1 }[view],
      )
    },
  )

  test.each([
    ['the table itself', () => `SELECT * FROM ${raw()}`],
    ['one column of the table', () => `SELECT inputs FROM ${raw()}`],
    ['the row count of the table', () => `SELECT count() FROM ${raw()}`],
    ['the table in a union with the view', () => `SELECT id FROM calls UNION ALL SELECT id FROM ${raw()}`],
    ['the table joined to the view', () => `SELECT r.inputs FROM calls JOIN ${raw()} AS r USING (trace_id)`],
    ['the table in a condition', () => `SELECT 1 WHERE 'x' IN (SELECT id FROM ${raw()})`],
    ['the table in a scalar subquery', () => `SELECT (SELECT max(inputs) FROM ${raw()})`],
    ['the table in EXISTS', () => `SELECT exists(SELECT 1 FROM ${raw()} WHERE project_id = '${THEIRS}')`],
    ['the table in a CTE', () => `WITH x AS (SELECT * FROM ${raw()}) SELECT * FROM x`],
    ['the table in view()', () => `SELECT * FROM view(SELECT * FROM ${raw()})`],
    ['the table in loop()', () => `SELECT * FROM loop(${raw()}) LIMIT 1`],
    ['tables by a pattern', () => `SELECT * FROM merge('${server.heddle.deps.db.name}', '.*') LIMIT 1`],
    ['the index of the table', () => `SELECT * FROM mergeTreeIndex('${raw().replace('.', "', '")}')`],
    ['another table', () => `SELECT * FROM ${raw('users')}`],
    ['API keys', () => `SELECT key_hash FROM ${raw('api_keys')}`],
    ['the live log', () => `SELECT * FROM ${raw('live_log')}`],
    ['the table through a server', () => `SELECT * FROM remote('127.0.0.1', ${raw()})`],
    ['the table through a cluster', () => `SELECT * FROM cluster('default', ${raw()})`],
    ['the table through every replica', () => `SELECT * FROM clusterAllReplicas('default', ${raw()})`],
    ['columns of the table', () => `DESCRIBE TABLE ${raw()}`],
    ['the CREATE statement of the table', () => `SHOW CREATE TABLE ${raw()}`],
    ['whether the table exists', () => `EXISTS TABLE ${raw()}`],
    ['whether a column exists', () => `SELECT hasColumnInTable('${raw().replace('.', "', '")}', 'inputs')`],
    ['the query plan of a read of the table', () => `EXPLAIN SELECT * FROM ${raw()}`],
    ['a check of the table', () => `CHECK TABLE ${raw()}`],
    ['a dictionary', () => `SELECT dictGet('${raw()}', 'inputs', 1)`],
    ['a join table', () => `SELECT joinGet('${raw()}', 'inputs', 1)`],
  ])('%s is rejected', async (_, query) => {
    await expectRejected(query())
  })

  test.each([
    ['the setting readonly', 'SELECT count() FROM calls SETTINGS readonly = 0'],
    ['its own table filter', `SELECT count() FROM calls SETTINGS additional_table_filters = {'calls': '1'}`],
    ['more time', 'SELECT count() FROM calls SETTINGS max_execution_time = 1000'],
    ['the internal project setting', `SELECT count() FROM calls SETTINGS SQL_heddle_project = '${THEIRS}'`],
    ['SET', 'SET readonly = 0'],
    ['another user', 'EXECUTE AS heddle SELECT 1'],
  ])('%s cannot be set by the query', async (_, query) => {
    await expectRejected(query)
  })

  test('settings in a subquery, which ClickHouse does not check, affect neither the views nor the limits', async () => {
    const filters = (condition: string): string =>
      `additional_table_filters = {'${raw()}': '${condition.replaceAll("'", String.raw`\'`)}'}`
    for (const settings of [
      'readonly = 0',
      'max_rows_to_read = 0, max_execution_time = 0',
      filters('0'),
      filters(`throwIf(inputs LIKE '%${CANARY}%') = 0`),
      `${filters(`throwIf(inputs LIKE '%${CANARY}%') = 0`)}, optimize_move_to_prewhere_if_final = 1`,
      'analyzer_inline_views = 1',
      'final = 0, optimize_move_to_prewhere = 0, query_plan_filter_push_down = 0',
      `additional_result_filter = '1'`,
      "enable_parallel_replicas = 1, cluster_for_parallel_replicas = 'default', max_parallel_replicas = 3",
    ]) {
      const response = await runSql(
        `SELECT count(), uniq(inputs) FROM (SELECT * FROM calls SETTINGS ${settings})`,
      )
      if (response.status === 200) expect([settings, response.rows]).toEqual([settings, [['200', '1']]])
      expect(response.text).not.toContain(CANARY)
    }
  })

  test('a subquery with other settings cannot read a table', async () => {
    await expectRejected(`SELECT * FROM (SELECT * FROM ${raw()} SETTINGS readonly = 0, allow_ddl = 1)`)
  })

  test('the query id, which contains the project, cannot be set by the query', async () => {
    const { rows } = await runSql('SELECT initialQueryID(), queryID()')
    for (const id of rows[0] as string[]) expect(id).toContain(Buffer.from(MINE).toString('hex'))
    await expectRejected(`SELECT count() FROM calls SETTINGS query_id = 'heddle-sql-${HEX}-1'`)
    await expectRejected(`SELECT count() FROM calls SETTINGS initial_query_id = 'heddle-sql-${HEX}-1'`)
    const parameters = JSON.stringify({ query_id: `heddle-sql-${HEX}-1`, project_id: THEIRS })
    expect((await runSql('SELECT count(), uniq(inputs) FROM calls', { parameters })).rows).toEqual([
      ['200', '1'],
    ])
  })

  test('conditions are not evaluated on rows of another project, not even to fail on them', async () => {
    for (const condition of [
      `throwIf(inputs LIKE '%${CANARY}%') = 0`,
      `throwIf(inputs LIKE '%${CANARY}%') = 0 AND started_at > '2020-01-01'`,
      `intDiv(1, inputs NOT LIKE '%${CANARY}%') = 1`,
      `JSONExtractString(inputs, 'text') = 'mine' AND throwIf(JSONExtractString(inputs, 'text') != 'mine') = 0`,
      `toUInt64OrZero(inputs) = 0 AND throwIf(op_name != 'mine') = 0`,
    ]) {
      for (const order of ['', 'ORDER BY id LIMIT 1000', 'ORDER BY started_at DESC LIMIT 1000']) {
        const response = await expectMineOnly(`SELECT id FROM calls WHERE ${condition} ${order}`)
        expect([condition, order, response.status, response.rows.length]).toEqual([
          condition,
          order,
          200,
          200,
        ])
      }
    }
    const failsOn = `throwIf(inputs LIKE '%${CANARY}%')`
    for (const query of [
      `SELECT ${failsOn} FROM calls`,
      `SELECT id, intDiv(1, inputs NOT LIKE '%${CANARY}%') FROM calls ORDER BY id`,
      `SELECT id FROM calls ORDER BY ${failsOn}, id`,
      `SELECT count() FROM calls GROUP BY ${failsOn}, id`,
      `SELECT sum(${failsOn}) OVER (ORDER BY id) FROM calls`,
      `SELECT a.id FROM calls AS a JOIN calls AS b ON a.id = b.id AND throwIf(b.inputs LIKE '%${CANARY}%') = 0`,
      `SELECT ${failsOn} FROM (SELECT inputs FROM calls LIMIT 200)`,
      `SELECT arrayJoin([${failsOn}]) FROM calls`,
      `SELECT id FROM calls LIMIT 1 BY id, ${failsOn}`,
    ]) {
      const response = await runSql(query)
      expect([query, response.status, response.rows.length]).toEqual([query, 200, 200])
    }
    const failing = await runSql('SELECT toUInt64(inputs) FROM calls')
    expect(failing.status).toBe(400)
    expect(failing.text).toContain('mine')
    expect(failing.text).not.toContain(CANARY)
  })

  test('for every query of a view, ClickHouse removes rows of other projects in PREWHERE, before other conditions', async () => {
    const { db } = server.heddle.deps
    const views = {
      calls: 'id',
      usage: 'call_id',
      feedback: 'id',
      objects: 'object_id',
      table_rows: 'digest',
    }
    for (const [view, column] of Object.entries(views)) {
      const text = `SELECT explain FROM viewExplain('EXPLAIN', 'indexes = 0', (SELECT * FROM sql_${db.name}.${view} WHERE throwIf(${column} = 'x') = 0))`
      const rows = await db.rows<{ explain: string }>({ parts: [text] }, { name: 'test', kind: 'point' })
      const plan = rows.map(({ explain }) => explain).join('\n')
      const reads = plan.split('ReadFromMergeTree').slice(1)
      expect(reads.length).toBeGreaterThan(0)
      for (const read of reads) {
        expect([view, read]).toEqual([
          view,
          expect.stringMatching(/Prewhere filter column:\s+(?:project_id = ''|empty\(project_id\))\s*$/m),
        ])
        expect(read).not.toMatch(/Prewhere filter column:.*throwIf/)
      }
    }
  })

  test('the result of one project is not the cached result of another', async () => {
    const query =
      'SELECT * FROM (SELECT uniq(inputs), any(inputs) FROM calls SETTINGS use_query_cache = 1, query_cache_for_subqueries = 1)'
    for (let i = 0; i < 2; i++) await sqlRunner(server)(THEIRS, query)
    await expectMineOnly(query)
  })

  test('lists of tables contain only the views', async () => {
    expect(
      (await expectMineOnly('SHOW TABLES')).rows
        .flat()
        .map(String)
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(['calls', 'feedback', 'objects', 'table_rows', 'usage'])
    expect((await expectMineOnly(`SHOW TABLES FROM ${server.heddle.deps.db.name}`)).rows).toEqual([])
    expect((await expectMineOnly('SELECT DISTINCT database FROM system.tables')).rows.flat()).toContain(
      `sql_${server.heddle.deps.db.name}`,
    )
    const tables = await expectMineOnly(
      `SELECT name FROM system.tables WHERE database = '${server.heddle.deps.db.name}'`,
    )
    expect(tables.rows).toEqual([])
  })

  test('the error for an unknown table does not suggest hidden tables', async () => {
    const reason = await expectRejected('SELECT * FROM api_keyz')
    expect(reason).not.toContain('api_keys')
  })

  test('query plans of the views are rejected too: they contain row counts of all projects', async () => {
    for (const query of [
      'EXPLAIN indexes = 1 SELECT * FROM calls',
      '/* x */ ExPlAiN ESTIMATE SELECT * FROM calls',
      '-- x\n\tEXPLAIN PLAN SELECT 1',
      'SELECT * FROM (EXPLAIN indexes = 1 SELECT * FROM calls)',
      "SELECT * FROM viewExplain('EXPLAIN', 'indexes = 1', (SELECT * FROM calls))",
    ])
      await expectRejected(query, [403])
  })
})

/** ClickHouse sends parts of a query to the shards. They must not have more rights there. */
describe.runIf(process.env['HEDDLE_TEST_CLUSTER'] !== undefined)('on several shards', () => {
  const cluster = (table = 'calls'): string => `${server.heddle.deps.db.name}_cluster.${table}`

  test('what a shard runs of a query, it runs as the SQL user, with its settings', async () => {
    const { rows } = await expectMineOnly(
      "SELECT tcpPort(), currentUser(), getSetting('readonly'), count() FROM calls GROUP BY ALL",
    )
    expect(new Set(rows.map(([port]) => port)).size).toBe(2)
    for (const [, user, readonly] of rows) expect([user, readonly]).toEqual(['heddle_sql', 1])
    expect(rows.reduce((sum, [, , , count]) => sum + Number(count), 0)).toBe(200)
  })

  test('a query of one shard, too, sees its own project only', async () => {
    const { rows } = await expectMineOnly(
      'SELECT count(), uniq(inputs), any(inputs) FROM calls GROUP BY _shard_num',
    )
    expect(rows.map(([, ...inputs]) => inputs)).toEqual([
      ['1', '{"text":"mine"}'],
      ['1', '{"text":"mine"}'],
    ])
    // The views of the server that receives the query: those of its own shard.
    const local = await expectMineOnly(`SELECT uniq(inputs) FROM sql_${server.heddle.deps.db.name}.calls`)
    expect(local.rows).toEqual([['1']])
  })

  test('subqueries and joins see the calls of all shards', async () => {
    const joined = await runSql('SELECT count() FROM calls AS a JOIN calls AS b ON a.trace_id = b.trace_id')
    expect(joined.rows).toEqual([['40000']])
    const all = await runSql('SELECT count() FROM calls WHERE 200 = (SELECT count() FROM calls)')
    expect(all.rows).toEqual([['200']])
    const within = await runSql('SELECT count() FROM calls WHERE trace_id IN (SELECT trace_id FROM calls)')
    expect(within.rows).toEqual([['200']])
  })

  test.each([
    ["Heddle's tables over all shards", () => `SELECT * FROM ${cluster()}`],
    ['the row count of these', () => `SELECT count() FROM ${cluster()}`],
    ['users', () => `SELECT * FROM ${cluster('users')}`],
    ['these in a condition', () => `SELECT id FROM calls WHERE id IN (SELECT id FROM ${cluster()})`],
    ['these in a join', () => `SELECT r.inputs FROM calls JOIN ${cluster()} AS r USING (trace_id)`],
    ['their CREATE statement, with a password', () => `SHOW CREATE TABLE ${cluster()}`],
    [
      'tables of the shards in a condition',
      () => `SELECT id FROM calls WHERE id IN (SELECT id FROM ${raw()})`,
    ],
    ['the same, global', () => `SELECT id FROM calls WHERE id GLOBAL IN (SELECT id FROM ${raw()})`],
    [
      'tables of the shards in a join',
      () => `SELECT r.inputs FROM calls GLOBAL JOIN ${raw()} AS r USING (trace_id)`,
    ],
    [
      'system tables of the shards',
      () => 'SELECT id FROM calls WHERE id IN (SELECT query FROM system.processes)',
    ],
    ['files of the shards', () => "SELECT file(concat('/etc/passwd', left(id, 0))) FROM calls"],
    [
      'columns of a table',
      () => `SELECT hasColumnInTable('${raw().replace('.', "', '")}', 'inputs') FROM calls`,
    ],
    ['a dictionary', () => `SELECT dictGet('${raw()}', 'inputs', length(id)) FROM calls`],
    ['a join table', () => `SELECT joinGet('${raw()}', 'inputs', id) FROM calls`],
    [
      'the network',
      () => `SELECT id FROM calls WHERE id IN (SELECT * FROM url('http://${url}/', LineAsString))`,
    ],
  ])('%s cannot be read', async (_, query) => {
    const response = await runSql(query())
    expect([response.status, query()], response.text).toEqual([
      expect.toSatisfy((status: number) => status === 400 || status === 403),
      query(),
    ])
    expect(response.text).not.toContain(CANARY)
    expect(visits).toBe(0)
  })

  test('settings in a subquery have no effect on the shards', async () => {
    for (const settings of [
      "distributed_product_mode = 'allow', prefer_localhost_replica = 0",
      'readonly = 0, serialize_query_plan = 1',
      'analyzer_inline_views = 1, distributed_group_by_no_merge = 2',
      `additional_table_filters = {'${raw()}': 'throwIf(inputs LIKE \\'%${CANARY}%\\') = 0'}`,
      `additional_table_filters = {'sql_${raw()}': 'throwIf(inputs LIKE \\'%${CANARY}%\\') = 0'}`,
      'enable_parallel_replicas = 1, max_parallel_replicas = 3, parallel_replicas_for_non_replicated_merge_tree = 1',
    ]) {
      const response = await expectMineOnly(
        `SELECT sum(n), max(u) FROM (SELECT count() AS n, uniq(inputs) AS u FROM calls SETTINGS ${settings})`,
      )
      if (response.status === 200) expect([settings, response.rows]).toEqual([settings, [['200', '1']]])
    }
  })

  test('the password in the definition of the tables is hidden', async () => {
    const shown = await runSql('SHOW CREATE TABLE calls')
    expect(shown.text).toContain('[HIDDEN]')
    const read = await runSql(
      "SELECT * FROM (SELECT create_table_query FROM system.tables WHERE name = 'calls' SETTINGS format_display_secrets_in_show_and_select = 1)",
    )
    expect(read.text).not.toContain(sqlPassword(server.heddle.deps.db.settings.password))
  })
})

describe('system tables', () => {
  test.each([
    'processes',
    'query_log',
    'users',
    'grants',
    'parts',
    'parts_columns',
    'disks',
    'clusters',
    'named_collections',
    'metrics',
    'events',
    'replicas',
    'mutations',
    'row_policies',
    'session_log',
    'server_settings',
    'text_log',
    'data_skipping_indices',
  ])('system.%s is rejected', async (table) => {
    await expectRejected(`SELECT * FROM system.${table} LIMIT 1`)
  })

  test.each([
    'SHOW PROCESSLIST',
    'SHOW USERS',
    'SHOW GRANTS FOR heddle',
    'SHOW CREATE USER heddle',
    'SHOW CLUSTERS',
  ])('%s is rejected', async (query) => {
    await expectRejected(query)
  })
})

describe('writing', () => {
  test.each([
    ['INSERT into a view', () => "INSERT INTO calls (id) VALUES ('x')"],
    ['INSERT into the table', () => `INSERT INTO ${raw()} (project_id, id) VALUES ('${THEIRS}', 'x')`],
    [
      'INSERT into a function',
      () => `INSERT INTO FUNCTION file('${OUTFILE}', 'CSV', 'x String') VALUES ('x')`,
    ],
    ['ALTER', () => `ALTER TABLE ${raw()} DELETE WHERE 1`],
    ['DELETE', () => `DELETE FROM ${raw()} WHERE 1`],
    ['UPDATE', () => `ALTER TABLE ${raw()} UPDATE inputs = '' WHERE 1`],
    ['DROP of a table', () => `DROP TABLE ${raw()}`],
    ['DROP of a view', () => 'DROP VIEW calls'],
    ['DROP of the database', () => `DROP DATABASE ${server.heddle.deps.db.name}`],
    ['TRUNCATE', () => `TRUNCATE TABLE ${raw()}`],
    ['RENAME', () => `RENAME TABLE ${raw()} TO ${raw('x')}`],
    ['OPTIMIZE', () => `OPTIMIZE TABLE ${raw()} FINAL`],
    ['CREATE TABLE', () => 'CREATE TABLE x (a String) ENGINE = Memory'],
    ['CREATE TEMPORARY TABLE', () => 'CREATE TEMPORARY TABLE x (a String)'],
    ['CREATE VIEW', () => `CREATE VIEW x AS SELECT * FROM ${raw()}`],
    ['CREATE OR REPLACE of a view', () => `CREATE OR REPLACE VIEW calls AS SELECT * FROM ${raw()}`],
    ['CREATE FUNCTION', () => 'CREATE FUNCTION x AS a -> a'],
    [
      'CREATE DICTIONARY',
      () => 'CREATE DICTIONARY x (a UInt64) PRIMARY KEY a SOURCE(NULL()) LAYOUT(FLAT()) LIFETIME(0)',
    ],
    ['CREATE USER', () => "CREATE USER x IDENTIFIED BY 'x'"],
    ['GRANT', () => 'GRANT ALL ON *.* TO heddle_sql'],
    ['ALTER USER', () => 'ALTER USER heddle_sql SETTINGS readonly = 0'],
    ['CREATE ROW POLICY', () => `CREATE ROW POLICY x ON ${raw()} USING 1 TO ALL`],
    ['KILL QUERY', () => 'KILL QUERY WHERE 1'],
    ['SYSTEM', () => 'SYSTEM SHUTDOWN'],
    ['BACKUP', () => `BACKUP DATABASE ${server.heddle.deps.db.name} TO File('${OUTFILE}')`],
    ['ATTACH', () => `ATTACH TABLE x FROM '${OUTFILE}' (a String) ENGINE = Memory`],
    ['DETACH', () => `DETACH TABLE ${raw()}`],
    ['two statements', () => 'SELECT 1; DROP VIEW calls'],
    ['a transaction', () => 'BEGIN TRANSACTION'],
  ])('%s is rejected', async (_, query) => {
    await expectRejected(query())
  })

  test('SYSTEM STOP MERGES does not stop merges of tables without access', async () => {
    await runSql('SYSTEM STOP MERGES')
    await runSql('SYSTEM STOP TTL MERGES')
    await server.heddle.deps.db.ddl(`OPTIMIZE TABLE ${raw()} FINAL SETTINGS optimize_throw_if_noop = 0`)
  })

  test('after all these attempts the data is unchanged', async () => {
    expect((await sqlRunner(server)(THEIRS, 'SELECT count() FROM calls')).rows).toEqual([['200']])
    expect((await runSql('SELECT count() FROM calls')).rows).toEqual([['200']])
    const stats = await server.post<{ count: number }>('/calls/query_stats', { project_id: THEIRS })
    expect(stats.count).toBe(200)
  })
})

describe('files', () => {
  test.each([
    ['file() as a table', "SELECT * FROM file('/etc/passwd', 'LineAsString', 'line String')"],
    ['file() as a table with an inferred schema', "SELECT * FROM file('/etc/passwd')"],
    ['file() as a function', "SELECT file('/etc/passwd')"],
    ['file() with a default', "SELECT file('/etc/passwd', 'nothing')"],
    ['file() as a function name', "SELECT arrayMap(file, ['/etc/passwd'])"],
    ['file() in APPLY', "SELECT * APPLY(file) FROM (SELECT '/etc/passwd')"],
    ['file() with an escaped name', "SELECT `\\x66ile`('/etc/passwd')"],
    ['file() of a relative path', "SELECT file('../../../../../../etc/passwd')"],
    ['a file as a table of a database', 'SELECT * FROM default.`/etc/passwd`'],
    ['fileCluster()', "SELECT * FROM fileCluster('default', '/etc/passwd', 'LineAsString', 'line String')"],
    ['filesystem()', "SELECT * FROM filesystem('/etc')"],
    ['INTO OUTFILE', `SELECT 1 INTO OUTFILE '${OUTFILE}'`],
    ['executable()', "SELECT * FROM executable('id', 'LineAsString', 'line String')"],
    ['input()', "SELECT * FROM input('line String')"],
    ['sqlite()', "SELECT * FROM sqlite('/etc/passwd', 'x')"],
    ['icebergLocal()', "SELECT * FROM icebergLocal('/etc')"],
    ['a CatBoost model', "SELECT catboostEvaluate('/etc/passwd', 1)"],
    ['Python()', 'SELECT * FROM Python(x)'],
  ])('%s is rejected', async (_, query) => {
    const response = await runSql(query)
    expect([query, response.status], response.text).toEqual([
      query,
      expect.toSatisfy((is: number) => is === 400 || is === 403),
    ])
    expect(response.text).not.toContain('root:')
    expect(existsSync(OUTFILE)).toBe(false)
  })
})

describe('the network', () => {
  test.each([
    ['url()', () => `SELECT * FROM url('http://${url}/', 'LineAsString', 'line String')`],
    ['urlCluster()', () => `SELECT * FROM urlCluster('default', 'http://${url}/', 'CSV', 'x String')`],
    ['s3()', () => `SELECT * FROM s3('http://${url}/b/k', 'CSV', 'x String')`],
    ['gcs()', () => `SELECT * FROM gcs('http://${url}/b/k', 'CSV', 'x String')`],
    ['hdfs()', () => `SELECT * FROM hdfs('hdfs://${url}/x', 'CSV', 'x String')`],
    [
      'azureBlobStorage()',
      () => `SELECT * FROM azureBlobStorage('http://${url}/a', 'c', 'b', 'x', 'eA==', 'CSV')`,
    ],
    ['iceberg()', () => `SELECT * FROM iceberg('http://${url}/b/k')`],
    ['deltaLake()', () => `SELECT * FROM deltaLake('http://${url}/b/k')`],
    ['remote()', () => `SELECT * FROM remote('${url}', system.one)`],
    ['remoteSecure()', () => `SELECT * FROM remoteSecure('${url}', system.one)`],
    ['mysql()', () => `SELECT * FROM mysql('${url}', 'd', 't', 'u', 'p')`],
    ['postgresql()', () => `SELECT * FROM postgresql('${url}', 'd', 't', 'u', 'p')`],
    ['mongodb()', () => `SELECT * FROM mongodb('mongodb://${url}/d', 'c', 'x String')`],
    ['redis()', () => `SELECT * FROM redis('${url}', 'k', 'k String, v String')`],
    ['an LLM function', () => "SELECT aiGenerate('x')"],
  ])('%s is rejected, and no request is sent', async (_, query) => {
    await expectRejected(query())
    expect(visits).toBe(0)
  })
})

describe('resource exhaustion', () => {
  test('a query that needs too much memory is rejected, and others still run', async () => {
    const greedy = runSql(
      'SELECT length(groupArray(repeat(toString(number), 1000))) FROM numbers(1000000000)',
    )
    expect((await runSql('SELECT count() FROM calls')).rows).toEqual([['200']])
    expect((await greedy).status).toBeGreaterThanOrEqual(400)
    await expectRejected(
      'SELECT * FROM (SELECT length(groupArray(repeat(toString(number), 1000))) FROM numbers(1000000000) SETTINGS max_memory_usage = 0, max_memory_usage_for_user = 0)',
      [422, 503, 504],
    )
  }, 120_000)

  test(
    'an endless query is cancelled by the time limit',
    { ...assertsDuration, timeout: 120_000 },
    async () => {
      const before = performance.now()
      await expectRejected(
        'SELECT max(s) FROM (SELECT sleepEachRow(1) AS s FROM numbers(1000) SETTINGS max_block_size = 1, max_execution_time = 0)',
        [504],
      )
      expect(performance.now() - before).toBeLessThan(60_000)
    },
  )

  test('a query of too many rows is rejected before it reads them', async () => {
    await expectRejected('SELECT count() FROM numbers(10000000000) WHERE number % 2 = 0', [422, 504])
  }, 120_000)

  test(
    'an endless result ends at the limit, and the query is cancelled in ClickHouse',
    { timeout: 60_000 },
    async () => {
      const response = await runSql("SELECT repeat('x', 100) FROM numbers(900000000)", { limit: 10 })
      expect(response.end).toEqual({ rows: 10, is_cut: true })
      const running = async (): Promise<string | undefined> =>
        (
          await server.heddle.deps.db.first<{ n: string }>(
            {
              parts: [
                "SELECT count() AS n FROM system.processes WHERE query LIKE 'SELECT repeat(\\'x\\', 100)%'",
              ],
            },
            { name: 'test', kind: 'point' },
          )
        )?.n
      const deadline = Date.now() + 20_000
      while ((await running()) !== '0' && Date.now() < deadline)
        await new Promise((wait) => setTimeout(wait, 100))
      expect(await running()).toBe('0')
    },
  )

  test('a deeply nested or very long query does not break the server', async () => {
    for (const query of [
      `SELECT ${'('.repeat(15_000)}1${')'.repeat(15_000)}`,
      `SELECT ${'-'.repeat(2)} \n ${'1+'.repeat(18_000)}1`,
    ]) {
      const response = await runSql(query)
      expect([200, 400, 403]).toContain(response.status)
    }
    expect((await runSql(`SELECT '${'x'.repeat(50_000)}'`)).status).toBe(422)
    expect((await runSql('SELECT 1')).rows).toEqual([[1]])
  })

  test('one project may run four concurrent queries, two per user; other projects are not affected', async () => {
    const users = await Promise.all(
      ['ann', 'bob', 'eve'].map((name) => server.user(name, { [MINE]: 'read' })),
    )
    const slow = users.flatMap((user) => [1, 2].map(() => sleepAs(user)))
    await waitUntil(async () => (await countSleeping()) === 4)
    expect((await sqlRunner(server)(THEIRS, 'SELECT 1')).status).toBe(200)
    expect(await countSleeping()).toBe(4)
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array(6).fill(200))
  })

  async function sleepAs(authorization: string): Promise<SqlResponse> {
    return sqlRunner({ send: server.as(authorization) })(MINE, 'SELECT sleep(3)')
  }

  async function countSleeping(): Promise<number> {
    const row = await server.heddle.deps.db.first<{ n: string }>(
      sql`SELECT count() AS n FROM system.processes WHERE query = 'SELECT sleep(3)'`,
      { name: 'processes', kind: 'point' },
    )
    return Number(row?.n ?? 0)
  }
})
