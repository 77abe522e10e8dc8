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
  /** The comment at the top of the file: what the migration is for. */
  readonly description: string
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
        description: firstComment(text),
        statements: splitStatements(text),
      }
    }),
  )
}

function firstComment(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('--'))
  return lines
    .slice(0, Math.max(0, end))
    .map((line) => line.replace(/^--\s*/, ''))
    .join(' ')
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
  readonly name: string
  readonly checksum: string
}

/**
 * Applies the migrations that are missing on this server and returns their names. The record of applied ones is never
 * replicated: other replicas would skip them.
 */
export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  adapt: (statement: string) => string = (statement) => statement,
): Promise<string[]> {
  const done: string[] = []
  for (const migration of await findPending(db, migrations)) {
    for (const statement of migration.statements) await db.ddl(adapt(statement))
    const { version, name } = migration
    await db.insert('schema_migrations', [{ version, name, checksum: migration.checksum }])
    done.push(name)
  }
  return done
}

/** The migrations that are missing in a database, which may be empty. Throws as `pendingMigrations` does. */
export async function findPending(
  db: Database,
  migrations: readonly Migration[],
  host?: string,
): Promise<Migration[]> {
  await db.ddl(CREATE_MIGRATIONS_TABLE)
  const applied = await readApplied(db)
  return onServer(host, () => pendingMigrations(applied, migrations))
}

/** Names the server in the message of an error that concerns the migrations of one of several. */
export function onServer<Result>(host: string | undefined, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (host === undefined) throw error
    throw new Error(`${host}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/** What a database and a backup of a build before 0.1.0 have in common: they cannot be migrated. */
export const PRE_RELEASE = {
  fact: 'was written by a build of Heddle before 0.1.0, which this version cannot read',
  remedy:
    'start with an empty data directory or database; to keep projects, export them with the `export` command of that build, and import them with `heddle import heddle`',
} as const

/** Whether a build before 0.1.0 applied these migrations: its first one differs, and the released one never changes. */
export function isPreRelease(
  applied: readonly Pick<Migration, 'version' | 'checksum'>[],
  [first]: readonly Migration[],
): boolean {
  return applied.some(({ version, checksum }) => version === first?.version && checksum !== first.checksum)
}

/**
 * Throws if the database was migrated by a newer Heddle or by a build before the first release, or a file was changed
 * after it was applied.
 */
export function pendingMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): Migration[] {
  if (isPreRelease(applied, migrations))
    throw new Error(`the database ${PRE_RELEASE.fact}: ${PRE_RELEASE.remedy}`)
  const newest = newestOf(applied)
  const known = newestOf(migrations)
  if (newest !== undefined && newest.version > (known?.version ?? 0)) {
    throw new Error(
      `the database was migrated by a newer Heddle: its schema has version ${newest.version} (${newest.name}), and this Heddle knows versions up to ${known?.version ?? 0} (${known?.name ?? 'none'}); run a newer Heddle, or restore a backup from before the upgrade`,
    )
  }
  if (new Set(migrations.map(({ version }) => version)).size < migrations.length)
    throw new Error('two files in migrations/ have the same number')
  const checksums = new Map(applied.map(({ version, checksum }) => [version, checksum]))
  return migrations.filter(({ version, name, checksum }) => {
    const found = checksums.get(version)
    if (found !== undefined && found !== checksum)
      throw new Error(`migrations/${name}.sql was changed after it was applied; add a new migration instead`)
    return found === undefined
  })
}

function newestOf<T extends { readonly version: number }>(migrations: readonly T[]): T | undefined {
  return migrations.reduce<T | undefined>(
    (newest, migration) => (migration.version > (newest?.version ?? 0) ? migration : newest),
    undefined,
  )
}

export async function readApplied(db: Database): Promise<AppliedMigration[]> {
  return db.rows<AppliedMigration>(selectApplied, { name: 'migrations applied', kind: 'point' })
}

export const selectApplied: Sql = sql`SELECT version, name, checksum FROM schema_migrations FINAL ORDER BY version`
