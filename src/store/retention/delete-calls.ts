import type { Database } from '../database/database.ts'
import type { RenewLease } from '../jobs/leases.ts'
import { runMutation } from '../jobs/mutations.ts'
import {
  deleteRowsOfProjects,
  fromAllVersionsOfRows,
  fromList,
  type ProjectTimes,
  RowsOfProjects,
  type TenantTable,
} from '../query/scope.ts'
import { moment, type Sql, sql } from '../query/sql.ts'
import { type DeletionRun, isComplete, timesOfRun } from './deletion-runs.ts'
import { selectCalls } from './selected-calls.ts'

/**
 * Deletes the calls of one shard that a run has selected, of all its projects at once: one mutation for each partition of `calls`, one
 * for `call_parts` and one for `call_ids`. `calls` comes first: a call without its row is deleted for every reader, and a call with its
 * row has everything else. What an interrupted run leaves in the other tables, the next one finds.
 */
export async function deleteOldCalls(shard: Database, run: DeletionRun, renew: RenewLease): Promise<void> {
  const { run_id } = run
  const times = timesOfRun(run, 'calls_before')
  if (times.latest === undefined) return
  const rows = RowsOfProjects.before(times)
  const isDeleted = isSelected(run)
  await inEachPartition(shard, rows, isDeleted, (partition_id) =>
    runMutation(
      shard,
      sql`${deleteRowsOfProjects('calls', rows, partition_id)} AND ${isDeleted}`,
      `${run_id}-calls-${partition_id}`,
      { name: 'delete calls', renew },
    ),
  )
  const parts = `${run_id}-parts`
  await selectCalls(shard, parts, selectOldParts(run, times))
  const ofParts = RowsOfProjects.inList(parts)
  const isStored = sql`inserted_at < ${moment(run.selectedAt)} AND ${isComplete(run_id)}`
  if (await hasRows(shard, 'call_parts', ofParts, isStored)) {
    const statement = sql`${deleteRowsOfProjects('call_parts', ofParts)} AND ${isStored}`
    await runMutation(shard, statement, `${run_id}-call-parts`, { name: 'delete call_parts', renew })
  }
  for (const [name, located, condition] of [
    ['ids', rows, isWithoutRow(run, rows)],
    ['part-ids', ofParts, sql`is_part = 1 AND ${isComplete(run_id)} AND ${isWithoutParts(ofParts)}`],
  ] as const) {
    if (!(await hasRows(shard, 'call_ids', located, condition))) continue
    const statement = sql`${deleteRowsOfProjects('call_ids', located)} AND ${condition}`
    await runMutation(shard, statement, `${run_id}-${name}`, { name: 'delete call_ids', renew })
  }
}

/**
 * Rows that were there when the calls to keep were listed, and are of none of them. The list that is compared must have its last
 * row: it may be removed between the moment at which the times of the run are read and this one. ClickHouse reads the same subquery once.
 */
export function isSelected({ run_id, selectedAt }: DeletionRun): Sql {
  const kept = sql`(SELECT project_id, id ${fromList(run_id)})`
  return sql`inserted_at < ${moment(selectedAt)} AND (project_id, id) NOT IN ${kept} AND ('', ${run_id}) IN ${kept}`
}

/** Calls that were stored since have a row again, and keep their locations. */
function isWithoutRow({ run_id }: DeletionRun, rows: RowsOfProjects): Sql {
  return sql`is_part = 0 AND (project_id, id) NOT IN (SELECT project_id, id ${fromList(run_id)}) AND (project_id, id) NOT IN (SELECT project_id, id ${fromAllVersionsOfRows('calls', rows)})`
}

function isWithoutParts(ofParts: RowsOfProjects): Sql {
  return sql`(project_id, id) NOT IN (SELECT project_id, id ${fromAllVersionsOfRows('call_parts', ofParts)})`
}

/** Facts of calls all of whose rows were old and are deleted, and old facts of calls without a row. */
export function selectOldParts(run: DeletionRun, times: ProjectTimes): Sql {
  const isStored = sql`inserted_at < ${moment(run.selectedAt)}`
  const ofProjects = RowsOfProjects.withTime(times)
  const left = sql`SELECT project_id, id ${fromAllVersionsOfRows('calls', RowsOfProjects.before(times))}`
  const withParts = sql`SELECT project_id, id ${fromAllVersionsOfRows('call_parts', ofProjects)} AND ${isStored}`
  const located = sql`${fromAllVersionsOfRows('call_ids', ofProjects)} AND is_part = 0 AND (project_id, id) IN (${withParts})`
  const isNewest = sql`(project_id, id) NOT IN (SELECT project_id, id ${located} AND NOT (${RowsOfProjects.before(times).condition}))`
  return sql`SELECT DISTINCT project_id, id ${located} AND (project_id, id) NOT IN (SELECT project_id, id ${fromList(run.run_id)}) AND (project_id, id) NOT IN (${left}) AND ${isNewest}
UNION DISTINCT SELECT project_id, id ${fromAllVersionsOfRows('call_parts', RowsOfProjects.before(times, 'inserted_at'))} AND ${isStored} AND (project_id, id) NOT IN (SELECT project_id, id ${located})`
}

/** A killed mutation leaves rows behind without an error. */
const ATTEMPTS = 3

/** Runs the mutation in each partition of `calls` with rows that match, and checks that none is left. */
export async function inEachPartition(
  shard: Database,
  rows: RowsOfProjects,
  condition: Sql,
  mutate: (partition_id: string) => Promise<void>,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const partitions = await shard.rows<{ partition_id: string }>(selectPartitions(rows, condition), {
      name: 'partitions of calls',
      kind: 'export',
    })
    if (partitions.length === 0) return
    if (attempt === ATTEMPTS)
      throw new Error(
        `calls are left in partition ${partitions[0]?.partition_id} after ${ATTEMPTS} mutations; is a mutation of \`calls\` killed or failing?`,
      )
    for (const { partition_id } of partitions) await mutate(partition_id)
  }
}

export function selectPartitions(rows: RowsOfProjects, condition: Sql): Sql {
  return sql`SELECT _partition_id AS partition_id ${fromAllVersionsOfRows('calls', rows)} AND ${condition} GROUP BY partition_id ORDER BY partition_id`
}

/** A mutation visits all parts of its table, so there is none if no row matches. */
async function hasRows(
  db: Database,
  table: TenantTable,
  rows: RowsOfProjects,
  condition: Sql,
): Promise<boolean> {
  const statement = selectAnyOldRow(table, rows, condition)
  return (await db.first(statement, { name: 'retention rows', kind: 'export' })) !== undefined
}

export function selectAnyOldRow(table: TenantTable, rows: RowsOfProjects, condition: Sql): Sql {
  return sql`SELECT 1 ${fromAllVersionsOfRows(table, rows)} AND ${condition} LIMIT 1`
}
