import { setTimeout as sleep } from 'node:timers/promises'
import { type BackupState, cancelBackup, findBackupState } from '../../store/backup/backup-statements.ts'
import type { Database } from '../../store/database/database.ts'

const POLL_MS = 250

/** Waits for a BACKUP or RESTORE that ClickHouse runs in the background. An abort cancels it. */
export async function waitForBackup(
  db: Database,
  id: string,
  onProgress: (state: BackupState) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const state = await findBackupState(db, id)
    if (state === undefined)
      throw new Error('ClickHouse was restarted, which ended the operation; run the command again')
    onProgress(state)
    if (/^(BACKUP_CREATED|RESTORED)$/.test(state.status)) return
    if (!/^(CREATING_BACKUP|RESTORING)$/.test(state.status))
      throw new Error(`ClickHouse reports ${state.status}: ${firstLine(state.error)}`)
    if (signal?.aborted === true) {
      await cancelBackup(db, id)
      throw new Error('cancelled')
    }
    await sleep(POLL_MS)
  }
}

function firstLine(error: string): string {
  return error.split(/, Stack trace|\n/)[0] ?? ''
}
