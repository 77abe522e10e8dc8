import { createDatabase } from '../database/database.ts'
import { migrate, type Migration } from '../database/migrations.ts'
import type { ClusterDatabase } from './cluster-database.ts'
import { createClusterTables } from './cluster-tables.ts'
import { replicatedTable } from './replicated-tables.ts'

/** Creates and migrates the database on every server, one after the other; returns the applied migrations with their server. */
export async function prepareCluster(
  db: ClusterDatabase,
  migrations: readonly Migration[],
): Promise<{ readonly migration: string; readonly url: string }[]> {
  const { replication } = db.topology
  const applied: { migration: string; url: string }[] = []
  for (const server of db.everyServer) {
    const { url } = server.settings
    await createDatabase(server.settings)
    const names = await migrate(server, migrations, (statement) =>
      replication === undefined ? statement : replicatedTable(statement, replication),
    )
    applied.push(...names.map((migration) => ({ migration, url })))
  }
  await createClusterTables(db)
  return applied
}
