import type { BackupDestination } from '../../store/backup/backup-statements.ts'

/** Where backups are stored: ClickHouse writes their data, Heddle the manifests. Paths are relative, with slashes. */
export interface BackupTarget {
  /** As in the settings, without secrets. */
  readonly name: string
  /** The same place, in the statements BACKUP and RESTORE. */
  destination(id: string): BackupDestination
  /** Files and directories at the top. */
  list(): Promise<string[]>
  /** All files of one backup, with sizes. */
  listFiles(id: string): Promise<{ readonly path: string; readonly size: number }[]>
  /** Undefined if the file does not exist. */
  readText(path: string): Promise<string | undefined>
  /** Whole or not at all, also if this process is killed. */
  writeText(path: string, text: string): Promise<void>
  /** SHA-256 of a file that ClickHouse wrote. Undefined if it does not exist. If it is new, it survives power loss from now on. */
  hash(
    path: string,
    age: 'new' | 'stored',
  ): Promise<{ readonly sha256: string; readonly size: number } | undefined>
  remove(path: string): Promise<void>
  removeAll(id: string): Promise<void>
  /** Undefined if the storage has no links. */
  createView?(): Promise<BackupView>
}

/** Backups of a target with other lists of files, in a temporary place that ClickHouse reads too. Their data is linked. */
export interface BackupView {
  destination(path: string): BackupDestination
  add(path: string, fileList: string): Promise<void>
  remove(): Promise<void>
}

/** How far a backup, restore or verification is. */
export interface BackupProgress {
  setTotal(phase: BackupPhase, total: number): void
  update(phase: BackupPhase, done: number): void
  /** For whoever runs or watches it. */
  message(text: string): void
}

type BackupPhase = 'backup' | 'checksums' | 'restore' | 'check' | 'copy'
