import { expect, test } from 'vitest'
import { pino } from 'pino'
import { openStorage } from '../../src/app/storage.ts'
import { startHeddle } from '../../src/app/heddle.ts'
import type { Database } from '../../src/store/database/database.ts'
import type { Durability } from '../../src/store/database/durability.ts'
import { applyDurability } from '../../src/store/database/table-durability.ts'
import { sql } from '../../src/store/query/sql.ts'
import { startTestServer, testSettings } from '../harness.ts'

const LOG = pino({ level: 'silent' })
const POINT = { name: 'test', kind: 'point' } as const

async function tableSettings(db: Database): Promise<string[]> {
  const rows = await db.rows<{ engine_full: string }>(
    sql`SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
    POINT,
  )
  return rows.map((row) => row.engine_full)
}

/** Number of file syncs by ClickHouse since it started. */
async function countSyncs(db: Database): Promise<number> {
  const row = await db.first<{ n: string }>(
    sql`SELECT sum(value) AS n FROM system.events WHERE event = 'FileSync'`,
    POINT,
  )
  return Number(row?.n)
}

const FSYNC = /fsync_after_insert = 1.*fsync_part_directory = 1.*min_rows_to_fsync_after_merge = 1\b/

test('with durability power every table has fsync; acknowledged inserts and merged parts are synced to disk', async () => {
  const server = await startTestServer({ durability: 'power' })
  try {
    const { db } = server.heddle.deps
    const tables = await tableSettings(db)
    expect(tables.length).toBeGreaterThan(12)
    for (const settings of tables) expect(settings).toMatch(FSYNC)
    const store = async (id: string): Promise<void> => {
      await server.post('/call/start', { start: { project_id: server.project_id, op_name: 'op', id } })
    }
    await store('first')
    const before = await countSyncs(db)
    await store('second')
    const stored = await countSyncs(db)
    // Files of the call row and of its row in call_ids.
    expect(stored - before).toBeGreaterThanOrEqual(4)
    await db.ddl('OPTIMIZE TABLE calls FINAL')
    expect((await countSyncs(db)) - stored).toBeGreaterThanOrEqual(2)
  } finally {
    await server.stop()
  }
})

test('changing the setting updates an existing database in both directions, also with several nodes concurrently', async () => {
  const settings = testSettings()
  const open = async (durability: Durability, nodes: number): Promise<string[]> => {
    const opened = await Promise.all(
      Array.from({ length: nodes }, () => openStorage({ ...settings, durability }, LOG)),
    )
    const tables = await tableSettings(opened[0]!.db)
    await Promise.all(opened.map((storage) => storage.close()))
    return tables
  }
  for (const table of await open('process', 1)) expect(table).not.toContain('fsync')
  for (const table of await open('power', 4)) expect(table).toMatch(FSYNC)
  for (const table of await open('process', 4)) expect(table).not.toContain('fsync')
  const last = await openStorage(settings, LOG)
  await last.db.ddl(`DROP DATABASE ${settings.clickhouseDatabase}`)
  await last.close()
})

test('durability quorum is rejected without replicated tables', async () => {
  await expect(startHeddle({ ...testSettings(), durability: 'quorum' }, LOG)).rejects.toThrow(
    /quorum requires replicated tables.*use "power"/,
  )
})

test('a retried insert is stored again: ClickHouse must not deduplicate it against an insert it did not store', async () => {
  const server = await startTestServer()
  try {
    const { db } = server.heddle.deps
    // An administrator may have set this for all tables.
    await db.ddl('ALTER TABLE projects MODIFY SETTING non_replicated_deduplication_window = 100')
    await db.ddl('SYSTEM STOP MERGES projects')
    const countAfterTwo = async (project_id: string): Promise<unknown> => {
      for (let n = 0; n < 2; n++)
        await db.ddl(
          `INSERT INTO projects (project_id) SETTINGS insert_deduplication_token = '${project_id}' VALUES ('${project_id}')`,
        )
      const stored = sql`SELECT toUInt32(count()) AS n FROM projects WHERE project_id = ${project_id}`
      return db.first(stored, POINT)
    }
    expect(await countAfterTwo('a/taken-for-a-copy')).toEqual({ n: 1 })
    await applyDurability(db, 'process')
    expect(await countAfterTwo('a/stored-again')).toEqual({ n: 2 })
  } finally {
    await server.stop()
  }
})
