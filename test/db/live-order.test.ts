import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PlainEngine, startPlainEngine } from '../../scripts/external-clickhouse.ts'
import { isBefore, type LiveCursor } from '../../src/core/live/live-cursor.ts'
import { after, type LogRow } from '../../src/core/live/live-events.ts'
import { createDatabase, Database } from '../../src/store/database/database.ts'
import { listLive } from '../../src/store/live/live-log.ts'
import { migrate, readMigrations } from '../../src/store/database/migrations.ts'

/**
 * What the live feed rests on: the engine numbers rows of the log in the order in which they become visible, and keeps
 * the numbers. Otherwise a cursor could pass a row that is not there yet, and nobody would ever be told of it.
 */
const PROJECT = 'acme/order'
let directory = ''
let engine: PlainEngine
let db: Database

async function connect(): Promise<void> {
  const target = {
    url: engine.url,
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
  engine = await startPlainEngine(directory)
  await connect()
})

afterAll(async () => {
  await db.close()
  await engine.stop()
  await rm(directory, { recursive: true, force: true })
})

let serial = 0

/** Calls of several months, so that one insert makes several parts of `calls`. */
async function insert(rows: number): Promise<void> {
  const name = `i${serial++}`
  await db.ddl(
    `INSERT INTO calls (project_id, id, started_at, version, start_version)
     SELECT '${PROJECT}', '${name}-' || toString(number), toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + number % 5 * 2678400, 1, 1
     FROM numbers(${rows}) SETTINGS max_block_size = 5000, min_insert_block_size_rows = 5000`,
  )
}

/** Reads until told to stop, by pages that cut through blocks; fails if anything comes below what was read. */
async function follow(from: LiveCursor, isOver: () => boolean): Promise<LogRow[]> {
  const seen: LogRow[] = []
  let cursor = from
  for (let isLast = false; !isLast;) {
    const isLate = isOver()
    const rows = await listLive(db, PROJECT, cursor, { limit: 3_001, order: { settleMs: 0 } })
    for (const row of rows) {
      if (isBefore(row, cursor)) throw new Error('a row came after its place was passed')
      seen.push(row)
    }
    cursor = rows.length === 0 ? cursor : after(rows.at(-1)!)
    isLast = isLate && rows.length === 0
  }
  return seen
}

const BEGIN = (): LiveCursor => ({ at: BigInt(Date.now()) * 1000n, block: 0, offset: 0, step: 0 })

test('no row appears below a place that was read, while inserts of all sizes and merges go on', async () => {
  const from = BEGIN()
  let over = false
  const reading = follow(from, () => over)
  const until = performance.now() + 6_000
  const inserters = [1, 3, 100, 20_000, 40_000].map(async (rows) => {
    let written = 0
    while (performance.now() < until) {
      await insert(rows)
      written += rows
    }
    return written
  })
  const merging = (async () => {
    while (performance.now() < until) {
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

  // The same again, from the beginning, after a restart: every row in its old place, and new ones above.
  await db.ddl('OPTIMIZE TABLE live_log FINAL')
  await db.close()
  await engine.kill()
  engine = await startPlainEngine(directory)
  await connect()
  await insert(10)
  const again = await follow(from, () => true)
  const places = (rows: readonly LogRow[]) => rows.map(({ id, block, offset }) => `${block}.${offset} ${id}`)
  expect(places(again).slice(0, written)).toEqual(places(seen))
  expect(again.length).toBe(written + 10)
})
