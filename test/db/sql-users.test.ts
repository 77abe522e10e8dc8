import { afterAll, expect, test } from 'vitest'
import type { Settings } from '../../src/app/settings.ts'
import { startTestServer, testSettings, type TestServer } from '../harness.ts'
import { sqlCaller } from '../sql.ts'

/** Who runs the SQL of people: nobody, unless the engine confines that user. */
const servers: TestServer[] = []

afterAll(async () => {
  for (const server of servers) await server.stop()
})

async function ask(flags: Partial<Settings>): Promise<{ status: number; text: string }> {
  const server = await startTestServer(flags)
  servers.push(server)
  const answer = await sqlCaller(server)('acme/demo', 'SELECT 1')
  // What else Heddle does is not touched by it.
  const start = {
    project_id: 'acme/demo',
    op_name: 'op',
    started_at: '2026-03-01T00:00:00Z',
    attributes: {},
    inputs: {},
  }
  await server.post('/call/start', { start })
  return answer
}

test('where the user of SQL can neither be found nor made, SQL answers 501 and says what to grant', async () => {
  const { status, text } = await ask({ clickhouseSqlUser: 'nobody_at_all', clickhouseSqlPassword: 'x' })
  expect([status, text]).toEqual([501, expect.stringContaining('CREATE USER')])
  expect(text).toContain('HEDDLE_CLICKHOUSE_SQL_USER')
})

test('a user who may do more than read views is not used', async () => {
  const { clickhouseUser, clickhousePassword } = testSettings()
  const { status, text } = await ask({
    clickhouseSqlUser: clickhouseUser,
    clickhouseSqlPassword: clickhousePassword,
  })
  expect([status, text]).toEqual([501, expect.stringContaining('may read tables')])
})

test('two servers at one engine make each the views of its own database, at the same time', async () => {
  const answers = await Promise.all([ask({}), ask({})])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})
