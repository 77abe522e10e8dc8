import type { BrowserResponse } from '../../client/browser/client.ts'

/** The retention form: limits as people type them, in days and gigabytes. */

type Policy = Pick<
  BrowserResponse<'retention_read'>,
  | 'calls_max_age_seconds'
  | 'calls_max_bytes'
  | 'payloads_max_age_seconds'
  | 'payloads_max_bytes'
  | 'keep_tags'
>

/** Empty text: no limit. */
export interface RetentionDraft {
  readonly callsDays: string
  readonly callsGigabytes: string
  readonly payloadsDays: string
  readonly payloadsGigabytes: string
  /** Separated by commas. */
  readonly keepTags: string
}

const DAY_SECONDS = 86_400
const GIGABYTE = 1e9
/** The server's minimum is a minute. */
const MIN_AGE_SECONDS = 60

export function draftOf(policy: Policy): RetentionDraft {
  const text = (value: number | null, unit: number): string => (value === null ? '' : String(value / unit))
  return {
    callsDays: text(policy.calls_max_age_seconds, DAY_SECONDS),
    callsGigabytes: text(policy.calls_max_bytes, GIGABYTE),
    payloadsDays: text(policy.payloads_max_age_seconds, DAY_SECONDS),
    payloadsGigabytes: text(policy.payloads_max_bytes, GIGABYTE),
    keepTags: policy.keep_tags.join(', '),
  }
}

/** Undefined if a limit is not a positive number. */
export function policyOf(draft: RetentionDraft): Policy | undefined {
  const calls_max_age_seconds = limit(draft.callsDays, DAY_SECONDS, MIN_AGE_SECONDS)
  const calls_max_bytes = limit(draft.callsGigabytes, GIGABYTE, 1)
  const payloads_max_age_seconds = limit(draft.payloadsDays, DAY_SECONDS, MIN_AGE_SECONDS)
  const payloads_max_bytes = limit(draft.payloadsGigabytes, GIGABYTE, 1)
  if (
    calls_max_age_seconds === undefined ||
    calls_max_bytes === undefined ||
    payloads_max_age_seconds === undefined ||
    payloads_max_bytes === undefined
  )
    return undefined
  const keep_tags = draft.keepTags.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]))
  return { calls_max_age_seconds, calls_max_bytes, payloads_max_age_seconds, payloads_max_bytes, keep_tags }
}

function limit(text: string, unit: number, min: number): number | null | undefined {
  if (text.trim() === '') return null
  const value = Math.round(Number(text) * unit)
  return Number.isSafeInteger(value) && value >= min ? value : undefined
}
