import type { S3Disk } from '../../clickhouse/config.ts'
import type { Settings } from '../settings.ts'

/** The S3 storage of `HEDDLE_BACKUP_TARGET`; undefined if that is a directory or unset. */
export function findS3Disk(settings: Settings): S3Disk | undefined {
  const { backupTarget, backupS3Endpoint, backupS3Region } = settings
  if (backupTarget === undefined || !backupTarget.startsWith('s3://')) return undefined
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(backupTarget) ?? []
  if (bucket === undefined)
    throw new Error(`HEDDLE_BACKUP_TARGET must be s3://bucket/prefix or a directory, not "${backupTarget}"`)
  const { backupS3AccessKeyId: accessKeyId, backupS3SecretAccessKey: secretAccessKey } = settings
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error(
      'set HEDDLE_BACKUP_S3_ACCESS_KEY_ID and HEDDLE_BACKUP_S3_SECRET_ACCESS_KEY for backups to S3',
    )
  const endpoint = backupS3Endpoint ?? `https://s3.${backupS3Region}.amazonaws.com`
  const url = `${endpoint.replace(/\/+$/, '')}/${bucket}/${prefix === '' ? '' : `${prefix}/`}`
  return { url, region: backupS3Region, accessKeyId, secretAccessKey }
}
