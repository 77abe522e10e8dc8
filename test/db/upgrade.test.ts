import { afterEach, expect, test } from 'vitest'
import { operationNames, operations } from '../../src/contract/operations.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { createDatabase } from '../../src/store/database/create-database.ts'
import { Database } from '../../src/store/database/database.ts'
import { migrate, readMigrations } from '../../src/store/database/migrations.ts'
import { startTestServer, type TestServer, testDatabase, testSettings } from '../harness.ts'
import { API_KEY } from '../upgrade/api.ts'
import { findDifferences } from '../upgrade/compare.ts'
import { writeAndRead } from '../upgrade/continue.ts'
import { type Fixture, fixtures } from '../upgrade/fixture.ts'
import { readsOf } from '../upgrade/reads.ts'
import { restoreTables } from '../upgrade/restore.ts'

/** Databases of releases since 0.1.0, opened by this one (docs/releasing.md). */

let server: TestServer | undefined

afterEach(async () => {
  await server?.stop()
  server = undefined
})

/** Restores the database of a fixture, prepares it, and starts a server on it. */
async function openRestored(
  fixture: Fixture,
  prepare: (db: Database) => Promise<void> = async () => {},
): Promise<TestServer> {
  const settings = testSettings()
  const target = testDatabase(settings)
  await createDatabase(target)
  const db = new Database(target)
  try {
    await restoreTables(db, fixture, await readMigrations())
    await prepare(db)
  } finally {
    await db.close()
  }
  return startTestServer({ clickhouseDatabase: settings.clickhouseDatabase, initApiKey: API_KEY })
}

test.each(fixtures())(
  'every read of the database of $name returns what it did, and writes continue',
  async (fixture) => {
    server = await openRestored(fixture)
    expect(await findDifferences(server.url, fixture)).toEqual([])
    await writeAndRead(server.url)
  },
)

test('a database is upgraded from wherever an earlier upgrade was interrupted', async () => {
  const [oldest] = fixtures()
  const all = await readMigrations()
  // The last one was applied, but not recorded.
  const interrupted = all.slice(0, -1)
  server = await openRestored(oldest!, async (db) => {
    for (let n = 2; n <= interrupted.length; n++) await migrate(db, interrupted.slice(0, n))
    for (const statement of all.at(-1)?.statements ?? []) await db.ddl(statement)
  })
  expect(await findDifferences(server.url, oldest!)).toEqual([])
})

/** Its contents are those of the last day. */
const NOT_IN_FIXTURES: readonly string[] = ['project_live']

test('the next fixture reads every operation that reads data of a project', () => {
  const version = { object_id: 'o', digest: 'd' }
  const requests = readsOf({
    object: version,
    op: version,
    dataset: version,
    scorer: version,
    model: version,
    evaluation: version,
    table: 't',
    file: 'f',
    evaluation_run_id: 'r',
    prediction_id: 'p',
    score_id: 's',
    queue_id: 'q',
    span_call_id: 'c',
  })
  const missing = operationNames().filter((name) => {
    const { access, method, path } = operations[name] as unknown as Operation
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
    return (
      access === 'read' &&
      !requests.some((request) => request.method === method && pattern.test(request.path))
    )
  })
  expect(missing, 'add a read to test/upgrade/reads.ts').toEqual(NOT_IN_FIXTURES)
})
