import { COLD_POLICY } from '../clickhouse/s3-disks.ts'
import type { ColdStorage } from '../store/retention/table-ttl.ts'
import { isExternal, type Settings } from './settings.ts'

/** Where ClickHouse moves old calls, by the settings; undefined if they stay on its disk. */
export function findColdStorage(settings: Settings): ColdStorage | undefined {
  const { coldStorageAfterDays: afterDays, coldStorageTarget, coldStoragePolicy } = settings
  const policy = isExternal(settings) ? coldStoragePolicy : coldStorageTarget && COLD_POLICY
  if (policy !== undefined) return { policy, afterDays }
  if (afterDays === 0) return undefined
  throw new Error(
    isExternal(settings)
      ? 'HEDDLE_COLD_STORAGE_AFTER_DAYS with an external ClickHouse needs a storage policy in its configuration, and the name of that policy in HEDDLE_COLD_STORAGE_POLICY (docs/retention.md)'
      : 'HEDDLE_COLD_STORAGE_AFTER_DAYS needs HEDDLE_COLD_STORAGE_TARGET, such as s3://bucket/prefix',
  )
}
