import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../src/store/database/create-database.ts'
import { Database, type DatabaseSettings } from '../../src/store/database/database.ts'
import type { QueryClass } from '../../src/store/database/read-limits.ts'
import { bound, sql } from '../../src/store/query/sql.ts'
import { testDatabase, testSettings } from '../harness.ts'

/** Statements of one kind that occupy all their connections must not delay statements of another kind. */
const settings = testSettings()
const target: DatabaseSettings = {
  ...testDatabase(settings),
  concurrency: { maxConcurrent: 1, maxPerUser: 1, maxPerProject: 1, waitMs: 1_000 },
}

async function withDatabase(work: (db: Database) => Promise<void>): Promise<void> {
  const db = new Database(target)
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

beforeAll(async () => {
  await createDatabase(target)
  await withDatabase(async (db) => {
    for (const table of ['calls', 'users', 'feedback'])
      await db.ddl(`CREATE TABLE ${table} (a UInt8) ENGINE = MergeTree ORDER BY a`)
  })
})

afterAll(() => withDatabase((db) => db.ddl(`DROP DATABASE ${target.database}`)))

/** Every kind of statement, each quick. */
const STATEMENTS: Readonly<Record<string, (db: Database) => Promise<unknown>>> = {
  'an insert of calls': (db) => db.insertBinary('calls', ['a'], [Buffer.from([1])]),
  'an insert of feedback': (db) => db.insert('feedback', [{ a: 1 }]),
  'an insert of a user': (db) => db.insert('users', [{ a: 1 }]),
  'a read on the write path': (db) => read(db, 'write'),
  'a read by id': (db) => read(db, 'point'),
  'a list': (db) => read(db, 'list'),
  'an export': (db) => read(db, 'export'),
  'a poll of the live feed': (db) => read(db, 'live'),
  'a read of users and keys': (db) => read(db, 'access'),
}

function read(db: Database, kind: QueryClass, sleepSeconds = 0): Promise<unknown> {
  return db.rows(sql`SELECT sleep(${bound('UInt8', sleepSeconds)})`, { name: 'test', kind })
}

const OCCUPY_SECONDS = 3

test.concurrent.each<{ title: string; kind: QueryClass; connections: number; sharing: readonly string[] }>([
  { title: 'lists', kind: 'list', connections: 4, sharing: ['a list'] },
  { title: 'exports', kind: 'export', connections: 2, sharing: ['an export'] },
  { title: 'reads by id', kind: 'point', connections: 48, sharing: ['a read by id'] },
  { title: 'polls of the live feed', kind: 'live', connections: 8, sharing: ['a poll of the live feed'] },
  {
    title: 'reads on the write path',
    kind: 'write',
    connections: 16,
    sharing: ['a read on the write path', 'an insert of calls'],
  },
  {
    title: 'reads of users and keys',
    kind: 'access',
    connections: 8,
    sharing: ['a read of users and keys', 'an insert of a user'],
  },
])(
  'while $title occupy all their connections, only statements of the same pool wait',
  ({ kind, connections, sharing }) =>
    withDatabase(async (db) => {
      const occupying = Array.from({ length: connections }, () => read(db, kind, OCCUPY_SECONDS))
      await new Promise((resolve) => setTimeout(resolve, 500))
      const startedAt = performance.now()
      const waited = await Promise.all(
        Object.entries(STATEMENTS).map(async ([name, run]) => {
          await run(db)
          return [name, performance.now() - startedAt] as const
        }),
      )
      await Promise.all(occupying)
      const slow = waited.filter(([, ms]) => ms > (OCCUPY_SECONDS * 1_000) / 2).map(([name]) => name)
      expect(slow.toSorted(), JSON.stringify(waited)).toEqual(sharing.toSorted())
    }),
)
