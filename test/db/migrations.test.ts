import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase } from '../../src/store/database/create-database.ts'
import { Database } from '../../src/store/database/database.ts'
import { migrate, type Migration, readMigrations } from '../../src/store/database/migrations.ts'
import { planMigrations } from '../../src/store/database/migration-plan.ts'
import { sql } from '../../src/store/query/sql.ts'
import { testDatabase, testSettings } from '../harness.ts'
import { type CliResult, runCli } from '../run-cli.ts'

/** Migrations of several releases: later ones alter what earlier ones created. */
const SEVERAL_RELEASES = {
  '0001_notes.sql': `-- A first table.
CREATE TABLE IF NOT EXISTS notes (id String, text String) ENGINE = MergeTree ORDER BY id;

CREATE TABLE IF NOT EXISTS note_ids (id String) ENGINE = MergeTree ORDER BY id;
`,
  '0002_authors.sql': `ALTER TABLE notes ADD COLUMN IF NOT EXISTS author String;

ALTER TABLE notes ADD COLUMN IF NOT EXISTS created_at DateTime64(6, 'UTC');
`,
  '0003_view.sql': `CREATE MATERIALIZED VIEW IF NOT EXISTS note_ids_from_notes TO note_ids AS SELECT id FROM notes;
`,
}

let db: Database
let shipped: Migration[]
let several: Migration[]
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heddle-migrations-'))
  for (const [name, text] of Object.entries(SEVERAL_RELEASES)) await writeFile(join(directory, name), text)
  await writeFile(join(directory, 'schema.sql'), 'not a migration')
})

afterAll(() => rm(directory, { recursive: true, force: true }))

beforeEach(async () => {
  const settings = testSettings()
  const target = testDatabase(settings)
  await createDatabase(target)
  db = new Database(target)
  shipped = await readMigrations()
  several = await readMigrations(directory)
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

describe.each(['the shipped migrations', 'migrations of several releases'])('%s', (which) => {
  const migrations = (): Migration[] => (which === 'the shipped migrations' ? shipped : several)

  test('apply once and do nothing the second time', async () => {
    expect(await migrate(db, migrations())).toEqual(migrations().map((migration) => migration.name))
    const before = await tables()
    expect(before).toContain(which === 'the shipped migrations' ? 'calls' : 'note_ids_from_notes')
    expect(await migrate(db, migrations())).toEqual([])
    expect(await tables()).toEqual(before)
  })

  test('are applied by concurrent nodes without errors, to one schema', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(db, migrations())))
    expect(await migrate(db, migrations())).toEqual([])
    const versions = await db.rows(sql`SELECT version FROM schema_migrations FINAL`, {
      name: 'applied versions',
      kind: 'point',
    })
    expect(versions).toHaveLength(migrations().length)
  })

  test('are run again after an interruption', async () => {
    for (const [n, migration] of migrations().entries()) {
      const { statements } = migration
      for (const statement of statements.slice(0, Math.ceil(statements.length / 2))) await db.ddl(statement)
      expect(await migrate(db, migrations().slice(0, n + 1))).toEqual([migration.name])
    }
  })

  test('have only idempotent statements', async () => {
    await migrate(db, migrations())
    const before = await tables()
    for (const { statements } of migrations()) for (const statement of statements) await db.ddl(statement)
    expect(await tables()).toEqual(before)
  })
})

test('one that changed after it was applied is rejected with its name', async () => {
  await migrate(db, several)
  const changed = several.map((each) => (each.version === 3 ? { ...each, checksum: 'other' } : each))
  await expect(migrate(db, changed)).rejects.toThrow(/0003_view\.sql was changed/)
})

test('those of a newer schema are rejected by an older Heddle', async () => {
  await migrate(db, several)
  await expect(migrate(db, several.slice(0, -1))).rejects.toThrow(
    'the database was migrated by a newer Heddle: its schema has version 3 (0003_view), and this Heddle knows versions up to 2 (0002_authors); run a newer Heddle, or restore a backup from before the upgrade',
  )
})

test('only the missing migrations are applied to an existing database', async () => {
  expect(await migrate(db, several.slice(0, 1))).toEqual(['0001_notes'])
  expect(await migrate(db, several)).toEqual(['0002_authors', '0003_view'])
  const columns = await db.rows<{ name: string }>(
    sql`SELECT name FROM system.columns WHERE database = ${db.name} AND table = 'notes' ORDER BY position`,
    { name: 'columns', kind: 'point' },
  )
  expect(columns.map(({ name }) => name)).toEqual(['id', 'text', 'author', 'created_at'])
})

const cli = (...args: readonly string[]): Promise<CliResult> =>
  runCli(args, {
    env: {
      HEDDLE_CLICKHOUSE_URL: db.settings.url,
      HEDDLE_CLICKHOUSE_USER: db.settings.username,
      HEDDLE_CLICKHOUSE_PASSWORD: db.settings.password,
      HEDDLE_CLICKHOUSE_DATABASE: db.name,
    },
  })

describe('the plan', () => {
  test('of a database that does not exist lists every migration and does not create it', async () => {
    await db.ddl(`DROP DATABASE ${db.name}`)
    const { code, stdout } = await cli('migrate', '--plan', '--json')
    expect(code).toBe(0)
    const plan = JSON.parse(stdout) as Record<string, unknown>[]
    expect(plan.map(({ migration }) => migration)).toEqual(shipped.map(({ name }) => name))
    expect(
      plan.every(({ rewrites_data, description }) => rewrites_data === false && description !== ''),
    ).toBe(true)
    await expect(tables()).rejects.toThrow('does not exist')
    await createDatabase(db.settings)
  })

  test('names the migrations that are missing, and the rows that they rewrite', async () => {
    await migrate(db, several)
    await db.ddl(`INSERT INTO notes (id) SELECT toString(number) FROM numbers(10)`)
    const pending = [
      {
        version: 4,
        name: '0004_index',
        description: 'An index.',
        statements: ['ALTER TABLE notes ADD INDEX x id TYPE minmax'],
      },
      {
        version: 5,
        name: '0005_numbers',
        description: 'Numbers.',
        statements: [
          "ALTER TABLE notes ADD COLUMN n UInt8 DEFAULT length('MATERIALIZE')",
          'ALTER TABLE notes\n    MATERIALIZE COLUMN n',
          'ALTER TABLE note_ids DELETE WHERE id = 1',
        ],
      },
    ].map((migration) => ({ ...migration, checksum: migration.name }))
    const before = await tables()
    expect(await planMigrations([{ host: undefined, db }], [...several, ...pending])).toEqual([
      { name: '0004_index', description: 'An index.', servers: [], rewritten: [] },
      {
        name: '0005_numbers',
        description: 'Numbers.',
        servers: [],
        rewritten: [
          { table: 'note_ids', rows: 10, bytes: expect.any(Number) as number },
          { table: 'notes', rows: 10, bytes: expect.any(Number) as number },
        ],
      },
    ])
    expect(await tables()).toEqual(before)
    expect(await planMigrations([{ host: undefined, db }], several)).toEqual([])
  })

  test('of a database that is up to date is empty; one of a newer Heddle is refused', async () => {
    await migrate(db, shipped)
    expect(await cli('migrate', '--plan')).toMatchObject({ code: 0, stdout: 'the database is up to date\n' })
    await db.insert('schema_migrations', [{ version: 9999, name: '9999_of_the_future', checksum: 'x' }])
    for (const args of [['migrate', '--plan'], ['migrate'], ['users', 'list']]) {
      const { code, stderr } = await cli(...args)
      expect([args, code]).toEqual([args, 1])
      expect(stderr).toMatch(
        /version 9999 \(9999_of_the_future\).*up to \d+ \(0.*run a newer Heddle, or restore a backup/,
      )
    }
  })
})

test('a database of a build before 0.1.0 is refused in one sentence, and not changed', async () => {
  await db.ddl('CREATE TABLE calls (id String, origin UInt8) ENGINE = MergeTree ORDER BY id')
  await migrate(db, [])
  for (const [version, name] of [
    [1, '0001_initial'],
    [2, '0002_start_hash'],
    [12, '0012_empty_exception'],
  ] as const)
    await db.insert('schema_migrations', [{ version, name, checksum: `of ${name}` }])
  const before = await tables()
  const sentence =
    /the database was written by a build of Heddle before 0\.1\.0, which this version cannot read: start with an empty data directory or database; to keep projects, export them with the `export` command of that build, and import them with `.* import heddle`\n$/
  for (const args of [['serve', '--port', '0'], ['migrate'], ['migrate', '--plan'], ['users', 'list']]) {
    const { code, stderr } = await cli(...args)
    expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(sentence)])
  }
  const doctor = await cli('doctor', '--json')
  const { findings } = JSON.parse(doctor.stdout) as { findings: Record<string, string>[] }
  expect(doctor.code).toBe(1)
  expect(findings).toContainEqual({
    check: 'migrations',
    level: 'problem',
    message: expect.stringContaining('before 0.1.0') as string,
    remedy: expect.stringContaining('`export` command of that build') as string,
  })
  expect(await tables()).toEqual(before)
})
