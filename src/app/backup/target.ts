import { join, resolve } from 'node:path'
import { BACKUP_DISK } from '../../clickhouse/s3-disks.ts'
import type { BackupTarget } from '../../service/backup/backup-target.ts'
import { findBackupDisk } from '../s3-disks.ts'
import { isExternal, type Settings } from '../settings.ts'
import { DirectoryTarget } from './directory-target.ts'
import { S3Target } from './s3-target.ts'

/** The backup target of the settings; undefined if there is none. */
export function findBackupTarget(settings: Settings): BackupTarget | undefined {
  const { backupTarget, backupDisk, dataDirectory } = settings
  if (backupTarget === undefined) return undefined
  const s3 = findBackupDisk(settings)
  if (s3 === undefined) {
    const scratch =
      isExternal(settings) || backupDisk !== undefined ? undefined : join(resolve(dataDirectory), 'tmp')
    return new DirectoryTarget(backupTarget, backupDisk, scratch)
  }
  if (isExternal(settings) && backupDisk === undefined)
    throw new Error(
      'for backups of an external ClickHouse to S3, configure a disk of the type s3_plain in ClickHouse and set HEDDLE_BACKUP_DISK to its name (docs/deploy/backup.md)',
    )
  return new S3Target(backupTarget, s3, backupDisk ?? BACKUP_DISK)
}
