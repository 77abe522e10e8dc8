import { findLatestRestorable, planPrune, readChain } from '../../core/backup/catalog.ts'
import type { Database } from '../../store/database/database.ts'
import { withLease } from '../../store/jobs/leases.ts'
import type { BackupTarget } from './backup-target.ts'
import { findLatestBackupTime, readCatalog, removeBackup } from './catalog.ts'
import { createBackup } from './create-backup.ts'

export interface ScheduleRules {
  readonly everyMs: number
  /** A new chain begins when the first backup of the current one is this old. */
  readonly fullEveryDays: number
  /** Older backups are deleted; 0 = none. */
  readonly keepDays: number
  readonly heddleVersion: string
  /** The name of this process in leases. */
  readonly owner: string
  readonly warn: (message: string) => void
}

const JOB = 'backup'
const DAY_MS = 86_400_000
const RENEW_MS = 20_000

/** An incomplete backup that is younger may still be running. */
const INCOMPLETE_HOURS = 24

/** Makes a backup if one is due and no other server is making it. Returns its id. */
export async function runScheduledBackup(
  db: Database,
  target: BackupTarget,
  rules: ScheduleRules,
  nowMs: () => number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const isDue = async (): Promise<boolean> =>
    ((await findLatestBackupTime(target)) ?? 0) + rules.everyMs <= nowMs()
  if (!(await isDue())) return undefined
  return withLease(db, JOB, rules.owner, async (renew) => {
    // Another server may have made it before this one got the lease.
    if (!(await isDue())) return undefined
    const lost = new AbortController()
    const timer = setInterval(() => {
      renew().catch(() => lost.abort())
    }, RENEW_MS)
    try {
      return await backUp(db, target, rules, nowMs(), AbortSignal.any([signal, lost.signal]))
    } finally {
      clearInterval(timer)
    }
  })
}

async function backUp(
  db: Database,
  target: BackupTarget,
  rules: ScheduleRules,
  nowMs: number,
  signal: AbortSignal,
): Promise<string> {
  const { id } = await createBackup(db, target, {
    isFull: await isFullDue(target, rules, nowMs),
    heddleVersion: rules.heddleVersion,
    progress: { setTotal: () => {}, update: () => {}, message: rules.warn },
    signal,
  })
  if (rules.keepDays === 0) return id
  const old = planPrune(await readCatalog(target), {
    keep: undefined,
    keepDays: rules.keepDays,
    incompleteHours: INCOMPLETE_HOURS,
    nowMs,
  })
  for (const each of old) await removeBackup(target, each)
  return id
}

async function isFullDue(
  target: BackupTarget,
  { fullEveryDays }: ScheduleRules,
  nowMs: number,
): Promise<boolean> {
  const catalog = await readCatalog(target)
  const latest = findLatestRestorable(catalog)
  const first = latest && readChain(catalog, latest.id).at(-1)
  return first === undefined || Date.parse(first.created_at) < nowMs - fullEveryDays * DAY_MS
}
