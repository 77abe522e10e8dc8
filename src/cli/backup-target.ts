import { findBackupTarget } from '../app/backup/target.ts'
import { createLog } from '../app/log.ts'
import { readSettings, type Settings } from '../app/settings.ts'
import { type ClickHouseServer, joinClickHouse } from '../app/storage.ts'
import { type Catalog, findLatestRestorable } from '../core/backup/catalog.ts'
import type { BackupTarget } from '../service/backup/backup-target.ts'
import {
  type Arguments,
  defined,
  type Environment,
  JSON_OPTION,
  STORAGE_OPTIONS,
  UsageError,
} from './command.ts'

/** What `heddle backup`, `restore` and `backups` have in common. */
export const BACKUP_OPTIONS = { ...STORAGE_OPTIONS, ...JSON_OPTION, target: { type: 'string' } } as const

/** Shorter than a server's: a person waits for the error message. */
const RETRY_WINDOW_MS = 3_000

export interface BackupSettings {
  readonly settings: Settings
  readonly target: BackupTarget
}

export function readBackupSettings(args: Arguments, environment: Environment): BackupSettings {
  const settings = readSettings(environment.env, {
    ...args.storage(),
    ...defined({ backupTarget: args.text('target') }),
    retryWindowMs: RETRY_WINDOW_MS,
    logLevel: 'error',
  })
  const target = findBackupTarget(settings)
  if (target === undefined)
    throw new UsageError('set HEDDLE_BACKUP_TARGET or --target to a directory or s3://bucket/prefix')
  return { settings, target }
}

/** Connects to ClickHouse for one command; the database is neither created nor migrated. */
export async function withClickHouse<T>(
  settings: Settings,
  work: (clickhouse: ClickHouseServer) => Promise<T>,
): Promise<T> {
  const clickhouse = await joinClickHouse(settings, createLog(settings))
  try {
    return await work(clickhouse)
  } finally {
    await clickhouse.close()
  }
}

/** The id of the command line, or that of the latest backup. */
export function chosenBackup(catalog: Catalog, id: string | undefined, target: BackupTarget): string {
  const chosen = id ?? findLatestRestorable(catalog)?.id
  if (chosen === undefined)
    throw new Error(`there is no complete backup in ${target.name}; see \`heddle backups list\``)
  return chosen
}

/** Aborted by Ctrl-C or SIGTERM, so that ClickHouse does not go on with what nobody waits for. */
export function abortSignal(environment: Environment): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) environment.once(signal, () => controller.abort())
  return controller.signal
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
