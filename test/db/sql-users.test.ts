import { afterAll, expect, test } from 'vitest'
import type { Settings } from '../../src/app/settings.ts'
import { startTestServer, testSettings, type TestServer } from '../harness.ts'
import { sqlRunner } from '../sql.ts'

/** The ClickHouse user for SQL queries: SQL is disabled unless ClickHouse confines that user. */
const servers: TestServer[] = []

afterAll(async () => {
  for (const server of servers) await server.stop()
})

async function runSql(flags: Partial<Settings>): Promise<{ status: number; text: string }> {
  const server = await startTestServer(flags)
  servers.push(server)
  const response = await sqlRunner(server)('acme/demo', 'SELECT 1')
  // Other operations work regardless.
  const start = {
    project_id: 'acme/demo',
    op_name: 'op',
    started_at: '2026-03-01T00:00:00Z',
    attributes: {},
    inputs: {},
  }
  await server.post('/call/start', { start })
  return response
}

test('if the SQL user neither exists nor can be created, SQL returns 501 with the statements to run', async () => {
  const { status, text } = await runSql({ clickhouseSqlUser: 'nobody_at_all', clickhouseSqlPassword: 'x' })
  expect([status, text]).toEqual([501, expect.stringContaining('CREATE USER')])
  expect(text).toContain('HEDDLE_CLICKHOUSE_SQL_USER')
})

test('a user with more rights than reading the views is not used', async () => {
  const { clickhouseUser, clickhousePassword } = testSettings()
  const { status, text } = await runSql({
    clickhouseSqlUser: clickhouseUser,
    clickhouseSqlPassword: clickhousePassword,
  })
  expect([status, text]).toEqual([501, expect.stringContaining('may read tables')])
})

test('two servers on one ClickHouse concurrently create the views of their own databases', async () => {
  const responses = await Promise.all([runSql({}), runSql({})])
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
})
