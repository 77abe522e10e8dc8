import type { Database } from '../database/database.ts'
import { databaseExists } from '../database/server-state.ts'
import { identifier, inlineText } from '../query/sql.ts'

/**
 * An empty database on every server of a cluster while a restore replaces the databases of its shards: the shards do not have
 * the same backup then.
 */
function markName(database: string): string {
  return `${database}_restoring`
}

export async function markRestore(server: Database, database: string): Promise<void> {
  await onEveryServer(server, `CREATE DATABASE IF NOT EXISTS ${inlineText(identifier(markName(database)))}`)
}

export async function unmarkRestore(server: Database, database: string): Promise<void> {
  await onEveryServer(server, `DROP DATABASE IF EXISTS ${inlineText(identifier(markName(database)))} SYNC`)
}

async function onEveryServer({ everyServer }: Database, text: string): Promise<void> {
  for (const server of everyServer) await server.ddl(text)
}

export async function requireNoInterruptedRestore(db: Database): Promise<void> {
  for (const server of db.everyServer)
    if (await databaseExists(server, markName(db.name)))
      throw new Error(
        `a restore is replacing the databases of the shards, or was interrupted while it did; if none is running, run \`heddle restore --yes\` again`,
      )
}
