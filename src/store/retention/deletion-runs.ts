import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { readEveryServer } from '../database/every-server.ts'
import { RowWriter } from '../database/row-binary.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { runMutation } from '../jobs/mutations.ts'
import { fromAllProjects, fromList, NO_TIME, type ProjectTimes } from '../query/scope.ts'
import { identifier, type Sql, sql } from '../query/sql.ts'
import { latestOf } from './selected-calls.ts'

/**
 * Runs of deletions. ClickHouse evaluates the condition of a mutation when it executes it, which may be days later, and once for each
 * part and replica. So everything that the condition depends on is stored before: the calls in a list (selected-calls.ts), and one row
 * here, written last, with the time of each project and the length of the list. Conditions take their times from this row, and get none
 * unless the list is complete on the server: then nothing is old, and nothing is deleted.
 *
 * A run that was selected is carried out, by another node if need be, until it is closed. A closed run deletes nothing more.
 */
export interface DeletionRun {
  readonly run_id: string
  readonly reason: DeletionReason
  /** By ClickHouse's clock. Rows that were stored later are not deleted. */
  readonly selectedAt: Micros
  readonly projects: readonly RunProject[]
}

export type DeletionReason = 'retention' | 'disk' | 'erasure'

interface RunProject {
  readonly project_id: string
  /** Calls that started before go; undefined: none. */
  readonly callsBefore: Micros | undefined
  /** Calls that started before lose their payloads. */
  readonly payloadsBefore: Micros | undefined
  /** How many. */
  readonly calls: number
  readonly payloads: number
}

/** Evaluated by each server when it executes the mutation. */
function ifComplete(run_id: string, value: Sql, otherwise: Sql): Sql {
  return sql`(SELECT if(countIf(state = 'closed') = 0 AND max(listed) <= (SELECT count() ${fromList(run_id)}), ${value}, ${otherwise}) FROM deletion_runs WHERE run_id = ${run_id})`
}

/** The times of the run, for the condition of a mutation; none unless the run may delete on this server. */
export function timesOfRun(
  { run_id, projects }: DeletionRun,
  column: 'calls_before' | 'payloads_before',
): ProjectTimes {
  const ofRun = (name: string): Sql =>
    ifComplete(run_id, sql`anyIf(${identifier(name)}, state = 'selected')`, sql`[]`)
  const times = projects.map((project) =>
    column === 'calls_before' ? project.callsBefore : project.payloadsBefore,
  )
  const project_ids = ofRun('project_ids')
  const set = sql`(SELECT arrayJoin(${project_ids}))`
  return { project_ids, micros: ofRun(column), projects: set, latest: latestOf(times) }
}

/** Whether the run may delete on this server, for the condition of a mutation. */
export function isComplete(run_id: string): Sql {
  return ifComplete(run_id, sql`countIf(state = 'selected') > 0`, sql`0`)
}

/** Lets the mutations of the run delete. Its list must be written. The first shard is last: without its row there is no such run. */
export async function openRun(db: Database, run: DeletionRun): Promise<void> {
  for (const shard of [...db.shards].reverse()) {
    const row = await shard.first<{ listed: string }>(selectListed(run.run_id), POINT)
    const rows = encodeRun(run, BigInt(row?.listed ?? 0))
    await shard.insertBinary('deletion_runs', RUN_COLUMNS, [rows], { onAllReplicas: true })
  }
}

export function selectListed(run_id: string): Sql {
  return sql`SELECT count() AS listed ${fromList(run_id)}`
}

const RUN_COLUMNS = [
  'run_id',
  'state',
  'reason',
  'listed',
  'selected_at',
  'project_ids',
  'calls_before',
  'payloads_before',
  'calls',
  'payloads',
]

/** In the body of the request: thousands of projects do not fit into parameters of a command, which are in its URL. */
function encodeRun({ run_id, reason, selectedAt, projects }: DeletionRun, listed: bigint): Buffer {
  const row = new RowWriter().string(run_id).string('selected').string(reason).i64(listed).i64(selectedAt)
  row.strings(projects.map(({ project_id }) => project_id))
  const numbers: ((project: RunProject) => bigint)[] = [
    ({ callsBefore }) => callsBefore ?? NO_TIME,
    ({ payloadsBefore }) => payloadsBefore ?? NO_TIME,
    ({ calls }) => BigInt(calls),
    ({ payloads }) => BigInt(payloads),
  ]
  for (const of of numbers) {
    row.varint(projects.length)
    for (const project of projects) row.i64(of(project))
  }
  return row.take()
}

/** Whether the mutations of the run may still delete on every shard. */
export async function isRunComplete(db: Database, run_id: string): Promise<boolean> {
  const states = await Promise.all(
    db.shards.map((shard) => shard.first<{ complete: number }>(selectComplete(run_id), POINT)),
  )
  return states.every((state) => state?.complete === 1)
}

/** The mutations of the run delete nothing any more, because its list is gone or another node has closed it. */
export class LostListError extends Error {
  constructor(run_id: string) {
    super(
      `the list of calls of deletion run ${run_id} is gone, or another node has closed it; what was not deleted before stays until the next run`,
    )
  }
}

export function selectComplete(run_id: string): Sql {
  return sql`SELECT toUInt8(${isComplete(run_id)}) AS complete`
}

const POINT = { name: 'deletion runs', kind: 'point' } as const

/** From now on, no mutation of the run deletes anything. */
export async function closeRun(db: Database, run_id: string): Promise<void> {
  for (const shard of db.shards) await shard.command(insertClosed(run_id), 'close deletion run')
}

export function insertClosed(run_id: string): Sql {
  return sql`INSERT INTO deletion_runs (run_id, state) SELECT ${run_id}, 'closed'`
}

interface RunRow {
  readonly run_id: string
  readonly reason: DeletionReason
  readonly selected_micros: string
  readonly project_ids: readonly string[]
  readonly calls_before: readonly string[]
  readonly payloads_before: readonly string[]
  readonly calls: readonly string[]
  readonly payloads: readonly string[]
}

/** Runs that were selected and not closed, the oldest first: what an interrupted process has left. */
export async function listOpenRuns(db: Database): Promise<DeletionRun[]> {
  const rows = await db.firstShard.rows<RunRow>(selectOpenRuns, POINT)
  return rows.map((row) => ({
    run_id: row.run_id,
    reason: row.reason,
    selectedAt: BigInt(row.selected_micros),
    projects: row.project_ids.map((project_id, i) => ({
      project_id,
      callsBefore: parseTime(row.calls_before[i]),
      payloadsBefore: parseTime(row.payloads_before[i]),
      calls: Number(row.calls[i]),
      payloads: Number(row.payloads[i]),
    })),
  }))
}

export const selectOpenRuns: Sql = sql`SELECT run_id, anyIf(reason, state = 'selected') AS reason,
  toUnixTimestamp64Micro(anyIf(selected_at, state = 'selected')) AS selected_micros,
  anyIf(project_ids, state = 'selected') AS project_ids, anyIf(calls_before, state = 'selected') AS calls_before,
  anyIf(payloads_before, state = 'selected') AS payloads_before, anyIf(calls, state = 'selected') AS calls,
  anyIf(payloads, state = 'selected') AS payloads
FROM deletion_runs GROUP BY run_id HAVING countIf(state = 'closed') = 0 AND countIf(state = 'selected') > 0 ORDER BY min(logged_at)`

function parseTime(micros: string | undefined): Micros | undefined {
  const time = BigInt(micros ?? NO_TIME)
  return time === NO_TIME ? undefined : time
}

/** A list without a run belongs to a process that selects calls now, or that was interrupted while it did. */
const ABANDONED_SECONDS = 86_400
/** A replica may not know yet of a mutation that another one has executed. */
const REPLICA_SECONDS = 600

/** Removes the lists that mutations can no longer read. Call it under the lease, so that no other process closes runs at the same time. */
export async function removeLists(db: Database, renew: RenewLease): Promise<void> {
  const open = new Set((await listOpenRuns(db)).map(({ run_id }) => run_id))
  const ageSeconds = db.everyServer.length > db.shards.length ? REPLICA_SECONDS : 0
  for (const shard of db.shards) {
    const lists = await shard.rows<ListRow>(selectLists(ageSeconds), { ...POINT, kind: 'export' })
    const unused = lists.filter(
      ({ run, is_closed, is_abandoned }) => !open.has(run) && (is_closed === 1 || is_abandoned === 1),
    )
    if (unused.length === 0) continue
    // First, so that a mutation that is not there yet deletes nothing.
    for (const { run, is_closed } of unused)
      if (is_closed === 0) await shard.command(insertClosed(run), 'close deletion run')
    const running = await readEveryServer(db, (server) =>
      server.rows<{ command: string }>(selectUnfinishedCommands, POINT),
    )
    const removable = unused.filter(({ run }) => !running.some(({ command }) => command.includes(run)))
    if (removable.length === 0) continue
    const statement = eraseLists(removable.map(({ list }) => list))
    await runMutation(shard, statement, 'remove-lists', { name: 'remove lists of calls', renew })
  }
}

interface ListRow {
  readonly list: string
  readonly run: string
  readonly is_closed: 0 | 1
  readonly is_abandoned: 0 | 1
}

/** The id of a run is the beginning of the names of its lists. */
export function selectLists(closedSeconds: number): Sql {
  return sql`SELECT list, substring(list, 1, 36) AS run,
  run IN (SELECT run_id FROM deletion_runs WHERE state = 'closed' AND logged_at <= now64(6) - toIntervalSecond(${closedSeconds})) AS is_closed,
  last < now64(6) - toIntervalSecond(${ABANDONED_SECONDS}) AS is_abandoned
FROM (SELECT run_id AS list, max(added_at) AS last ${fromAllProjects('selected_calls')} GROUP BY run_id)`
}

export const selectUnfinishedCommands: Sql = sql`SELECT command FROM system.mutations WHERE database = currentDatabase() AND NOT is_done`

export function eraseLists(lists: readonly string[]): Sql {
  return sql`ALTER TABLE selected_calls DELETE WHERE run_id IN ${lists}`
}
