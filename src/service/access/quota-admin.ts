import { ApiError } from '../../contract/api-error.ts'
import { laterTime, formatTime } from '../../core/time/time.ts'
import { listKeys } from '../../store/access/keys.ts'
import { listQuotas, type QuotaKind, type QuotaRow, writeQuota } from '../../store/access/quotas.ts'
import type { Deps } from '../deps.ts'

/** Administration of quotas. */
export interface QuotaChange {
  /** The id of a key, or `entity/project`. */
  readonly subject: string
  /** 0 = no limit, null = as the settings of the server say. */
  readonly calls_per_second: number | null
  readonly bytes_per_second: number | null
}

export async function setQuota(deps: Deps, change: QuotaChange): Promise<void> {
  await write(deps, change, 0)
}

/** The settings hold again. */
export async function clearQuota(deps: Deps, subject: string): Promise<void> {
  if ((await findQuota(deps, subject)) === undefined)
    throw new ApiError('not_found', `${subject} has no quota of its own; see \`heddle quotas list\``)
  await write(deps, { subject, calls_per_second: null, bytes_per_second: null }, 1)
}

async function write(deps: Deps, change: QuotaChange, is_deleted: 0 | 1): Promise<void> {
  const kind = await kindOf(deps, change.subject, is_deleted === 1)
  const known = await findQuota(deps, change.subject)
  const changed_at = known === undefined ? formatTime(deps.now()) : laterTime(deps.now(), known.changed_at)
  await writeQuota(deps.db, { kind, ...change, changed_at, is_deleted })
}

async function findQuota(deps: Deps, subject: string): Promise<QuotaRow | undefined> {
  return (await listQuotas(deps.db)).find((row) => row.subject === subject)
}

async function kindOf(deps: Deps, subject: string, mayBeGone: boolean): Promise<QuotaKind> {
  if (/^[^/]+\/[^/]+$/.test(subject)) return 'project'
  if (!subject.startsWith('key_'))
    throw new ApiError(
      'invalid_request',
      `"${subject}" is neither entity/project nor the id of a key (key_…)`,
    )
  if (mayBeGone || (await listKeys(deps.db)).some((key) => key.key_id === subject)) return 'key'
  throw new ApiError('not_found', 'there is no such key; see `heddle keys list`')
}
