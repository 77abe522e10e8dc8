import type { S3Disk } from '../clickhouse/s3-disks.ts'
import type { Settings } from './settings.ts'

/** The S3 storage of `HEDDLE_BACKUP_TARGET`; undefined if that is a directory or unset. */
export function findBackupDisk(settings: Settings): S3Disk | undefined {
  const { backupTarget } = settings
  if (backupTarget === undefined || !backupTarget.startsWith('s3://')) return undefined
  return readS3Disk('HEDDLE_BACKUP', {
    target: backupTarget,
    endpoint: settings.backupS3Endpoint,
    region: settings.backupS3Region,
    accessKeyId: settings.backupS3AccessKeyId,
    secretAccessKey: settings.backupS3SecretAccessKey,
  })
}

/** The S3 storage of `HEDDLE_COLD_STORAGE_TARGET`; undefined if it is unset. */
export function findColdDisk(settings: Settings): S3Disk | undefined {
  const { coldStorageTarget } = settings
  if (coldStorageTarget === undefined) return undefined
  return readS3Disk('HEDDLE_COLD_STORAGE', {
    target: coldStorageTarget,
    endpoint: settings.coldStorageS3Endpoint,
    region: settings.coldStorageS3Region,
    accessKeyId: settings.coldStorageS3AccessKeyId,
    secretAccessKey: settings.coldStorageS3SecretAccessKey,
  })
}

interface S3Settings {
  /** `s3://bucket/prefix` */
  readonly target: string
  readonly endpoint: string | undefined
  readonly region: string
  readonly accessKeyId: string | undefined
  readonly secretAccessKey: string | undefined
}

/** `variables`: how the names of the variables begin, for messages. */
function readS3Disk(variables: string, s3: S3Settings): S3Disk {
  const { target, region, accessKeyId, secretAccessKey } = s3
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(target) ?? []
  if (bucket === undefined) throw new Error(`${variables}_TARGET must be s3://bucket/prefix, not "${target}"`)
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error(
      `set ${variables}_S3_ACCESS_KEY_ID and ${variables}_S3_SECRET_ACCESS_KEY for the bucket of ${variables}_TARGET`,
    )
  const endpoint = s3.endpoint ?? `https://s3.${region}.amazonaws.com`
  const url = `${endpoint.replace(/\/+$/, '')}/${bucket}/${prefix === '' ? '' : `${prefix}/`}`
  return { url, region, accessKeyId, secretAccessKey }
}
