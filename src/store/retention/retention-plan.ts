import { ageCutoff, type RetentionPolicy } from '../../core/retention/retention-policy.ts'
import type { Micros } from '../../core/time/time.ts'
import { SIZE } from '../calls/sizes.ts'
import type { Database } from '../database/database.ts'
import { from } from '../query/scope.ts'
import { bound, moment, type Sql, sql } from '../query/sql.ts'
import { selectKeptIds } from './selected-calls.ts'

/** What a retention policy deletes now. The preview and the job use the same plan. */

/** Calls that started before these times go, or lose their payloads; undefined: none. */
export interface RetentionCutoffs {
  readonly callsBefore: Micros | undefined
  readonly payloadsBefore: Micros | undefined
}

export async function findCutoffs(
  db: Database,
  project_id: string,
  policy: RetentionPolicy,
  now: Micros,
): Promise<RetentionCutoffs> {
  const find = async (ageSeconds: number | null, maxBytes: number | null): Promise<Micros | undefined> => {
    const byAge = ageSeconds === null ? undefined : ageCutoff(now, ageSeconds)
    const byBytes = maxBytes === null ? undefined : await findBytesCutoff(db, project_id, maxBytes)
    return latest(byAge, byBytes)
  }
  const callsBefore = await find(policy.calls_max_age_seconds, policy.calls_max_bytes)
  const payloadsBefore = await find(policy.payloads_max_age_seconds, policy.payloads_max_bytes)
  return { callsBefore, payloadsBefore }
}

export function latest(a: Micros | undefined, b: Micros | undefined): Micros | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a > b ? a : b
}

/** The time after which the newest calls have at most so many bytes; undefined if all calls have no more. */
async function findBytesCutoff(
  db: Database,
  project_id: string,
  maxBytes: number,
): Promise<Micros | undefined> {
  const options = { name: 'retention bytes', kind: 'export' } as const
  const hour = await db.first<{ hour: string; newer: string }>(selectFullHour(project_id, maxBytes), options)
  if (hour === undefined) return undefined
  const rest = maxBytes - Number(hour.newer)
  const call = await db.first<{ started: string }>(
    selectFirstBeyond(project_id, BigInt(hour.hour), rest),
    options,
  )
  return call === undefined ? undefined : BigInt(call.started) + 1n
}

const HOUR_MICROS = 3_600_000_000n

/** The hour in which the newest calls exceed the bytes, and the bytes of those after it. */
export function selectFullHour(project_id: string, maxBytes: number): Sql {
  return sql`SELECT hour, total - bytes AS newer FROM (
  SELECT hour, bytes, sum(bytes) OVER (ORDER BY hour DESC) AS total FROM (
    SELECT intDiv(toUnixTimestamp64Micro(started_at), ${bound('Int64', HOUR_MICROS.toString())}) AS hour, sum(${SIZE}) AS bytes
    ${from(project_id, 'calls')} GROUP BY hour))
WHERE total > ${maxBytes} ORDER BY hour DESC LIMIT 1`
}

/** The newest call of the hour with which its calls exceed the bytes. */
export function selectFirstBeyond(project_id: string, hour: bigint, maxBytes: number): Sql {
  return sql`SELECT toUnixTimestamp64Micro(started_at) AS started FROM (
  SELECT started_at, sum(${SIZE}) OVER (ORDER BY started_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS total
  ${from(project_id, 'calls')} AND started_at >= ${moment(hour * HOUR_MICROS)} AND started_at < ${moment((hour + 1n) * HOUR_MICROS)})
WHERE total > ${maxBytes} ORDER BY started_at DESC LIMIT 1`
}

interface DeletionCount {
  readonly count: number
  /** Bytes of payloads as sent. */
  readonly bytes: number
}

/** What a run deletes; `kept` are calls that are old enough, but stay. */
export interface RetentionCounts {
  readonly calls: DeletionCount
  readonly payloads: DeletionCount
  readonly kept: number
}

const NOTHING: DeletionCount = { count: 0, bytes: 0 }

/** `keptIds`: the ids to keep, as a subquery. */
export async function countDeletions(
  db: Database,
  project_id: string,
  { callsBefore, payloadsBefore }: RetentionCutoffs,
  keptIds: Sql,
): Promise<RetentionCounts> {
  const before = latest(callsBefore, payloadsBefore)
  if (before === undefined) return { calls: NOTHING, payloads: NOTHING, kept: 0 }
  const row = await db.first<Record<'calls' | 'call_bytes' | 'payloads' | 'payload_bytes' | 'kept', string>>(
    selectDeletions(project_id, before, callsBefore, payloadsBefore, keptIds),
    { name: 'retention counts', kind: 'export' },
  )
  const number = (text: string | undefined): number => Number(text ?? 0)
  return {
    calls: { count: number(row?.calls), bytes: number(row?.call_bytes) },
    payloads: { count: number(row?.payloads), bytes: number(row?.payload_bytes) },
    kept: number(row?.kept),
  }
}

export function selectDeletions(
  project_id: string,
  before: Micros,
  callsBefore: Micros | undefined,
  payloadsBefore: Micros | undefined,
  keptIds: Sql,
): Sql {
  const isBefore = (time: Micros | undefined): Sql =>
    time === undefined ? sql`0` : sql`started_at < ${moment(time)}`
  return sql`SELECT countIf(is_gone) AS calls, sumIf(size, is_gone) AS call_bytes, countIf(is_stripped) AS payloads,
  sumIf(size, is_stripped) AS payload_bytes, countIf(is_kept) AS kept
FROM (SELECT id IN (${keptIds}) AS is_kept, NOT is_kept AND ${isBefore(callsBefore)} AS is_gone,
    NOT is_kept AND NOT is_gone AND payload_expired = 0 AND ${isBefore(payloadsBefore)} AS is_stripped, ${SIZE} AS size
  ${from(project_id, 'calls')} AND started_at < ${moment(before)})`
}

/** What the policy would delete now, without deleting it. */
export async function previewPolicy(
  db: Database,
  project_id: string,
  policy: RetentionPolicy,
  now: Micros,
): Promise<RetentionCounts & RetentionCutoffs> {
  const cutoffs = await findCutoffs(db, project_id, policy, now)
  const before = latest(cutoffs.callsBefore, cutoffs.payloadsBefore) ?? 0n
  const counts = await countDeletions(
    db,
    project_id,
    cutoffs,
    selectKeptIds(project_id, before, policy.keep_tags),
  )
  return { ...cutoffs, ...counts }
}
