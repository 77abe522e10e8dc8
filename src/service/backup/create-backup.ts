import { randomBytes } from 'node:crypto'
import { findLatestRestorable } from '../../core/backup/catalog.ts'
import { parseFileList } from '../../core/backup/file-list.ts'
import { type BackupManifest, type BackupTable, newBackupId } from '../../core/backup/manifest.ts'
import { type BackupDestination, readServerInfo, startBackup } from '../../store/backup/backup-statements.ts'
import type { Database } from '../../store/database/database.ts'
import { readApplied } from '../../store/database/migrations.ts'
import type { BackupProgress, BackupTarget } from './backup-target.ts'
import { manifestPath, markPath, readCatalog } from './catalog.ts'
import { hashFiles } from './hash-files.ts'
import { waitForBackup } from './wait.ts'

export interface CreateBackupOptions {
  readonly isFull: boolean
  readonly heddleVersion: string
  readonly progress: BackupProgress
  readonly signal?: AbortSignal
}

/**
 * Backs up the whole database while it is in use. ClickHouse copies the parts that the base does not have; then every
 * file is read back, and the manifest is written as the last step. See docs/decisions/0018-backups.md.
 */
export async function createBackup(
  db: Database,
  target: BackupTarget,
  { isFull, heddleVersion, progress, signal }: CreateBackupOptions,
): Promise<BackupManifest> {
  const base = isFull ? undefined : findLatestRestorable(await readCatalog(target))
  const { version, now } = await readServerInfo(db)
  const id = newBackupId(new Date(now), randomBytes(2).toString('hex'))
  const base_id = base?.id ?? null
  const schema = await readApplied(db)
  await target.writeText(markPath(id), `${JSON.stringify({ id, base_id, started_at: now })}\n`)
  const destination = target.destination(id)
  try {
    await startBackup(db, {
      id,
      database: db.name,
      destination,
      base: base && target.destination(base.id),
    })
    await waitForBackup(db, id, ({ num_files }) => progress.update('backup', num_files), signal)
  } catch (error) {
    throw explainRefusal(error, destination)
  }
  const files = await hashFiles(target, id, progress, signal)
  const contents = await readContents(target, id, base)
  const { now: created_at } = await readServerInfo(db)
  const manifest: BackupManifest = {
    format: 1,
    id,
    base_id,
    started_at: now,
    created_at,
    heddle_version: heddleVersion,
    clickhouse_version: version,
    database: db.name,
    schema,
    files,
    ...contents,
  }
  await target.writeText(manifestPath(id), `${JSON.stringify(manifest)}\n`)
  await target.remove(markPath(id))
  return manifest
}

/** Tables with rows, from ClickHouse's list of files: the database itself has changed since. */
async function readContents(
  target: BackupTarget,
  id: string,
  base: BackupManifest | undefined,
): Promise<Pick<BackupManifest, 'tables' | 'row_counts'>> {
  const { countFiles, bytes } = parseFileList((await target.readText(`${id}/.backup`)) ?? '')
  const row_counts: Record<string, number> = {}
  const tables = new Map<string, BackupTable>()
  for (const { table, checksum, path } of countFiles) {
    const rows =
      row_counts[checksum] ??
      (path === undefined ? base?.row_counts[checksum] : Number(await target.readText(`${id}/${path}`)))
    if (rows === undefined || !Number.isSafeInteger(rows))
      throw new Error(`backup ${id} has no row count for a part of ${table}; run \`heddle backup --full\``)
    row_counts[checksum] = rows
    const known = tables.get(table) ?? { name: table, rows: 0, parts: 0, bytes: bytes.get(table) ?? 0 }
    tables.set(table, { ...known, rows: known.rows + rows, parts: known.parts + 1 })
  }
  return { tables: [...tables.values()], row_counts }
}

/** ClickHouse writes only to what its configuration names. */
function explainRefusal(error: unknown, destination: BackupDestination): unknown {
  if (!(error instanceof Error) || !/allowed_(disk|path)|UNKNOWN_DISK/i.test(error.message)) return error
  const remedy =
    destination.type === 'disk'
      ? `ClickHouse has no disk "${destination.disk}" for backups: restart the server with the same HEDDLE_BACKUP_TARGET, or, for an external ClickHouse, configure the disk (docs/deploy/backup.md)`
      : `ClickHouse may not write to ${destination.path}: allow the directory in its configuration (docs/deploy/backup.md)`
  return new Error(`${remedy} (${error.message.split('\n')[0]})`, { cause: error })
}
