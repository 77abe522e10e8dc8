import type { Micros } from '../time/time.ts'

/** How long the calls of a project are kept (docs/decisions/0019-retention.md); null: no limit. */
export interface RetentionPolicy {
  readonly calls_max_age_seconds: number | null
  readonly calls_max_bytes: number | null
  readonly payloads_max_age_seconds: number | null
  readonly payloads_max_bytes: number | null
  /** Traces with a call that has one of these tags are kept. */
  readonly keep_tags: readonly string[]
}

export const NO_RETENTION: RetentionPolicy = {
  calls_max_age_seconds: null,
  calls_max_bytes: null,
  payloads_max_age_seconds: null,
  payloads_max_bytes: null,
  keep_tags: [],
}

export function isUnlimited(policy: RetentionPolicy): boolean {
  return (
    policy.calls_max_age_seconds === null &&
    policy.calls_max_bytes === null &&
    policy.payloads_max_age_seconds === null &&
    policy.payloads_max_bytes === null
  )
}

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400
/** A run every twentieth of the age rewrites each part often enough. */
const STEPS = 20

/**
 * Calls that started before this time are too old. It advances in steps of a twentieth of the age, at least a minute and
 * at most a day: every step rewrites parts in ClickHouse.
 */
export function ageCutoff(now: Micros, maxAgeSeconds: number): Micros {
  const step =
    BigInt(Math.min(DAY_SECONDS, Math.max(MINUTE_SECONDS, Math.floor(maxAgeSeconds / STEPS)))) * 1_000_000n
  const exact = now - BigInt(maxAgeSeconds) * 1_000_000n
  return exact - (((exact % step) + step) % step)
}

const UNITS: Readonly<Record<string, number>> = { m: MINUTE_SECONDS, h: 3_600, d: DAY_SECONDS }

/** `30d`, `12h` or `5m` in seconds; undefined for other text. */
export function parseAge(text: string): number | undefined {
  const match = /^([1-9]\d{0,5})([mhd])$/.exec(text)
  return match === null ? undefined : Number(match[1]) * UNITS[match[2]!]!
}

export function formatAge(seconds: number): string {
  const unit = Object.entries(UNITS).findLast(([, length]) => seconds % length === 0)
  return unit === undefined ? `${seconds}s` : `${seconds / unit[1]}${unit[0]}`
}

const BYTE_UNITS: Readonly<Record<string, number>> = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

/** `500GB`, `1.5TB` or a number of bytes; undefined for other text. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,3})?)\s*(KB|MB|GB|TB|)$/i.exec(text)
  if (match === null) return undefined
  const bytes = Math.floor(Number(match[1]) * BYTE_UNITS[match[2]!.toUpperCase()]!)
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined
}
