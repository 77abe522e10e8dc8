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

/** Where the objects are, and the cache in front of it, which tables use. */
const COLD_DISK = 'heddle_cold'
export const CACHED_COLD_DISK = 'heddle_cold_cached'

/** XML of the disks, of the policy that uses them, and of the permission to write backups. */
export function storageXml({ backup, cold }: S3Disks): string {
  // Heddle's user may write backups to any directory that the process can write to; the other users have no permission
  // to run BACKUP.
  const allowedDisk = backup === undefined ? '' : `<allowed_disk>${BACKUP_DISK}</allowed_disk>`
  const disks = [
    ...(backup === undefined ? [] : [diskXml(BACKUP_DISK, 's3_plain', backup, BACKUP_LIMITS)]),
    ...(cold === undefined ? [] : [diskXml(COLD_DISK, 's3', cold, COLD_LIMITS), coldCacheXml()]),
  ]
  const policies = cold === undefined ? '' : `<policies>${coldPolicyXml()}</policies>`
  const configuration =
    disks.length === 0
      ? ''
      : `<storage_configuration><disks>${disks.join('\n')}</disks>${policies}</storage_configuration>`
  return `<backups><allowed_path>/</allowed_path>${allowedDisk}</backups>
  ${configuration}`
}

/** ClickHouse's default are 500 retries. Four take about two seconds if S3 refuses connections. */
const BACKUP_LIMITS = '<s3_retry_attempts>4</s3_retry_attempts>'

/**
 * A read of a moved call fails after five seconds also when S3 accepts connections and never responds: the second attempt
 * waits for the timeout, the first one for a part of it. A page of the UI sends more reads than run at once, so some wait for
 * another one first.
 */
const COLD_LIMITS = `<s3_retry_attempts>1</s3_retry_attempts>
    <s3_max_single_read_retries>1</s3_max_single_read_retries>
    <request_timeout_ms>4000</request_timeout_ms>`

/** An unreachable S3 must not prevent the start: by default ClickHouse checks its access to the disk. */
function diskXml(name: string, type: 's3' | 's3_plain', disk: S3Disk, limits: string): string {
  return `<${name}>
    <type>${type}</type>
    <endpoint>${escapeXml(disk.url)}</endpoint>
    <region>${escapeXml(disk.region)}</region>
    <access_key_id>${escapeXml(disk.accessKeyId)}</access_key_id>
    <secret_access_key>${escapeXml(disk.secretAccessKey)}</secret_access_key>
    <skip_access_check>true</skip_access_check>
    ${limits}
  </${name}>`
}

/**
 * ClickHouse loads a table only if it can read some small files of every part: columns, checksums, marks, … They are in this
 * cache since the part was loaded for the first time, so that a start needs no S3. Reads of calls do not fill it
 * (`PASSIVE_CACHE`). Writes do, because some of these files are read by nothing but a start; what they write of calls is
 * evicted first (`use_split_cache`), and then marks, which `ColdParts` reads again. It is in `clickhouse/cache` of the data
 * directory.
 */
function coldCacheXml(): string {
  return `<${CACHED_COLD_DISK}>
    <type>cache</type>
    <disk>${COLD_DISK}</disk>
    <path>${COLD_DISK}</path>
    <max_size>1Gi</max_size>
    <use_split_cache>true</use_split_cache>
    <split_cache_ratio>0.5</split_cache_ratio>
    <cache_on_write_operations>true</cache_on_write_operations>
    <background_download_threads>0</background_download_threads>
    <skip_cache_on_disk_failure>true</skip_cache_on_disk_failure>
  </${CACHED_COLD_DISK}>`
}

/** A setting of everything that writes to cold storage: moves, merges and mutations. */
export const WRITE_THROUGH_CACHE =
  '<enable_filesystem_cache_on_write_operations>1</enable_filesystem_cache_on_write_operations>'

/** A setting of users whose reads use the cache of cold storage, but do not add to it. */
export const PASSIVE_CACHE =
  '<read_from_filesystem_cache_if_exists_otherwise_bypass_cache>1</read_from_filesystem_cache_if_exists_otherwise_bypass_cache>'

/** Inserts never wait for S3, whatever the age of the calls, and nothing but their age moves parts. */
function coldPolicyXml(): string {
  return `<${COLD_POLICY}>
    <volumes>
      <default><disk>default</disk></default>
      <cold><disk>${CACHED_COLD_DISK}</disk><perform_ttl_move_on_insert>false</perform_ttl_move_on_insert></cold>
    </volumes>
    <move_factor>0</move_factor>
  </${COLD_POLICY}>`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
