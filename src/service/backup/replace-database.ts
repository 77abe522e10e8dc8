import {
  attachTables,
  databaseExists,
  dropDatabase,
  hasRows,
  listDatabases,
  renameDatabase,
} from '../../store/backup/restored-database.ts'
import { markRestore, unmarkRestore } from '../../store/cluster/restore-mark.ts'
import { type ClusterDatabase, isCluster } from '../../store/cluster/cluster-database.ts'
import { createClusterTables } from '../../store/cluster/cluster-tables.ts'
import { prepareServer } from '../../store/cluster/prepare-server.ts'
import { recordShards } from '../../store/cluster/record-shards.ts'
import { chooseShardServers } from '../../store/cluster/shard-servers.ts'
import type { Database } from '../../store/database/database.ts'
import type { Migration } from '../../store/database/migrations.ts'

/**
 * The last step of a restore: the restored database takes the place of the one that servers use, on one server or on all
 * shards. `server` is always connected to another database, `db` to the one that is replaced.
 */

/** Returns the name under which the previous database is kept. */
export async function replaceDatabase(
  server: Database,
  db: Database,
  restored: string,
  previous: string,
): Promise<{ readonly previous: string | undefined }> {
  const replace = async (): Promise<boolean> => {
    const kept: boolean[] = []
    for (const each of await chooseShardServers(server)) {
      const exists = await databaseExists(each, db.name)
      if (exists) await renameDatabase(each, db.name, previous)
      await renameDatabase(each, restored, db.name)
      kept.push(exists)
    }
    return kept.includes(true)
  }
  const isKept = isCluster(db) ? await marked(server, db, replace) : await replace()
  return { previous: isKept ? previous : undefined }
}

/** Replaces the databases of several shards. A server refuses to start while this runs, or after an interruption. */
async function marked<Result>(
  server: Database,
  db: ClusterDatabase,
  replace: () => Promise<Result>,
): Promise<Result> {
  await markRestore(server, db.name)
  const result = await replace()
  for (const each of db.everyServer) await createClusterTables(each, db.cluster.topology.shards)
  await unmarkRestore(server, db.name)
  return result
}

/**
 * The same in a cluster with replicated tables: they are created anew on all servers, and one replica of each shard attaches
 * the restored parts, which the others fetch. The previous database cannot be kept: its tables have the same path in Keeper.
 */
export async function fillReplicatedDatabase(
  server: Database,
  db: ClusterDatabase,
  restored: string,
  migrations: readonly Migration[],
): Promise<void> {
  await requireEmptyDatabase(server, db.name)
  await marked(server, db, async () => {
    for (const each of server.everyServer) await dropDatabase(each, db.name)
    await recordShards(db, db.everyServer)
    for (const each of db.everyServer) await prepareServer(db, each, migrations)
    for (const each of await chooseShardServers(server)) {
      await attachTables(each, restored, db.name)
      await dropDatabase(each, restored)
    }
  })
}

/** A restore with replicated tables is refused before it does anything if it would delete data. */
export async function requireEmptyDatabase(server: Database, database: string): Promise<void> {
  for (const each of server.everyServer)
    if (await hasRows(each, database))
      throw new Error(
        `the database "${database}" on ${each.settings.url} contains data, and replicated tables cannot be kept under another name; back it up, stop all servers, run DROP DATABASE ${database} SYNC on every server, and repeat the restore`,
      )
}

/** Whether any shard has a database of this name that contains data. */
export async function hasRowsOnAnyShard(server: Database, database: string): Promise<boolean> {
  for (const each of await chooseShardServers(server)) if (await hasRows(each, database)) return true
  return false
}

export async function existsOnAnyServer(server: Database, database: string): Promise<boolean> {
  for (const each of server.everyServer) if (await databaseExists(each, database)) return true
  return false
}

/** Deletes what an interrupted restore has left, or a scratch database. */
export async function dropOnEveryServer(server: Database, database: string): Promise<void> {
  for (const each of server.everyServer) await dropDatabase(each, database)
}

/** Names of the databases that a restore creates beside the one of the servers. */
export function restoreNames(
  database: string,
  id: string,
): { readonly staging: string; readonly previous: string } {
  const suffix = id.replaceAll('-', '_')
  return {
    staging: `${database}_restore_${suffix}`,
    previous: `${database}_before_${suffix}_${Date.now().toString(36)}`,
  }
}

/** The database to which a backup is restored for one project. Each restore has its own: an interrupted one may still run in ClickHouse. */
export function scratchName(database: string, id: string): string {
  return `${restoreNames(database, id).staging}_${Date.now().toString(36)}${SCRATCH_END}`
}

const SCRATCH_END = '_project'

/** Deletes what interrupted restores of projects have left. */
export async function dropScratchDatabases(server: Database): Promise<void> {
  for (const each of server.everyServer)
    for (const name of await listDatabases(each, `${server.name}_restore_`, SCRATCH_END))
      await dropDatabase(each, name)
}

/** Deletes a database that a restore has left: the previous data, or an aborted restore. */
export async function dropRestored(server: Database, database: string): Promise<void> {
  if (!/_(restore|before)_\d{8}_\d{6}_[0-9a-f]{4}/.test(database))
    throw new Error(`"${database}" was not created by \`heddle restore\`; it is not deleted`)
  if (!(await existsOnAnyServer(server, database))) throw new Error(`there is no database "${database}"`)
  await dropOnEveryServer(server, database)
}
