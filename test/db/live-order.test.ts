import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ExternalClickHouse, startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { isBefore, type LiveCursor } from '../../src/core/live/live-cursor.ts'
import { cursorAfter, type LogRow } from '../../src/core/live/live-events.ts'
import { createDatabase } from '../../src/store/database/create-database.ts'
import { Database } from '../../src/store/database/database.ts'
import { listLive } from '../../src/store/live/live-log.ts'
import { migrate, readMigrations } from '../../src/store/database/migrations.ts'

/**
 * The assumption of the live feed: ClickHouse numbers rows of the live log in the order in which they become visible,
 * and keeps the numbers. Otherwise a cursor could pass a row that is not visible yet, and its event would be lost.
 */
const PROJECT = 'acme/order'
let directory = ''
let clickhouse: ExternalClickHouse
let db: Database

async function connect(): Promise<void> {
  const target = {
    url: clickhouse.url,
    username: 'default',
    password: '',
    database: 'heddle',
    retryWindowMs: 20_000,
    durability: 'process' as const,
  }
  await createDatabase(target)
  db = new Database(target)
  await migrate(db, await readMigrations())
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-order-'))
  clickhouse = await startExternalClickHouse(directory)
  await connect()
})

afterAll(async () => {
  await db.close()
  await clickhouse.stop()
  await rm(directory, { recursive: true, force: true })
})

let serial = 0

/** Inserts calls of several months, so that one insert creates several parts of `calls`. */
async function insert(rows: number): Promise<void> {
  const name = `i${serial++}`
  await db.ddl(
    `INSERT INTO calls (project_id, id, started_at, version, start_version)
     SELECT '${PROJECT}', '${name}-' || toString(number), toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + number % 5 * 2678400, 1, 1
     FROM numbers(${rows}) SETTINGS max_block_size = 5000, min_insert_block_size_rows = 5000`,
  )
}

/** Reads until `isOver`, in pages that split blocks; throws if a row appears before the cursor. */
async function follow(from: LiveCursor, isOver: () => boolean): Promise<LogRow[]> {
  const seen: LogRow[] = []
  let cursor = from
  for (let [isLast, pages] = [false, 0]; !isLast; pages++) {
    const isStopping = isOver()
    const page = { limit: 3_001, order: { delayMs: 0 } }
    // Every other page with another project, because one alone is read by another statement.
    const project_ids = pages % 2 === 0 ? [PROJECT] : [PROJECT, 'acme/other']
    const cursors = project_ids.map((project_id) => ({ project_id, cursor }))
    const rows = (await listLive(db, cursors, page)).get(PROJECT) ?? []
    for (const row of rows) {
      if (isBefore(row, cursor)) throw new Error('a row appeared before the cursor')
      seen.push(row)
    }
    cursor = rows.length === 0 ? cursor : cursorAfter(rows.at(-1)!)
    isLast = isStopping && rows.length === 0
  }
  return seen
}

const startCursor = (): LiveCursor => ({ at: BigInt(Date.now()) * 1000n, block: 0, offset: 0, step: 0 })

test('no row appears before a cursor that was read, during inserts of all sizes and merges', async () => {
  const from = startCursor()
  let over = false
  const reading = follow(from, () => over)
  const deadline = performance.now() + 6_000
  const inserters = [1, 3, 100, 20_000, 40_000].map(async (rows) => {
    let written = 0
    while (performance.now() < deadline) {
      await insert(rows)
      written += rows
    }
    return written
  })
  const merging = (async () => {
    while (performance.now() < deadline) {
      await db.ddl('OPTIMIZE TABLE live_log FINAL')
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })()
  const written = (await Promise.all(inserters)).reduce((sum, n) => sum + n, 0)
  await merging
  over = true
  const seen = await reading
  expect(seen.length).toBe(written)
  expect(new Set(seen.map((row) => row.id)).size).toBe(written)

  // Reads again from the start after a restart: every row has its old position, and new rows come after.
  await db.ddl('OPTIMIZE TABLE live_log FINAL')
  await db.close()
  await clickhouse.kill()
  clickhouse = await startExternalClickHouse(directory)
  await connect()
  await insert(10)
  const again = await follow(from, () => true)
  const rowPositions = (rows: readonly LogRow[]) =>
    rows.map(({ id, block, offset }) => `${block}.${offset} ${id}`)
  expect(rowPositions(again).slice(0, written)).toEqual(rowPositions(seen))
  expect(again.length).toBe(written + 10)
})
