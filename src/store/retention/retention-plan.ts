import { ageCutoff, type RetentionPolicy } from '../../core/retention/retention-policy.ts'
import type { Micros } from '../../core/time/time.ts'
import { SIZE } from '../calls/read/sizes.ts'
import type { Database } from '../database/database.ts'
import { fromAllVersionsOfRows, fromRows, RowsOfProjects } from '../query/scope.ts'
import { bound, moment, type Sql, sql } from '../query/sql.ts'
import { latestCutoff, latestOf, type ProjectCutoffs, selectKeptCalls, timesOf } from './selected-calls.ts'

/** What retention policies delete now, of many projects at once. The preview and the job use the same plan. */

type ProjectPolicy = RetentionPolicy & { readonly project_id: string }

/** Those of the policies that have a cutoff now. */
export async function findCutoffs(
  db: Database,
  policies: readonly ProjectPolicy[],
  now: Micros,
): Promise<ProjectCutoffs[]> {
  const byCallBytes = await findBytesCutoffs(db, limitsOf(policies, 'calls_max_bytes'))
  const byPayloadBytes = await findBytesCutoffs(db, limitsOf(policies, 'payloads_max_bytes'))
  const byAge = (seconds: number | null): Micros | undefined =>
    seconds === null ? undefined : ageCutoff(now, seconds)
  return policies
    .map(({ project_id, keep_tags, calls_max_age_seconds, payloads_max_age_seconds }) => ({
      project_id,
      callsBefore: latestOf([byAge(calls_max_age_seconds), byCallBytes.get(project_id)]),
      payloadsBefore: latestOf([byAge(payloads_max_age_seconds), byPayloadBytes.get(project_id)]),
      keep_tags,
    }))
    .filter((cutoffs) => latestCutoff(cutoffs) !== undefined)
}

/** A number for each of several projects. */
export interface ProjectNumber {
  readonly project_id: string
  readonly value: number
}

function limitsOf(
  policies: readonly ProjectPolicy[],
  limit: 'calls_max_bytes' | 'payloads_max_bytes',
): ProjectNumber[] {
  return policies.flatMap((policy) => {
    const value = policy[limit]
    return value === null ? [] : [{ project_id: policy.project_id, value }]
  })
}

/** Each has a row per hour with calls in memory. */
const PROJECTS_PER_STATEMENT = 1_000

/** The time after which the newest calls of the project have at most this many bytes. Projects with fewer bytes are left out. */
async function findBytesCutoffs(
  db: Database,
  limits: readonly ProjectNumber[],
): Promise<ReadonlyMap<string, Micros>> {
  const cutoffs = new Map<string, Micros>()
  const options = { name: 'retention bytes', kind: 'export' } as const
  for (let i = 0; i < limits.length; i += PROJECTS_PER_STATEMENT) {
    const batch = limits.slice(i, i + PROJECTS_PER_STATEMENT)
    const hours = await db.rows<{ project_id: string; hour: string; newer: string }>(
      selectFullHours(batch),
      options,
    )
    if (hours.length === 0) continue
    const maxBytes = new Map(batch.map(({ project_id, value }) => [project_id, value]))
    const full = hours.map(({ project_id, hour, newer }) => ({
      project_id,
      hour: Number(hour),
      rest: (maxBytes.get(project_id) ?? 0) - Number(newer),
    }))
    const calls = await db.rows<{ project_id: string; started: string }>(selectFirstBeyond(full), options)
    for (const { project_id, started } of calls) cutoffs.set(project_id, BigInt(started) + 1n)
  }
  return cutoffs
}

const HOUR_MICROS = 3_600_000_000n
const HOUR = sql`intDiv(toUnixTimestamp64Micro(started_at), ${bound('Int64', HOUR_MICROS.toString())})`

function numberOfProject(numbers: readonly ProjectNumber[]): Sql {
  const project_ids = numbers.map(({ project_id }) => project_id)
  const values = bound(
    'Array(Int64)',
    numbers.map(({ value }) => value),
  )
  return sql`transform(project_id, ${project_ids}, ${values}, toInt64(0))`
}

/** By project, the hour in which the newest calls exceed the bytes, and the bytes of those after it. */
export function selectFullHours(limits: readonly ProjectNumber[]): Sql {
  const rows = RowsOfProjects.of(limits.map(({ project_id }) => project_id))
  return sql`SELECT project_id, hour, total - bytes AS newer FROM (
  SELECT project_id, hour, bytes, sum(bytes) OVER (PARTITION BY project_id ORDER BY hour DESC) AS total FROM (
    SELECT project_id, ${HOUR} AS hour, sum(${SIZE}) AS bytes ${fromRows('calls', rows)} GROUP BY project_id, hour))
WHERE total > ${numberOfProject(limits)} ORDER BY hour DESC LIMIT 1 BY project_id`
}

interface FullHour {
  readonly project_id: string
  /** Since 1970. */
  readonly hour: number
  /** Bytes that calls of this hour may have. */
  readonly rest: number
}

/** By project, the newest call of the hour with which its calls exceed the bytes. */
export function selectFirstBeyond(hours: readonly FullHour[]): Sql {
  const rows = RowsOfProjects.of(hours.map(({ project_id }) => project_id))
  const [first, last] = [Math.min, Math.max].map((choose) => BigInt(choose(...hours.map(({ hour }) => hour))))
  const hourOf = numberOfProject(hours.map(({ project_id, hour }) => ({ project_id, value: hour })))
  const restOf = numberOfProject(hours.map(({ project_id, rest }) => ({ project_id, value: rest })))
  return sql`SELECT project_id, toUnixTimestamp64Micro(max(started_at)) AS started FROM (
  SELECT project_id, started_at, sum(${SIZE}) OVER (PARTITION BY project_id ORDER BY started_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS total
  ${fromRows('calls', rows)} AND started_at >= ${moment(first! * HOUR_MICROS)} AND started_at < ${moment((last! + 1n) * HOUR_MICROS)} AND ${HOUR} = ${hourOf})
WHERE total > ${restOf} GROUP BY project_id`
}

/** Projects with rows that are too old, whether they are kept or not. */
export async function findDueProjects(
  db: Database,
  cutoffs: readonly ProjectCutoffs[],
): Promise<ReadonlySet<string>> {
  if (cutoffs.length === 0) return new Set()
  const rows = await db.rows<{ project_id: string }>(selectDueProjects(cutoffs), {
    name: 'projects with old calls',
    kind: 'export',
  })
  return new Set(rows.map(({ project_id }) => project_id))
}

/** An interrupted run, or a TTL of the table, may have left rows in the other tables only. */
export function selectDueProjects(cutoffs: readonly ProjectCutoffs[]): Sql {
  const calls = timesOf(cutoffs, ({ callsBefore }) => callsBefore)
  const payloads = timesOf(cutoffs, ({ payloadsBefore }) => payloadsBefore)
  return sql`SELECT project_id ${fromAllVersionsOfRows('calls', RowsOfProjects.before(calls))} GROUP BY project_id
UNION DISTINCT SELECT project_id ${fromAllVersionsOfRows('calls', RowsOfProjects.before(payloads))} AND is_deleted = 0 AND payload_expired = 0 GROUP BY project_id
UNION DISTINCT SELECT project_id ${fromAllVersionsOfRows('call_ids', RowsOfProjects.before(calls))} AND is_part = 0 GROUP BY project_id
UNION DISTINCT SELECT project_id ${fromAllVersionsOfRows('call_parts', RowsOfProjects.before(calls, 'inserted_at'))} GROUP BY project_id`
}

interface DeletionCount {
  readonly count: number
  /** Bytes of payloads as sent; 0 unless they were requested. */
  readonly bytes: number
}

/** What a run deletes in a project; `kept` are calls that are old enough, but stay. */
export interface RetentionCounts {
  readonly calls: DeletionCount
  readonly payloads: DeletionCount
  readonly kept: number
}

const NOTHING: RetentionCounts = {
  calls: { count: 0, bytes: 0 },
  payloads: { count: 0, bytes: 0 },
  kept: 0,
}

interface CountOptions {
  /** The calls to keep, as a subquery. */
  readonly kept: Sql
  /** Rows that were stored later are left alone. */
  readonly storedBefore?: Micros
  readonly hasBytes?: boolean
}

/** By project; those without old calls are left out. */
export async function countDeletions(
  db: Database,
  cutoffs: readonly ProjectCutoffs[],
  options: CountOptions,
): Promise<ReadonlyMap<string, RetentionCounts>> {
  const rows = await db.rows<
    Record<'project_id' | 'calls' | 'call_bytes' | 'payloads' | 'payload_bytes' | 'kept', string>
  >(selectDeletions(cutoffs, options), { name: 'retention counts', kind: 'export' })
  return new Map(
    rows.map((row) => [
      row.project_id,
      {
        calls: { count: Number(row.calls), bytes: Number(row.call_bytes) },
        payloads: { count: Number(row.payloads), bytes: Number(row.payload_bytes) },
        kept: Number(row.kept),
      },
    ]),
  )
}

export function selectDeletions(
  cutoffs: readonly ProjectCutoffs[],
  { kept, storedBefore, hasBytes = false }: CountOptions,
): Sql {
  const isBefore = (time: (cutoffs: ProjectCutoffs) => Micros | undefined): Sql =>
    RowsOfProjects.before(timesOf(cutoffs, time)).condition
  const isStored = storedBefore === undefined ? sql`1` : sql`inserted_at < ${moment(storedBefore)}`
  return sql`SELECT project_id, countIf(is_gone) AS calls, sumIf(size, is_gone) AS call_bytes, countIf(is_stripped) AS payloads,
  sumIf(size, is_stripped) AS payload_bytes, countIf(is_kept) AS kept
FROM (SELECT project_id, (project_id, id) IN (${kept}) AS is_kept, NOT is_kept AND ${isStored} AND ${isBefore(({ callsBefore }) => callsBefore)} AS is_gone,
    NOT is_kept AND NOT is_gone AND payload_expired = 0 AND ${isStored} AND ${isBefore(({ payloadsBefore }) => payloadsBefore)} AS is_stripped,
    ${hasBytes ? SIZE : sql`0`} AS size
  ${fromRows('calls', RowsOfProjects.before(timesOf(cutoffs, latestCutoff)))})
GROUP BY project_id`
}

/** What the policy would delete now, without deleting it. */
export async function previewPolicy(
  db: Database,
  policy: ProjectPolicy,
  now: Micros,
): Promise<RetentionCounts & Pick<ProjectCutoffs, 'callsBefore' | 'payloadsBefore'>> {
  const cutoffs = await findCutoffs(db, [policy], now)
  const [own] = cutoffs
  if (own === undefined) return { ...NOTHING, callsBefore: undefined, payloadsBefore: undefined }
  const counts = await countDeletions(db, cutoffs, { kept: selectKeptCalls(cutoffs), hasBytes: true })
  const { callsBefore, payloadsBefore } = own
  return { ...(counts.get(policy.project_id) ?? NOTHING), callsBefore, payloadsBefore }
}
