import { expect, test } from 'vitest'
import { Database } from '../../src/store/database/database.ts'
import { sql } from '../../src/store/query/sql.ts'
import { testSettings } from '../harness.ts'

test('an insert is waited for, whatever the profile of a ClickHouse says', async () => {
  const settings = testSettings()
  const url = new URL(settings.clickhouseUrl ?? '')
  // As a profile would: what a statement sets itself comes before it.
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
