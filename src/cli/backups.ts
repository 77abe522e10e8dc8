import { createColumnExtractor } from '../app/deps.ts'
import { readMigrations } from '../store/database/migrations.ts'
import { planPrune, readChain } from '../core/backup/catalog.ts'
import { backupTime, storedBytes, totalRows } from '../core/backup/manifest.ts'
import { readCatalog, removeBackup } from '../service/backup/catalog.ts'
import { dropOnEveryServer, restoreNames } from '../service/backup/replace-database.ts'
import { restoreBackup } from '../service/backup/restore-backup.ts'
import { verifyBackup } from '../service/backup/verify-backup.ts'
import {
  BACKUP_OPTIONS,
  chosenBackup,
  megabytes,
  readBackupSettings,
  withClickHouse,
} from './backup-target.ts'
import { type Command, UsageError } from './command.ts'
import { createProgress } from './import/progress.ts'
import { printTable } from './table.ts'

/** `heddle backups`: lists, verifies and deletes the backups of a target. */
export const listBackupsCommand: Command = {
  usage: '[--target DIR|s3://BUCKET/PREFIX] [--json]',
  summary: 'List backups, oldest first. An incomplete one was interrupted or is still running.',
  options: BACKUP_OPTIONS,
  run: async (args, environment) => {
    args.positionals()
    const { target } = readBackupSettings(args, environment)
    const catalog = await readCatalog(target)
    const ids = new Set(catalog.complete.map(({ id }) => id))
    const rows = [
      ...catalog.complete.map((backup) => ({
        id: backup.id,
        status: backup.base_id === null || ids.has(backup.base_id) ? 'complete' : 'base missing',
        base_id: backup.base_id,
        created_at: backup.created_at,
        heddle_version: backup.heddle_version,
        rows: String(totalRows(backup)),
        size: megabytes(storedBytes(backup)),
      })),
      ...catalog.incomplete.map(({ id, mark }) => ({
        id,
        status: 'incomplete',
        base_id: mark?.base_id ?? null,
        created_at: mark?.started_at ?? null,
        heddle_version: null,
        rows: null,
        size: null,
      })),
    ].toSorted((a, b) => backupTime(a.id) - backupTime(b.id))
    const columns = ['id', 'status', 'base_id', 'created_at', 'heddle_version', 'rows', 'size'] as const
    printTable(rows, columns, args, environment)
  },
}

export const verifyBackupsCommand: Command = {
  usage: '[ID] [--restore] [--target DIR|s3://BUCKET/PREFIX] [--json]',
  summary:
    'Compare all files of a backup (default: the latest) and of those it builds on with their checksums. With --restore, also restore it to a scratch database.',
  options: { ...BACKUP_OPTIONS, restore: { type: 'boolean' } },
  run: async (args, environment) => {
    const { settings, target } = readBackupSettings(args, environment)
    const catalog = await readCatalog(target)
    const id = chosenBackup(catalog, args.optional('ID'), target)
    const progress = createProgress(environment, args.flag('json'), () => performance.now())
    const verification = await verifyBackup(target, catalog, id, progress)
    const chain = readChain(catalog, id)
    const restored =
      args.flag('restore') && verification.problems.length === 0
        ? await withClickHouse(settings, async ({ server }) => {
            const scratch = restoreNames(settings.clickhouseDatabase, id).staging
            try {
              return await restoreBackup(server, target, chain, scratch, {
                migrations: await readMigrations(),
                columns: createColumnExtractor(settings),
                progress,
              })
            } finally {
              await dropOnEveryServer(server, scratch)
            }
          })
        : undefined
    progress.end()
    const { files, bytes, problems } = verification
    if (args.flag('json')) environment.stdout.write(`${JSON.stringify({ ...verification, restored })}\n`)
    else for (const problem of problems) environment.stderr.write(`${problem}\n`)
    if (problems.length > 0)
      throw new Error(
        `backup ${id} is damaged: ${problems.length === 1 ? '1 problem' : `${problems.length} problems`} in ${files} files; copy it again from where it is intact, or make a new one with \`heddle backup --full\``,
      )
    const more = restored === undefined ? '' : `; restored ${restored.rows} rows to a scratch database`
    environment.stderr.write(
      `backup ${id} is intact: ${files} files, ${megabytes(bytes)} in ${chain.length} backups${more}\n`,
    )
  },
}

/** Running backups are not deleted; none takes this long. */
const INCOMPLETE_HOURS = 24

export const pruneBackupsCommand: Command = {
  usage:
    '--keep N | --keep-days N [--incomplete-hours N] [--dry-run] [--target DIR|s3://BUCKET/PREFIX] [--json]',
  summary: `Delete old backups. What a kept backup builds on is kept too, and so is the latest. Incomplete ones are deleted after ${INCOMPLETE_HOURS} hours.`,
  options: {
    ...BACKUP_OPTIONS,
    keep: { type: 'string' },
    'keep-days': { type: 'string' },
    'incomplete-hours': { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  run: async (args, environment) => {
    args.positionals()
    const keep = args.integer('keep')
    const keepDays = args.integer('keep-days')
    if (keep === undefined && keepDays === undefined) throw new UsageError('give --keep or --keep-days')
    const { target } = readBackupSettings(args, environment)
    const deleted = planPrune(await readCatalog(target), {
      keep,
      keepDays,
      incompleteHours: args.integer('incomplete-hours') ?? INCOMPLETE_HOURS,
      nowMs: Date.now(),
    })
    if (!args.flag('dry-run')) for (const id of deleted) await removeBackup(target, id)
    printTable(
      deleted.map((id) => ({ id, deleted: !args.flag('dry-run') })),
      ['id', 'deleted'],
      args,
      environment,
    )
  },
}
