import type { Micros } from '../../core/time/time.ts'
import type { Database } from '../database/database.ts'
import { runMutation } from '../jobs/mutations.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { deleteRows, deleteRowsInPartition, fromAllVersions, type TenantTable } from '../query/scope.ts'
import { moment, type Sql, sql } from '../query/sql.ts'
import { selectCalls, selectedIds } from './selected-calls.ts'

/** One run of retention on a project. The calls to keep are stored under its id (selected-calls.ts). */
export interface ProjectRun {
  readonly project_id: string
  readonly run_id: string
  readonly renew: RenewLease
}

/**
 * Deletes the calls of one shard that started before this time, except those to keep. Rows at one location of the sort key are deleted
 * together: a tombstone without the row that it hides, or the reverse, would show a call twice. The table `calls` comes last,
 * so that an interrupted run is repeated completely.
 */
export async function deleteCallsBefore(shard: Database, run: ProjectRun, before: Micros): Promise<void> {
  const { project_id, run_id } = run
  const parts = `${run_id}-parts`
  if (await hasRows(shard, project_id, 'call_parts')) {
    await selectCalls(shard, project_id, parts, selectOldParts(run, before))
    await deleteMatching(shard, run, 'call_parts', sql`id IN (${selectedIds(project_id, parts)})`)
  }
  const isOld = sql`started_at < ${moment(before)} AND id NOT IN (${selectedIds(project_id, run_id)})`
  const isOfParts = sql`is_part = 1 AND id IN (${selectedIds(project_id, parts)})`
  await deleteMatching(shard, run, 'call_ids', sql`((is_part = 0 AND ${isOld}) OR (${isOfParts}))`)
  for (const partition_id of await findPartitions(shard, project_id, 'calls', isOld)) {
    const statement = sql`${deleteRowsInPartition(project_id, 'calls', partition_id)} AND ${isOld}`
    await runMutation(shard, statement, `${run_id}-calls-${partition_id}`, {
      name: 'delete calls',
      renew: run.renew,
    })
  }
}

/** Facts of calls all of whose rows are old, and old facts of calls without a row. */
export function selectOldParts(
  { project_id, run_id }: Pick<ProjectRun, 'project_id' | 'run_id'>,
  before: Micros,
): Sql {
  const withParts = sql`SELECT id ${fromAllVersions(project_id, 'call_parts')}`
  const located = sql`${fromAllVersions(project_id, 'call_ids')} AND is_part = 0 AND id IN (${withParts})`
  return sql`SELECT id ${located} AND id NOT IN (${selectedIds(project_id, run_id)}) GROUP BY id HAVING max(started_at) < ${moment(before)}
UNION DISTINCT SELECT id ${fromAllVersions(project_id, 'call_parts')} AND inserted_at < ${moment(before)} AND id NOT IN (SELECT id ${located})`
}

/** The partitions with rows of the project that match. */
export async function findPartitions(
  db: Database,
  project_id: string,
  table: TenantTable,
  condition: Sql,
): Promise<string[]> {
  const rows = await db.rows<{ partition_id: string }>(selectPartitions(project_id, table, condition), {
    name: 'partitions of calls',
    kind: 'export',
  })
  return rows.map((row) => row.partition_id)
}

export function selectPartitions(project_id: string, table: TenantTable, condition: Sql): Sql {
  return sql`SELECT _partition_id AS partition_id ${fromAllVersions(project_id, table)} AND ${condition} GROUP BY partition_id ORDER BY partition_id`
}

/** A mutation visits all parts of its table, so there is none if no row matches. */
async function deleteMatching(
  db: Database,
  { project_id, run_id, renew }: ProjectRun,
  table: TenantTable,
  condition: Sql,
): Promise<void> {
  if (!(await hasRows(db, project_id, table, condition))) return
  const id = `${run_id}-${table}`
  await runMutation(db, sql`${deleteRows(project_id, table)} AND ${condition}`, id, {
    name: `delete ${table}`,
    renew,
  })
}

async function hasRows(
  db: Database,
  project_id: string,
  table: TenantTable,
  condition = sql`1`,
): Promise<boolean> {
  const statement = selectAnyRow(project_id, table, condition)
  return (await db.first(statement, { name: 'retention rows', kind: 'export' })) !== undefined
}

export function selectAnyRow(project_id: string, table: TenantTable, condition: Sql): Sql {
  return sql`SELECT 1 ${fromAllVersions(project_id, table)} AND ${condition} LIMIT 1`
}
