import type { BackupManifest } from '../../core/backup/manifest.ts'
import { RecordClock } from '../../core/calls/record-clock.ts'
import { parseTime } from '../../core/time/time.ts'
import { startRestore } from '../../store/backup/backup-statements.ts'
import {
  checkPart,
  databaseExists,
  dropDatabase,
  listParts,
  rebuildDerivedTable,
  renameDatabase,
  setMerges,
  truncateTable,
} from '../../store/backup/restored-database.ts'
import { synchronizeClock } from '../../store/calls/clock-sync.ts'
import { reconcileRestored } from '../../store/calls/unreconciled.ts'
import { Database } from '../../store/database/database.ts'
import { migrate, type Migration } from '../../store/database/migrations.ts'
import type { BackupProgress, BackupTarget } from './backup-target.ts'
import { waitForBackup } from './wait.ts'

export interface RestoreOptions {
  /** Migrations of this version of Heddle. */
  readonly migrations: readonly Migration[]
  readonly progress: BackupProgress
  readonly signal?: AbortSignal
}

export interface RestoredDatabase {
  readonly database: string
  readonly tables: number
  readonly rows: number
  readonly migrations: readonly string[]
  /** Calls whose records were written while the backup ran. */
  readonly reconciled: number
}

/** A restore refuses what it could not migrate, before it does anything. */
export function checkSchema(
  { id, schema, heddle_version }: BackupManifest,
  migrations: readonly Migration[],
): void {
  const known = new Map(migrations.map(({ version, checksum }) => [version, checksum]))
  const unknown = schema.find(({ version, checksum }) => known.get(version) !== checksum)
  if (unknown !== undefined)
    throw new Error(
      `backup ${id} has schema version ${Math.max(...schema.map(({ version }) => version))} of Heddle ${heddle_version}, which this Heddle does not know: run that version or a newer one`,
    )
}

/**
 * Restores a backup into a new database, checks it and brings it up to date. `server` is connected to another database
 * of the same ClickHouse.
 */
export async function restoreBackup(
  server: Database,
  target: BackupTarget,
  manifest: BackupManifest,
  into: string,
  { migrations, progress, signal }: RestoreOptions,
): Promise<RestoredDatabase> {
  checkSchema(manifest, migrations)
  const restore = {
    id: `restore-${manifest.id}-${Date.now()}`,
    database: manifest.database,
    into,
    destination: target.destination(manifest.id),
  }
  await startRestore(server, { ...restore, id: `${restore.id}-structure`, part: 'structure' })
  await waitForBackup(server, `${restore.id}-structure`, () => {}, signal)
  await setMerges(server, into, 'STOP')
  await startRestore(server, { ...restore, part: 'data' })
  await waitForBackup(
    server,
    restore.id,
    ({ num_files, files_read }) => {
      progress.setTotal('restore', num_files)
      progress.update('restore', files_read)
    },
    signal,
  )
  await checkRestored(server, manifest, into, progress)
  await setMerges(server, into, 'START')

  const db = new Database({ ...server.settings, database: into })
  try {
    const applied = await migrate(db, migrations)
    const reconciled = await repair(db, manifest)
    return {
      database: into,
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      migrations: applied,
      reconciled,
    }
  } finally {
    await db.close()
  }
}

/** Every part must be there with its rows, and intact. */
async function checkRestored(
  server: Database,
  { id, tables }: BackupManifest,
  into: string,
  progress: BackupProgress,
): Promise<void> {
  const parts = await listParts(server, into)
  for (const { name, rows } of tables) {
    const restored = parts.filter(({ table }) => table === name).reduce((sum, part) => sum + part.rows, 0)
    if (restored !== rows)
      throw new Error(`the table ${name} of backup ${id} has ${rows} rows, but ${restored} were restored`)
  }
  progress.setTotal('check', parts.length)
  for (const [i, part] of parts.entries()) {
    const problem = await checkPart(server, into, part)
    if (problem !== undefined)
      throw new Error(
        `the part ${part.name} of the table ${part.table} in backup ${id} is damaged: ${problem}`,
      )
    progress.update('check', i + 1)
  }
}

/** Inserts that were running when the backup began may have begun this much earlier. */
const MARGIN_MICROS = 20n * 60_000_000n

/**
 * Repairs what was being written while ClickHouse copied one table after the other: ids of calls are derived anew, and
 * calls whose writer had not made its conflict check are reconciled. Positions in `live_log` do not survive a restore.
 */
async function repair(db: Database, { started_at, created_at }: BackupManifest): Promise<number> {
  await rebuildDerivedTable(db, 'call_ids')
  await truncateTable(db, 'live_log')
  const clock = new RecordClock()
  await synchronizeClock(db, clock)
  const from = (parseTime(started_at) ?? 0n) - MARGIN_MICROS
  const reconciled = await reconcileRestored(db, clock, { from, to: parseTime(created_at) ?? 0n })
  // Its rows were written by this restore, and no client has seen their positions.
  await truncateTable(db, 'live_log')
  return reconciled
}

/** Gives the restored database the name that servers use; the previous one is kept under another name. */
export async function replaceDatabase(
  server: Database,
  restored: string,
  database: string,
  previous: string,
): Promise<{ readonly previous: string | undefined }> {
  const exists = await databaseExists(server, database)
  if (exists) await renameDatabase(server, database, previous)
  await renameDatabase(server, restored, database)
  return { previous: exists ? previous : undefined }
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

/** Deletes a database that a restore has left: the previous data, or an aborted restore. */
export async function dropRestored(server: Database, database: string): Promise<void> {
  if (!/_(restore|before)_\d{8}_\d{6}_[0-9a-f]{4}/.test(database))
    throw new Error(`"${database}" was not created by \`heddle restore\`; it is not deleted`)
  if (!(await databaseExists(server, database))) throw new Error(`there is no database "${database}"`)
  await dropDatabase(server, database)
}
