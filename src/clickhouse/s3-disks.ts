/** S3-compatible storage that embedded ClickHouse uses as a disk. */
export interface S3Disk {
  /** URL of the bucket and the prefix in it, with a slash at the end. */
  readonly url: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface S3Disks {
  readonly backup?: S3Disk | undefined
  /** For old calls. */
  readonly cold?: S3Disk | undefined
}

/** The name of the storage of backups in the statements BACKUP and RESTORE. */
export const BACKUP_DISK = 'heddle_backup'

/** The storage policy of tables with a cold volume. The volume `default` is the one of tables without a policy. */
export const COLD_POLICY = 'heddle_cold'

const COLD_DISK = 'heddle_cold'

/** XML of the disks, of the policy that uses them, and of the permission to write backups. */
export function storageXml({ backup, cold }: S3Disks): string {
  // Heddle's user may write backups to any directory that the process can write to; the other users have no permission
  // to run BACKUP.
  const allowedDisk = backup === undefined ? '' : `<allowed_disk>${BACKUP_DISK}</allowed_disk>`
  const disks = [
    ...(backup === undefined ? [] : [diskXml(BACKUP_DISK, 's3_plain', backup)]),
    ...(cold === undefined ? [] : [diskXml(COLD_DISK, 's3', cold)]),
  ]
  const policies = cold === undefined ? '' : `<policies>${coldPolicyXml()}</policies>`
  const configuration =
    disks.length === 0
      ? ''
      : `<storage_configuration><disks>${disks.join('\n')}</disks>${policies}</storage_configuration>`
  return `<backups><allowed_path>/</allowed_path>${allowedDisk}</backups>
  ${configuration}`
}

/**
 * An unreachable S3 must not prevent the start, nor let a read or a backup hang: ClickHouse's defaults are an access check
 * and 500 retries. Four take about two seconds.
 */
function diskXml(name: string, type: 's3' | 's3_plain', disk: S3Disk): string {
  return `<${name}>
    <type>${type}</type>
    <endpoint>${escapeXml(disk.url)}</endpoint>
    <region>${escapeXml(disk.region)}</region>
    <access_key_id>${escapeXml(disk.accessKeyId)}</access_key_id>
    <secret_access_key>${escapeXml(disk.secretAccessKey)}</secret_access_key>
    <skip_access_check>true</skip_access_check>
    <s3_retry_attempts>4</s3_retry_attempts>
  </${name}>`
}

/** Inserts never wait for S3, whatever the age of the calls, and nothing but their age moves parts. */
function coldPolicyXml(): string {
  return `<${COLD_POLICY}>
    <volumes>
      <default><disk>default</disk></default>
      <cold><disk>${COLD_DISK}</disk><perform_ttl_move_on_insert>false</perform_ttl_move_on_insert></cold>
    </volumes>
    <move_factor>0</move_factor>
  </${COLD_POLICY}>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
