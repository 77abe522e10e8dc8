import { ApiError } from '../../contract/api-error.ts'
import { laterTime, formatTime } from '../../core/time/time.ts'
import { listKeys } from '../../store/access/keys.ts'
import { listQuotas, type QuotaKind, type QuotaRow, writeQuota } from '../../store/access/quotas.ts'
import type { Deps } from '../deps.ts'

/** Administration of quotas. */

/** A quota for one API key or one project, as `heddle quotas` changes it. */
export interface QuotaChange {
  /** Id of an API key (`key_…`), or `entity/project`. */
  readonly subject: string
  /** 0 = no limit, null = the default from the server's settings. */
  readonly calls_per_second: number | null
  readonly bytes_per_second: number | null
}

export async function setQuota(deps: Deps, change: QuotaChange): Promise<void> {
  await writeChange(deps, change, 0)
}

/** Removes the quota, so that the server's defaults apply again. */
export async function clearQuota(deps: Deps, subject: string): Promise<void> {
  if ((await findQuota(deps, subject)) === undefined)
    throw new ApiError(
      'not_found',
      `${subject} has no quota of its own; list quotas with \`heddle quotas list\``,
    )
  await writeChange(deps, { subject, calls_per_second: null, bytes_per_second: null }, 1)
}

async function writeChange(deps: Deps, change: QuotaChange, is_deleted: 0 | 1): Promise<void> {
  const kind = await quotaKind(deps, change.subject, is_deleted === 1)
  const existing = await findQuota(deps, change.subject)
  const changed_at =
    existing === undefined ? formatTime(deps.now()) : laterTime(deps.now(), existing.changed_at)
  await writeQuota(deps.db, { kind, ...change, changed_at, is_deleted })
}

async function findQuota(deps: Deps, subject: string): Promise<QuotaRow | undefined> {
  return (await listQuotas(deps.db)).find((row) => row.subject === subject)
}

async function quotaKind(deps: Deps, subject: string, mayBeRevoked: boolean): Promise<QuotaKind> {
  if (/^[^/]+\/[^/]+$/.test(subject)) return 'project'
  if (!subject.startsWith('key_'))
    throw new ApiError('invalid_request', `"${subject}" must be entity/project or the id of a key (key_…)`)
  if (mayBeRevoked || (await listKeys(deps.db)).some((key) => key.key_id === subject)) return 'key'
  throw new ApiError('not_found', 'there is no such key; list keys with `heddle keys list`')
}
