import { Database, type DatabaseSettings } from './database.ts'
import { requireSupportedClickHouse } from './supported-clickhouse.ts'

/** The name comes from the settings and is validated, because it becomes part of the DDL. */
export async function createDatabase(settings: DatabaseSettings): Promise<void> {
  const server = new Database({ ...settings, database: 'default' })
  try {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(settings.database)) {
      throw new Error(`HEDDLE_CLICKHOUSE_DATABASE must be a plain name, not "${settings.database}"`)
    }
    await requireSupportedClickHouse(server, settings.database)
    await server.ddl(`CREATE DATABASE IF NOT EXISTS ${settings.database}`)
  } finally {
    await server.close()
  }
}
