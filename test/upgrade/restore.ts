import type { Database } from '../../src/store/database/database.ts'
import { migrate, type Migration } from '../../src/store/database/migrations.ts'
import { sql } from '../../src/store/query/sql.ts'
import type { Fixture } from './fixture.ts'

/** The migrations that had been applied to the database of a fixture. Throws if one of them was changed since. */
function appliedMigrations({ name, manifest }: Fixture, all: readonly Migration[]): Migration[] {
  return manifest.migrations.map((applied) => {
    const found = all.find(({ version }) => version === applied.version)
    if (found?.checksum !== applied.checksum)
      throw new Error(
        `migrations/${applied.name}.sql is not the one of the fixture ${name}: an applied migration is never edited`,
      )
    return found
  })
}

/** Creates the tables of a fixture in an empty database, with exactly its rows. */
export async function restoreTables(
  db: Database,
  fixture: Fixture,
  all: readonly Migration[],
): Promise<void> {
  await migrate(db, appliedMigrations(fixture, all))
  // Their rows are in the fixture too.
  const views = await db.rows<{ name: string }>(
    sql`SELECT name FROM system.tables WHERE database = ${db.name} AND engine = 'MaterializedView'`,
    { name: 'views', kind: 'point' },
  )
  for (const { name } of views) await db.ddl(`DETACH TABLE ${name}`)
  for (const { table, rows } of fixture.tables) await insertNative(db, table, rows)
  for (const { name } of views) await db.ddl(`ATTACH TABLE ${name}`)
}

async function insertNative(db: Database, table: string, rows: Buffer): Promise<void> {
  const { url, username, password } = db.settings
  const query = new URLSearchParams({
    database: db.name,
    query: `INSERT INTO ${table} FORMAT Native`,
    // Rows that a merge would replace are kept.
    optimize_on_insert: '0',
  })
  const response = await fetch(`${url}/?${query.toString()}`, {
    method: 'POST',
    headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
    body: new Uint8Array(rows),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`inserting into ${table} failed: ${text}`)
}
