import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from './database.ts'
import { type Sql, sql } from '../query/sql.ts'

/**
 * Schema migrations: plain SQL files, forward only. Each statement is idempotent (`IF NOT EXISTS`), so an interrupted
 * migration is simply run again, and nodes that start together need no lock: they do the same work twice. An applied
 * file may never change; its checksum is stored.
 */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly checksum: string
  readonly statements: readonly string[]
}

const DIRECTORY = fileURLToPath(new URL('../../../migrations/', import.meta.url))

export async function readMigrations(directory = DIRECTORY): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => /^\d{4}_.*\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(directory, file), 'utf8')
      return {
        version: Number(file.slice(0, 4)),
        name: file.replace(/\.sql$/, ''),
        checksum: createHash('sha256').update(text).digest('hex'),
        statements: splitStatements(text),
      }
    }),
  )
}

/** Statements end with a semicolon at the end of a line. Lines that start with `--` are comments. */
function splitStatements(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

const CREATE_MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations
(
    version UInt32,
    name String,
    checksum String,
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(applied_at) ORDER BY version`

interface AppliedMigration {
  readonly version: number
  readonly checksum: string
}

/** Applies the migrations that are missing and returns their names. */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  await db.ddl(CREATE_MIGRATIONS_TABLE)
  const applied = new Map((await readApplied(db)).map((row) => [row.version, row.checksum]))
  const newest = Math.max(0, ...applied.keys())
  const known = Math.max(0, ...migrations.map((migration) => migration.version))
  if (newest > known) {
    throw new Error(
      `the database has schema version ${newest}, but this Heddle knows only ${known}: run a newer Heddle`,
    )
  }
  if (new Set(migrations.map(({ version }) => version)).size < migrations.length)
    throw new Error('two files in migrations/ have the same number')
  const done: string[] = []
  for (const migration of migrations) {
    const checksum = applied.get(migration.version)
    if (checksum === migration.checksum) continue
    if (checksum !== undefined) {
      throw new Error(
        `migrations/${migration.name}.sql was changed after it was applied; add a new migration instead`,
      )
    }
    for (const statement of migration.statements) await db.ddl(statement)
    const { version, name } = migration
    await db.insert('schema_migrations', [{ version, name, checksum: migration.checksum }])
    done.push(name)
  }
  return done
}

export async function readApplied(db: Database): Promise<AppliedMigration[]> {
  return db.rows<AppliedMigration>(selectApplied, { name: 'migrations applied', kind: 'point' })
}

export const selectApplied: Sql = sql`SELECT version, checksum FROM schema_migrations FINAL ORDER BY version`
