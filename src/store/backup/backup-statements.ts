import type { Database } from '../database/database.ts'
import { identifier, inlineText, type Sql, sql } from '../query/sql.ts'

/** The statements BACKUP and RESTORE, which ClickHouse runs in the background, and their progress. */

/** Where ClickHouse writes a backup. A disk must be in its configuration, a path below `backups.allowed_path`. */
export type BackupDestination =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'disk'; readonly disk: string; readonly path: string }

function destinationSql(destination: BackupDestination): Sql {
  return destination.type === 'file'
    ? sql`File(${destination.path})`
    : sql`Disk(${destination.disk}, ${destination.path})`
}

/** As ClickHouse writes it into the list of files of a backup that builds on it. */
export function destinationText(destination: BackupDestination): string {
  return inlineText(destinationSql(destination))
}

export interface BackupStatement {
  readonly id: string
  readonly database: string
  readonly destination: BackupDestination
  /** The backup that this one continues. */
  readonly base: BackupDestination | undefined
}

export async function startBackup(db: Database, backup: BackupStatement): Promise<void> {
  await db.ddl(backupText(backup))
}

/** Waits until a replica has fetched what was inserted into its tables on other replicas before. */
export async function syncReplica(db: Database): Promise<void> {
  const tables = await db.rows<{ name: string }>(selectReplicatedTables(db.name), {
    name: 'replicated tables',
    kind: 'access',
  })
  for (const { name } of tables)
    await db.ddl(`SYSTEM SYNC REPLICA ${inlineText(identifier(`${db.name}.${name}`))} LIGHTWEIGHT`)
}

export function selectReplicatedTables(database: string): Sql {
  return sql`SELECT name FROM system.tables WHERE database = ${database} AND engine LIKE 'Replicated%' ORDER BY name`
}

export function backupText({ id, database, destination, base }: BackupStatement): string {
  const incremental = base === undefined ? sql`` : sql`, base_backup = ${destinationSql(base)}`
  return inlineText(
    sql`BACKUP DATABASE ${identifier(database)} TO ${destinationSql(destination)} SETTINGS id = ${id}${incremental} ASYNC`,
  )
}

export interface RestoreStatement {
  readonly id: string
  /** The name of the database in the backup. */
  readonly database: string
  readonly into: string
  readonly destination: BackupDestination
  /** Where its base is now; the backup names the place where it was. */
  readonly base: BackupDestination | undefined
  /** Creates the tables without data, or fills the tables that exist. */
  readonly part: 'structure' | 'data'
  /** Fills tables whose definition differs in what does not concern their data: replicated or not, indexes. */
  readonly allowsOtherDefinition?: boolean
}

export async function startRestore(db: Database, restore: RestoreStatement): Promise<void> {
  await db.ddl(restoreText(restore))
}

export function restoreText(restore: RestoreStatement): string {
  const { id, database, into, destination, base, part, allowsOtherDefinition = false } = restore
  const incremental = base === undefined ? sql`` : sql`, base_backup = ${destinationSql(base)}`
  const other = allowsOtherDefinition ? sql`, allow_different_table_def = 1` : sql``
  const settings =
    part === 'structure' ? sql`structure_only = 1` : sql`create_database = 0, create_table = 0${other}`
  return inlineText(
    sql`RESTORE DATABASE ${identifier(database)} AS ${identifier(into)} FROM ${destinationSql(destination)} SETTINGS id = ${id}${incremental}, ${settings} ASYNC`,
  )
}

/** Cancels a running BACKUP or RESTORE. */
export async function cancelBackup(db: Database, id: string): Promise<void> {
  const query_id = (await findBackupState(db, id))?.query_id
  if (query_id !== undefined)
    await db.command(sql`KILL QUERY WHERE query_id = ${query_id} ASYNC`, 'cancel backup')
}

export interface BackupState {
  readonly query_id: string
  readonly status: string
  readonly error: string
  /** Known at the end of a BACKUP, and from the beginning of a RESTORE. */
  readonly num_files: number
  readonly files_read: number
}

/** ClickHouse forgets it when it restarts. */
export async function findBackupState(db: Database, id: string): Promise<BackupState | undefined> {
  return db.first<BackupState>(selectBackupState(id), { name: 'backup state', kind: 'access' })
}

export function selectBackupState(id: string): Sql {
  return sql`SELECT query_id, toString(status) AS status, error, toFloat64(num_files) AS num_files, toFloat64(files_read) AS files_read
FROM system.backups WHERE id = ${id}`
}

export interface ServerInfo {
  readonly version: string
  readonly now: string
}

/** ClickHouse's version and clock. */
export async function readServerInfo(db: Database): Promise<ServerInfo> {
  const row = await db.first<ServerInfo>(selectServerInfo, { name: 'server info', kind: 'access' })
  if (row === undefined) throw new Error('ClickHouse did not return its version')
  return row
}

export const selectServerInfo: Sql = sql`SELECT version() AS version, now64(3, 'UTC') AS now`
