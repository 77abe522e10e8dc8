import type { Database } from '../database/database.ts'
import { migrate, type Migration } from '../database/migrations.ts'
import type { ClusterDatabase } from './cluster-database.ts'
import { createClusterTables } from './cluster-tables.ts'
import { replicatedTable } from './replicated-tables.ts'

/** Migrates the database of one server, with its tables over all shards; returns the applied migrations. */
export async function prepareServer(
  { topology: { replication, shards } }: ClusterDatabase,
  server: Database,
  migrations: readonly Migration[],
): Promise<string[]> {
  const applied = await migrate(server, migrations, (statement) =>
    replication === undefined ? statement : replicatedTable(statement, replication),
  )
  await createClusterTables(server, shards)
  return applied
}
