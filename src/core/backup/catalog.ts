import type { BackupManifest, BackupStartMark } from './manifest.ts'

/** The backups of one target, and which of them depend on each other. */

interface IncompleteBackup {
  readonly id: string
  /** Undefined if not even the mark of its start is there. */
  readonly mark: BackupStartMark | undefined
}

export interface Catalog {
  /** Oldest first. */
  readonly complete: readonly BackupManifest[]
  /** Interrupted or running ones, oldest first. */
  readonly incomplete: readonly IncompleteBackup[]
}

/** Ids have seconds only: of two backups of one second they do not tell which is the later. */
export function oldestFirst(complete: readonly BackupManifest[]): BackupManifest[] {
  return complete.toSorted((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at))
}

function findBackup({ complete }: Catalog, id: string): BackupManifest | undefined {
  return complete.find((backup) => backup.id === id)
}

/** The backup and all that it builds on, newest first. Throws if one is missing: the backup cannot be restored then. */
export function readChain(catalog: Catalog, id: string): BackupManifest[] {
  const chain: BackupManifest[] = []
  for (let next: string | null = id; next !== null;) {
    const backup = findBackup(catalog, next)
    if (backup === undefined || chain.includes(backup)) throw new Error(missingMessage(catalog, id, next))
    chain.push(backup)
    next = backup.base_id
  }
  return chain
}

function missingMessage({ complete, incomplete }: Catalog, id: string, missing: string): string {
  if (missing !== id)
    return `backup ${id} builds on ${missing}, which is missing; choose another one from \`heddle backups list\``
  if (incomplete.some((backup) => backup.id === id))
    return `backup ${id} is incomplete: it was interrupted or is still running; choose another one from \`heddle backups list\``
  const latest = complete.at(-1)?.id
  return `there is no backup ${id}; ${latest === undefined ? 'the target has none' : `the latest is ${latest}`}`
}

/** The newest backup whose chain is intact; a new one can build on it. */
export function findLatestRestorable(catalog: Catalog): BackupManifest | undefined {
  return catalog.complete.findLast(({ id }) => {
    try {
      return readChain(catalog, id).length > 0
    } catch {
      return false
    }
  })
}

export interface PruneRules {
  /** Keep the newest this many. */
  readonly keep: number | undefined
  /** Keep those that are younger. */
  readonly keepDays: number | undefined
  /** An incomplete backup that is younger may still be running. */
  readonly incompleteHours: number
  readonly nowMs: number
}

const HOUR_MS = 3_600_000

/**
 * Ids to delete: incomplete ones, then the others, newest first. A backup goes before the one it builds on, so that an
 * interruption leaves chains intact.
 */
export function planPrune(catalog: Catalog, rules: PruneRules): string[] {
  const { complete, incomplete } = catalog
  const isYoung = (time: string, hours: number): boolean => Date.parse(time) > rules.nowMs - hours * HOUR_MS
  const maybeRunning = incomplete.filter(
    ({ mark }) => mark !== undefined && isYoung(mark.started_at, rules.incompleteHours),
  )
  const wanted = new Set<string>()
  const wantChain = (id: string | null): void => {
    for (let next = id; next !== null && !wanted.has(next);) {
      wanted.add(next)
      next = findBackup(catalog, next)?.base_id ?? null
    }
  }
  for (const { id, mark } of maybeRunning) {
    wanted.add(id)
    wantChain(mark?.base_id ?? null)
  }
  // The latest one that can be restored is always kept.
  const latest = findLatestRestorable(catalog)
  if (latest !== undefined) wantChain(latest.id)
  const keepsAll = rules.keep === undefined && rules.keepDays === undefined
  complete.forEach(({ id, created_at }, i) => {
    const isNewest = rules.keep !== undefined && i >= complete.length - rules.keep
    const isRecent = rules.keepDays !== undefined && isYoung(created_at, rules.keepDays * 24)
    if (keepsAll || isNewest || isRecent) wantChain(id)
  })
  return [...complete, ...incomplete]
    .toReversed()
    .map(({ id }) => id)
    .filter((id) => !wanted.has(id))
}
