import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import type { BackupTarget } from '../../service/backup/backup-target.ts'
import { findLatestBackupTime } from '../../service/backup/catalog.ts'
import { runScheduledBackup, type ScheduleRules } from '../../service/backup/scheduled-backup.ts'
import type { Database } from '../../store/database/database.ts'
import { VERSION } from '../deps.ts'
import type { Settings } from '../settings.ts'
import { findBackupTarget } from './target.ts'

/** Scheduled backups, and the metric of their age. */

const TICK_MS = 10_000
const RETRY_MS = 5 * 60_000

/** Listing a target on S3 is a request that costs money. */
const AGE_CACHE_MS = 60_000

/** Returns the function that stops it; a running backup is then cancelled. */
export function startBackupSchedule(db: Database, settings: Settings, log: Logger): () => Promise<void> {
  const everyMs = settings.backupEveryMinutes * 60_000
  if (everyMs === 0) return async () => {}
  const target = findBackupTarget(settings)
  if (target === undefined) throw new Error('HEDDLE_BACKUP_EVERY_MINUTES needs HEDDLE_BACKUP_TARGET')
  const rules: ScheduleRules = {
    everyMs,
    fullEveryDays: settings.backupFullEveryDays,
    keepDays: settings.backupKeepDays,
    heddleVersion: VERSION,
    owner: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    warn: (message) => log.warn({ target: target.name }, message),
  }
  const stopped = new AbortController()
  let running: Promise<void> | undefined
  let nextAt = 0
  const run = async (): Promise<void> => {
    try {
      const id = await runScheduledBackup(db, target, rules, Date.now, stopped.signal)
      if (id !== undefined) log.info({ backup: id, target: target.name }, 'scheduled backup is complete')
    } catch (error) {
      nextAt = Date.now() + RETRY_MS
      if (!stopped.signal.aborted)
        log.error({ err: error, target: target.name }, 'scheduled backup failed; it is retried in 5 minutes')
    }
    running = undefined
  }
  const tick = (): void => {
    if (Date.now() >= nextAt) running ??= run()
  }
  const timer = setInterval(tick, TICK_MS)
  return async () => {
    clearInterval(timer)
    stopped.abort()
    await running
  }
}

/** Age of the newest complete backup. Without any, it is the time since 1970, so that the same alert fires. */
export function registerBackupAge(registry: Registry, settings: Settings, log: Logger): void {
  const target = findBackupTarget(settings)
  if (target === undefined) return
  const latest = cachedLatest(target, log)
  void new Gauge({
    name: 'heddle_backup_age_seconds',
    help: 'Seconds since the newest complete backup in HEDDLE_BACKUP_TARGET began; since 1970 if there is none.',
    aggregator: 'min',
    registers: [registry],
    async collect() {
      const time = await latest()
      if (time === undefined) this.remove()
      else this.set((Date.now() - time) / 1000)
    },
  })
}

/** Undefined if the target cannot be read. */
function cachedLatest(target: BackupTarget, log: Logger): () => Promise<number | undefined> {
  let readAt = Number.NEGATIVE_INFINITY
  let value: number | undefined
  return async () => {
    if (performance.now() - readAt < AGE_CACHE_MS) return value
    try {
      value = (await findLatestBackupTime(target)) ?? 0
    } catch (error) {
      value = undefined
      log.warn({ err: error, target: target.name }, 'the backup target cannot be read')
    }
    readAt = performance.now()
    return value
  }
}
