import { createDatabase } from '../database/create-database.ts'
import { type Database } from '../database/database.ts'
import { serverHost } from '../database/every-server.ts'
import { findPending, migrate, type Migration } from '../database/migrations.ts'
import type { ClusterDatabase } from './cluster-database.ts'
import { createClusterTables } from './cluster-tables.ts'
import { replicatedTable } from './replicated-tables.ts'
import { requireNoInterruptedRestore } from './restore-mark.ts'

/** Throws if this Heddle must not change a server: it has migrations of a newer one, or a restore was interrupted. */
export async function checkServers(
  servers: readonly Database[],
  migrations: readonly Migration[],
): Promise<void> {
  for (const server of servers) {
    await createDatabase(server.settings)
    await findPending(server, migrations, serverHost(server.settings.url))
    await requireNoInterruptedRestore(server)
  }
}

/** Migrates the database of one server, with its tables over all shards; returns the applied migrations. */
export async function prepareServer(
  { cluster }: ClusterDatabase,
  server: Database,
  migrations: readonly Migration[],
): Promise<string[]> {
  const { replication, shards } = cluster.topology
  const applied = await migrate(server, migrations, (statement) =>
    replication === undefined ? statement : replicatedTable(statement, replication),
  )
  await createClusterTables(server, shards)
  return applied
}
