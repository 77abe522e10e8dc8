import { expect, test } from 'vitest'
import { Database } from '../../src/store/database/database.ts'
import { sql } from '../../src/store/query/sql.ts'
import { testSettings } from '../harness.ts'

test('an insert is always waited for, whatever the ClickHouse profile sets', async () => {
  const settings = testSettings()
  const url = new URL(settings.clickhouseUrl ?? '')
  // Acts like a profile: settings of a statement take precedence over it.
  url.searchParams.set('clickhouse_setting_wait_for_async_insert', '0')
  const db = new Database({
    url: url.href,
    username: settings.clickhouseUser,
    password: settings.clickhousePassword,
    database: 'default',
    retryWindowMs: 1_000,
    durability: settings.durability,
  })
  try {
    const row = await db.first<{ waits: boolean }>(sql`SELECT getSetting('wait_for_async_insert') AS waits`, {
      name: 'test setting',
      kind: 'point',
    })
    expect(row).toEqual({ waits: true })
  } finally {
    await db.close()
  }
})
