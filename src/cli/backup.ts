import { VERSION } from '../app/deps.ts'
import { storedBytes, storedFiles, storedTables, totalRows } from '../core/backup/manifest.ts'
import { createBackup } from '../service/backup/create-backup.ts'
import { databaseExists } from '../store/backup/restored-database.ts'
import { requireNoInterruptedRestore } from '../store/cluster/restore-mark.ts'
import {
  abortSignal,
  BACKUP_OPTIONS,
  megabytes,
  readBackupSettings,
  withClickHouse,
} from './backup-target.ts'
import type { Command } from './command.ts'
import { createProgress } from './import/progress.ts'

/** `heddle backup`: backs up the database, also while a server is running. */
export const backupCommand: Command = {
  usage: '[--full] [--target DIR|s3://BUCKET/PREFIX] [--json]',
  summary:
    'Back up the database while it is in use, by default incrementally onto the latest backup. Target: HEDDLE_BACKUP_TARGET.',
  options: { ...BACKUP_OPTIONS, full: { type: 'boolean' } },
  run: async (args, environment) => {
    args.positionals()
    const { settings, target } = readBackupSettings(args, environment)
    const startedMs = performance.now()
    const progress = createProgress(environment, args.flag('json'), () => performance.now())
    const signal = abortSignal(environment)
    const manifest = await withClickHouse(settings, async ({ server, connectTo }) => {
      const database = settings.clickhouseDatabase
      for (const each of server.everyServer)
        if (!(await databaseExists(each, database)))
          throw new Error(
            `there is no database "${database}" to back up on ${each.settings.url}; start a server first`,
          )
      const db = connectTo(database)
      try {
        await requireNoInterruptedRestore(db)
        return await createBackup(db, target, {
          isFull: args.flag('full'),
          heddleVersion: VERSION,
          progress,
          signal,
        })
      } finally {
        progress.end()
        await db.close()
      }
    })
    const { id, base_id, started_at } = manifest
    const files = storedFiles(manifest)
    const bytes = storedBytes(manifest)
    const seconds = Number(((performance.now() - startedMs) / 1000).toFixed(1))
    if (args.flag('json')) {
      const summary = {
        id,
        base_id,
        started_at,
        rows: totalRows(manifest),
        tables: storedTables(manifest),
        files: files.length,
        bytes,
        seconds,
      }
      environment.stdout.write(`${JSON.stringify(summary)}\n`)
      return
    }
    const kind = base_id === null ? 'full' : `incremental, builds on ${base_id}`
    environment.stderr.write(
      `backup ${id} (${kind}) is complete: ${totalRows(manifest)} rows, ${files.length} files and ${megabytes(bytes)} written in ${seconds} s\n`,
    )
    environment.stdout.write(`${id}\n`)
  },
}
