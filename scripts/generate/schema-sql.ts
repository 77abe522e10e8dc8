import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedClickHouse } from '../../src/clickhouse/embedded-clickhouse.ts'
import { createDatabase, Database } from '../../src/store/database/database.ts'
import { migrate, readMigrations } from '../../src/store/database/migrations.ts'
import { identifier, sql } from '../../src/store/query/sql.ts'

const HEAD = `-- The schema as all migrations leave it, to read; made by \`npm run generate\` out of a real engine.
-- Never run this file: the numbered ones are what Heddle applies.
`

export async function schemaSql(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-schema-'))
  const engine = await startEmbeddedClickHouse({ directory })
  try {
    const target = { ...engine, database: 'heddle', retryWindowMs: 10_000, durability: 'process' as const }
    await createDatabase(target)
    const db = new Database(target)
    await migrate(db, await readMigrations())
    const tables = await db.rows<{ name: string }>(
      sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND NOT startsWith(name, '.inner') ORDER BY name`,
      { name: 'tables', kind: 'point' },
    )
    const statements: string[] = []
    for (const { name } of tables) {
      const row = await db.first<{ statement: string }>(sql`SHOW CREATE TABLE ${identifier(name)}`, {
        name: 'show create',
        kind: 'point',
      })
      statements.push(row?.statement.replaceAll('heddle.', '') ?? '')
    }
    await db.close()
    return `${HEAD}\n${statements.map((statement) => `${statement};\n`).join('\n')}`
  } finally {
    await engine.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
