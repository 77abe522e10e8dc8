import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, Database } from '../../src/store/database/database.ts'
import { migrate, type Migration, readMigrations } from '../../src/store/database/migrations.ts'
import { sql } from '../../src/store/query/sql.ts'
import { testSettings } from '../harness.ts'

let db: Database
let migrations: Migration[]

beforeEach(async () => {
  const settings = testSettings()
  const target = {
    url: settings.clickhouseUrl ?? '',
    username: settings.clickhouseUser,
    password: settings.clickhousePassword,
    database: settings.clickhouseDatabase,
    retryWindowMs: 1_000,
    durability: 'process' as const,
  }
  await createDatabase(target)
  db = new Database(target)
  migrations = await readMigrations()
})

afterEach(async () => {
  await db.ddl(`DROP DATABASE IF EXISTS ${db.name}`)
  await db.close()
})

async function tables(): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = ${db.name} ORDER BY name`,
    { name: 'tables', kind: 'point' },
  )
  return rows.map((row) => row.name)
}

test('migrations apply once and do nothing the second time', async () => {
  expect(await migrate(db, migrations)).toEqual(migrations.map((migration) => migration.name))
  const before = await tables()
  expect(before).toContain('calls')
  expect(await migrate(db, migrations)).toEqual([])
  expect(await tables()).toEqual(before)
})

test('nodes that race all succeed and leave one schema', async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(db, migrations)))
  expect(await migrate(db, migrations)).toEqual([])
  const versions = await db.rows(sql`SELECT version FROM schema_migrations FINAL`, {
    name: 'ledger',
    kind: 'point',
  })
  expect(versions).toHaveLength(migrations.length)
})

test('a migration that was cut off half-way is simply run again', async () => {
  for (const [n, migration] of migrations.entries()) {
    for (const statement of migration.statements.slice(0, 1)) await db.ddl(statement)
    expect(await migrate(db, migrations.slice(0, n + 1))).toEqual([migration.name])
  }
})

test('a migration changed after it was applied is refused by name', async () => {
  await migrate(db, migrations)
  const [first, ...rest] = migrations
  const changed = [{ ...first!, checksum: 'other' }, ...rest]
  await expect(migrate(db, changed)).rejects.toThrow(/0001_calls\.sql was changed/)
})

test('an older Heddle does not touch a newer schema', async () => {
  await migrate(db, migrations)
  await expect(migrate(db, migrations.slice(0, -1))).rejects.toThrow(/run the newer Heddle/)
})
