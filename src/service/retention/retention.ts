import { NO_RETENTION, isUnlimited, type RetentionPolicy } from '../../core/retention/retention-policy.ts'
import { formatTime, laterTime, type Micros } from '../../core/time/time.ts'
import { findLastRun } from '../../store/jobs/job-runs.ts'
import { findLastDeletion } from '../../store/retention/call-deletions.ts'
import { findPolicy, writePolicy } from '../../store/retention/policies.ts'
import { previewPolicy } from '../../store/retention/retention-plan.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { RETENTION_JOB } from './retention-job.ts'

const DAY_SECONDS = 86_400

type Operation =
  | 'retention_read'
  | 'retention_update'
  | 'retention_preview'
  | 'ttl_settings_read'
  | 'ttl_settings_update'

/** Handlers and functions of the command line for the retention of projects. */
export function retentionHandlers(deps: Deps): Pick<Handlers, Operation> {
  const { db } = deps
  return {
    retention_read: async ({ project_id }) => {
      const [policy, lastRun, lastDeletion] = await Promise.all([
        findPolicy(db, project_id),
        findLastRun(db, RETENTION_JOB),
        findLastDeletion(db, project_id),
      ])
      return {
        ...policyOf(policy ?? NO_RETENTION),
        changed_by: policy?.changed_by ?? null,
        changed_at: policy?.changed_at ?? null,
        server_max_days: deps.retentionMaxDays === 0 ? null : deps.retentionMaxDays,
        last_run_at: lastRun === undefined ? null : formatTime(lastRun),
        last_deletion: lastDeletion ?? null,
      }
    },
    retention_update: async ({ project_id, ...policy }, { username }) => {
      await setPolicy(deps, project_id, policyOf(policy), username)
      return {}
    },
    retention_preview: async ({ project_id, ...policy }) =>
      previewRetention(deps, project_id, policyOf(policy)),
    ttl_settings_read: async ({ project_id }) => {
      const { calls_max_age_seconds: seconds } = (await findPolicy(db, project_id)) ?? NO_RETENTION
      return { retention_days: seconds === null ? null : Math.ceil(seconds / DAY_SECONDS) }
    },
    ttl_settings_update: async ({ project_id, retention_days }, { username }) => {
      const days = retention_days ?? null
      const calls_max_age_seconds = days === null ? null : days * DAY_SECONDS
      const policy = (await findPolicy(db, project_id)) ?? NO_RETENTION
      await setPolicy(deps, project_id, { ...policy, calls_max_age_seconds }, username)
      return { retention_days: days }
    },
  }
}

function policyOf(fields: RetentionPolicy) {
  return {
    calls_max_age_seconds: fields.calls_max_age_seconds,
    calls_max_bytes: fields.calls_max_bytes,
    payloads_max_age_seconds: fields.payloads_max_age_seconds,
    payloads_max_bytes: fields.payloads_max_bytes,
    keep_tags: [...fields.keep_tags],
  }
}

/** A policy without limits is removed. */
export async function setPolicy(
  { db, now }: Deps,
  project_id: string,
  policy: RetentionPolicy,
  changed_by: string,
): Promise<void> {
  const existing = await findPolicy(db, project_id)
  const changed_at = existing === undefined ? formatTime(now()) : laterTime(now(), existing.changed_at)
  const is_deleted = isUnlimited(policy) ? 1 : 0
  await writePolicy(db, { ...policyOf(policy), project_id, changed_by, changed_at, is_deleted })
}

export async function previewRetention({ db, now }: Deps, project_id: string, policy: RetentionPolicy) {
  const { calls, payloads, kept, callsBefore, payloadsBefore } = await previewPolicy(
    db,
    { ...policy, project_id },
    now(),
  )
  const before = (time: Micros | undefined): string | null => (time === undefined ? null : formatTime(time))
  return {
    calls: { ...calls, before: before(callsBefore) },
    payloads: { ...payloads, before: before(payloadsBefore) },
    kept_calls: kept,
  }
}
