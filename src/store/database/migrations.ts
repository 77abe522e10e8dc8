import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from './database.ts'
import { type Sql, sql } from '../query/sql.ts'

/**
 * Plain SQL files, forward only. Each statement can be repeated without harm (`IF NOT EXISTS`), so a migration
 * that was cut off is simply run again and nodes that race do the same work twice; there is no lock to lose. An
 * applied file may never change: its checksum is kept.
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
        statements: statementsOf(text),
      }
    }),
  )
}

/** Statements end with a semicolon at the end of a line; `--` lines are comments. */
function statementsOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join('\n')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migrations
(
    version UInt32,
    name String,
    checksum String,
    applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(applied_at) ORDER BY version`

interface Applied {
  readonly version: number
  readonly checksum: string
}

/** Brings the schema up to date; returns the names of what was applied now. */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  await db.ddl(LEDGER)
  const applied = new Map((await readApplied(db)).map((row) => [row.version, row.checksum]))
  const newest = Math.max(0, ...applied.keys())
  const known = Math.max(0, ...migrations.map((migration) => migration.version))
  if (newest > known) {
    throw new Error(`the database is at schema ${newest}, this Heddle knows ${known}: run the newer Heddle`)
  }
  const done: string[] = []
  for (const migration of migrations) {
    const checksum = applied.get(migration.version)
    if (checksum === migration.checksum) continue
    if (checksum !== undefined) {
      throw new Error(
        `migrations/${migration.name}.sql was changed after it was applied; add a new file instead`,
      )
    }
    for (const statement of migration.statements) await db.ddl(statement)
    const { version, name } = migration
    await db.insert('schema_migrations', [{ version, name, checksum: migration.checksum }])
    done.push(name)
  }
  return done
}

async function readApplied(db: Database): Promise<Applied[]> {
  return db.rows<Applied>(selectApplied, { name: 'migrations applied', kind: 'point' })
}

export const selectApplied: Sql = sql`SELECT version, checksum FROM schema_migrations FINAL ORDER BY version`
