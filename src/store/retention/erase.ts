import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { readClock } from '../calls/write/clock-sync.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { runMutation } from '../jobs/mutations.ts'
import { eraseRows, fromAllProjects, fromAllVersions, type TenantTable } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'
import { recordDeletions } from './call-deletions.ts'
import {
  closeRun,
  type DeletionRun,
  isComplete,
  openRun,
  isRunComplete,
  LostListError,
} from './deletion-runs.ts'
import { selectCalls, selectedIds } from './selected-calls.ts'

/**
 * Erasure: removes calls with everything about them, whatever retention would keep. Parts that contain their rows are
 * rewritten, so nothing stays on disk once ClickHouse has removed the old parts.
 */
export type ErasedCalls =
  | { readonly kind: 'user'; readonly end_user: string }
  | { readonly kind: 'traces'; readonly trace_ids: readonly string[] }

/** Projects with calls of the end user. */
export async function findProjectsOfUser(db: Database, end_user: string): Promise<string[]> {
  const rows = await db.rows<{ project_id: string }>(selectProjectsOfUser(end_user), {
    name: 'projects of end user',
    kind: 'export',
  })
  return rows.map(({ project_id }) => project_id)
}

export function selectProjectsOfUser(end_user: string): Sql {
  return sql`SELECT DISTINCT project_id ${fromAllProjects('calls')} WHERE field_end_user = ${end_user} ORDER BY project_id`
}

/** All calls of the traces: other calls of a trace contain the same conversation, often without the user. */
export function selectErasedIds(project_id: string, calls: ErasedCalls): Sql {
  const traces =
    calls.kind === 'traces'
      ? sql`${calls.trace_ids}`
      : sql`(SELECT trace_id ${fromAllVersions(project_id, 'calls')} AND field_end_user = ${calls.end_user} AND trace_id != '')`
  return sql`SELECT DISTINCT project_id, id ${fromAllVersions(project_id, 'calls')} AND trace_id IN ${traces}`
}

/** By table, the column with the id of the call. The table `calls` is last, so that an interrupted erasure can be repeated. */
function erasedTables(project_id: string): readonly (readonly [TenantTable, Sql])[] {
  const prefix = `weave:///${project_id}/call/`
  return [
    [
      'feedback',
      sql`if(startsWith(weave_ref, ${prefix}), splitByChar('/', substring(weave_ref, ${prefix.length + 1}))[1], '')`,
    ],
    ['queue_items', sql`call_id`],
    ['queue_claims', sql`call_id`],
    ['dataset_sources', sql`call_id`],
    ['live_log', sql`id`],
    ['call_parts', sql`id`],
    ['call_ids', sql`id`],
    ['calls', sql`id`],
  ]
}

export interface ErasedProject {
  readonly project_id: string
  /** Calls with a row, or that had one. */
  readonly calls: number
  /** SHA-256 of the sorted ids of the calls, joined by line feeds. */
  readonly ids_sha256: string
  /** Rows removed, by table; all stored versions. */
  readonly rows: Readonly<Record<string, number>>
  /** Rows of tables that contain a ref to one of the calls. They may contain copies of its contents, and are left alone. */
  readonly table_rows_with_refs: number
}

export async function eraseCalls(
  db: Database,
  project_id: string,
  calls: ErasedCalls,
  renew: RenewLease,
): Promise<ErasedProject> {
  const run_id = randomUUID()
  await selectCalls(db, run_id, selectErasedIds(project_id, calls))
  if (calls.kind === 'user')
    await selectCalls(db, ownList(run_id), selectOwnIds(project_id, run_id, calls.end_user))
  const selected = selectedIds(project_id, run_id)
  const options = { name: 'erase', kind: 'export' } as const
  const ids = (await db.rows<{ id: string }>(sql`${selected} ORDER BY id`, options)).map(({ id }) => id)
  const table_rows_with_refs = await countTableRows(db, project_id, selected)
  const project = {
    project_id,
    callsBefore: undefined,
    payloadsBefore: undefined,
    calls: ids.length,
    payloads: 0,
  }
  const run = {
    run_id,
    reason: 'erasure',
    selectedAt: (await readClock(db)) ?? 0n,
    projects: [project],
  } as const
  await openRun(db, run)
  const rows = await completeErasure(db, run, renew)
  const ids_sha256 = createHash('sha256').update(ids.join('\n')).digest('hex')
  return { project_id, calls: ids.length, ids_sha256, rows, table_rows_with_refs }
}

/** Carries out an erasure that is open, and closes it. Returns the number of rows by table. It can be repeated. */
export async function completeErasure(
  db: Database,
  run: DeletionRun,
  renew: RenewLease,
): Promise<Record<string, number>> {
  const { run_id, reason } = run
  const rows: Record<string, number> = {}
  for (const { project_id, calls } of run.projects) {
    for (const [table, id] of erasedTables(project_id))
      rows[table] = (rows[table] ?? 0) + (await eraseFromTable(db, project_id, { run_id, table, id, renew }))
    // A sweep may have indexed and logged calls again before they were erased (unreconciled.ts).
    for (const table of ['call_ids', 'live_log'] as const)
      await eraseFromTable(db, project_id, { run_id, table, id: sql`id`, renew })
    for (const shard of db.shards) await eraseDeletedCalls(shard, project_id, run_id, renew)
    if (!(await isRunComplete(db, run_id))) {
      await closeRun(db, run_id)
      throw new LostListError(run_id)
    }
    await recordDeletions(db, [{ project_id, run_id, reason, calls, payloads: 0 }])
  }
  await closeRun(db, run_id)
  return rows
}

/** Calls that name the user themselves. */
function ownList(run_id: string): string {
  return `${run_id}-own`
}

export function selectOwnIds(project_id: string, run_id: string, end_user: string): Sql {
  return sql`SELECT DISTINCT project_id, id ${fromAllVersions(project_id, 'calls')} AND field_end_user = ${end_user} AND id IN (${selectedIds(project_id, run_id)})`
}

/**
 * The calls of a trace are on several shards, and often only the root names the user. Calls that do not are erased first: if one
 * shard fails, a repeated erasure still finds the traces by the calls that do.
 */
async function eraseFromTable(
  db: Database,
  project_id: string,
  { run_id, table, id, renew }: Omit<ErasedRows, 'selected'>,
): Promise<number> {
  const selected = selectedIds(project_id, run_id)
  const isOwn = sql`id IN (${selectedIds(project_id, ownList(run_id))})`
  const steps =
    db.shards.length === 1 || table !== 'calls' ? [selected] : [sql`${selected} AND NOT (${isOwn})`, selected]
  let count = 0
  for (const each of steps)
    for (const shard of db.shards)
      count += await eraseMatching(shard, project_id, { run_id, table, id, selected: each, renew })
  return count
}

interface ErasedRows {
  /** Begins the id of the mutation. */
  readonly run_id: string
  readonly table: TenantTable
  /** The column with the id of the call. */
  readonly id: Sql
  /** The ids to erase, as a subquery. */
  readonly selected: Sql
  readonly renew: RenewLease
}

/** Erases the rows of one table on one shard, and returns how many there were. */
async function eraseMatching(
  shard: Database,
  project_id: string,
  { run_id, table, id, selected, renew }: ErasedRows,
): Promise<number> {
  const row = await shard.first<{ n: string }>(selectMatchingRows(project_id, table, id, selected), {
    name: 'erase',
    kind: 'export',
  })
  const count = Number(row?.n ?? 0)
  if (count === 0) return 0
  const statement = sql`${eraseRows(project_id, table)} AND ${id} IN (${selected}) AND ${isComplete(run_id)}`
  await runMutation(shard, statement, `${run_id}-${table}`, { name: `erase ${table}`, renew })
  return count
}

/**
 * Calls of one shard that were deleted through the API before: nobody can tell whose they were, so what is left of them goes too.
 * Their deletions stay, so that no late record brings a call back.
 */
async function eraseDeletedCalls(
  shard: Database,
  project_id: string,
  run_id: string,
  renew: RenewLease,
): Promise<void> {
  for (const [table, isText] of DELETED_TEXT) {
    const condition = sql`${isText} AND id IN (SELECT id ${fromAllVersions(project_id, 'call_parts')} AND fact = 'deletion')`
    const options = { name: 'erase', kind: 'export' } as const
    if ((await shard.first(selectAnyRow(project_id, table, condition), options)) === undefined) continue
    const statement = sql`${eraseRows(project_id, table)} AND ${condition}`
    await runMutation(shard, statement, `${run_id}-deleted-${table}`, { name: 'erase deleted calls', renew })
  }
}

export function selectAnyRow(project_id: string, table: TenantTable, condition: Sql): Sql {
  return sql`SELECT 1 ${fromAllVersions(project_id, table)} AND ${condition} LIMIT 1`
}

const DELETED_TEXT = [
  ['calls', sql`is_deleted = 0`],
  ['call_parts', sql`fact != 'deletion'`],
] as const

/** Calls of the project that have a row, or had one. */
export async function countStoredCalls(db: Database, project_id: string): Promise<number> {
  const row = await db.first<{ n: string }>(selectStoredCallCount(project_id), {
    name: 'erase',
    kind: 'export',
  })
  return Number(row?.n ?? 0)
}

export function selectStoredCallCount(project_id: string): Sql {
  return sql`SELECT uniqExact(id) AS n ${fromAllVersions(project_id, 'calls')}`
}

export function selectMatchingRows(project_id: string, table: TenantTable, id: Sql, selected: Sql): Sql {
  return sql`SELECT count() AS n ${fromAllVersions(project_id, table)} AND ${id} IN (${selected})`
}

async function countTableRows(db: Database, project_id: string, selected: Sql): Promise<number> {
  const row = await db.first<{ n: string }>(selectTableRowsWithRefs(project_id, selected), {
    name: 'erase',
    kind: 'export',
  })
  return Number(row?.n ?? 0)
}

export function selectTableRowsWithRefs(project_id: string, selected: Sql): Sql {
  const pattern = String.raw`weave:[^"]*?[/]call\\?/([^"/\\]+)`
  return sql`SELECT count() AS n ${fromAllVersions(project_id, 'table_rows')} AND position(val, 'call') > 0
  AND hasAny(extractAll(val, ${pattern}), (SELECT groupArray(id) FROM (${selected})))`
}
